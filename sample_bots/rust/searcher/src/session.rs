//! What a session does with the items it is sent: tables come and go, the strategy is asked.
//!
//! Nothing here knows the network: items go in by `take`, requests come out of `request`. A
//! resumed stream may bring items and questions again; items are dropped by their sequence
//! number, and a question that was answered before gets the same answer without asking again.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cards::{self, Rules, card_of};
use crate::wire::item::Item as Arm;
use crate::wire::play_request::Message;
use crate::wire::{
    Action, Answer, Answers, Call, Decision, GameStart, Item, MatchStart, PlayRequest, Rejected,
};

/// The most answers that one request may carry (the contract's bound).
const MAX_ANSWERS: usize = 1024;

/// Items taken in without an answer due after which an empty request acknowledges them.
const MAX_UNACKNOWLEDGED: u32 = 256;

/// What holds for one game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rules of its match.
    pub rules: Arc<Rules>,
    /// The seat that the bot plays, 0 to 3.
    pub seat: u32,
    /// All chance is drawn from this, so that a tournament can be repeated.
    #[allow(dead_code, reason = "for a strategy that draws chance")]
    pub seed: u64,
}

/// The strategy: one of `Decision.legal`.
pub type Act = Box<dyn FnMut(&Game, &Decision) -> Action + Send>;

/// Takes one line for the bot's author.
pub type Say = Box<dyn FnMut(&str) + Send>;

/// One table: its game, and the last question there.
struct Table {
    match_id: u32,
    game: Game,
    asked: Option<Asked>,
}

/// A question that was answered.
struct Asked {
    decision_id: u32,
    answer: Action,
    first: Action,
    refused: bool,
}

/// The tables of one session.
pub struct Session {
    act: Act,
    say: Say,
    acknowledged: u32,
    told: u32,
    answers: Vec<Answer>,
    matches: HashMap<u32, Arc<Rules>>,
    tables: HashMap<u32, Table>,
}

impl Session {
    /// A session that asks `act` and tells `say` what its author should know.
    pub fn new(act: Act, say: Say) -> Self {
        Self {
            act,
            say,
            acknowledged: 0,
            told: 0,
            answers: Vec::new(),
            matches: HashMap::new(),
            tables: HashMap::new(),
        }
    }

    /// A new session: nothing of an earlier one is left.
    pub fn begin(&mut self) {
        self.matches.clear();
        self.tables.clear();
        self.answers.clear();
        self.acknowledged = 0;
        self.told = 0;
    }

    /// The same session on a new stream: what was not sent will be asked again.
    pub fn resume(&mut self) {
        self.answers.clear();
    }

    /// Takes in one item.
    pub fn take(&mut self, item: Item) {
        let new = item.sequence > self.acknowledged;
        match item.item {
            Some(Arm::Decision(decision)) => self.decide(&decision),
            Some(arm) if new => self.note(arm),
            // Seen before, or of a later version of the contract.
            _ => {}
        }
        self.acknowledged = self.acknowledged.max(item.sequence);
    }

    /// Whether an answer is due.
    pub fn has_answers(&self) -> bool {
        !self.answers.is_empty()
    }

    /// What is to be sent now, None for nothing.
    pub fn request(&mut self) -> Option<PlayRequest> {
        if self.answers.is_empty() && self.acknowledged - self.told < MAX_UNACKNOWLEDGED {
            return None;
        }
        let count = self.answers.len().min(MAX_ANSWERS);
        let answers = self.answers.drain(..count).collect();
        self.told = self.acknowledged;
        Some(PlayRequest {
            acknowledged: self.acknowledged,
            message: Some(Message::Answers(Answers { answers })),
        })
    }

    fn decide(&mut self, decision: &Decision) {
        let Some(first) = decision.legal.first().copied() else {
            return;
        };
        let Some(table) = self.tables.get_mut(&decision.table_id) else {
            return self.answer(decision.decision_id, first);
        };
        let known = table
            .asked
            .as_ref()
            .filter(|asked| asked.decision_id == decision.decision_id);
        let answer = match known {
            Some(asked) => asked.answer,
            None => (self.act)(&table.game, decision),
        };
        if known.is_none() {
            let decision_id = decision.decision_id;
            table.asked = Some(Asked {
                decision_id,
                answer,
                first,
                refused: false,
            });
        }
        self.answer(decision.decision_id, answer);
    }

    fn answer(&mut self, decision_id: u32, action: Action) {
        self.answers.push(Answer {
            decision_id,
            action: Some(action),
        });
    }

    /// Takes in an event.
    fn note(&mut self, arm: Arm) {
        match arm {
            Arm::MatchStart(message) => self.start_match(message),
            Arm::GameStart(message) => self.start_game(&message),
            Arm::Rejected(message) => self.reject(&message),
            Arm::GameFinished(message) => {
                self.tables.remove(&message.table_id);
            }
            Arm::MatchFinished(message) => {
                self.matches.remove(&message.match_id);
                self.tables
                    .retain(|_, table| table.match_id != message.match_id);
            }
            Arm::Decision(_) | Arm::HandFinished(_) => {}
        }
    }

    fn start_match(&mut self, message: MatchStart) {
        let rules = Rules::new(message.variant.unwrap_or_default());
        self.matches.insert(message.match_id, Arc::new(rules));
    }

    fn start_game(&mut self, message: &GameStart) {
        let GameStart {
            match_id,
            table_id,
            seat,
            ..
        } = *message;
        let Some(rules) = self.matches.get(&match_id).cloned() else {
            (self.say)(&format!(
                "the arena began a game of match {match_id}, unknown here"
            ));
            return;
        };
        let game = Game {
            rules,
            seat,
            seed: seed_of(&message.bot_seed),
        };
        self.tables.insert(
            table_id,
            Table {
                match_id,
                game,
                asked: None,
            },
        );
    }

    fn reject(&mut self, message: &Rejected) {
        let asked = self
            .tables
            .values_mut()
            .filter_map(|table| table.asked.as_mut())
            .find(|asked| asked.decision_id == message.decision_id);
        (self.say)(&complaint(message, asked.as_deref()));
        let Some(asked) = asked.filter(|asked| message.open && !asked.refused) else {
            return;
        };
        (self.say)("answered the first legal action in its place; this is a fault of the bot");
        asked.refused = true;
        asked.answer = asked.first;
        let (decision_id, first) = (asked.decision_id, asked.first);
        self.answer(decision_id, first);
    }
}

/// Why an answer was not taken, for the bot's author.
fn complaint(message: &Rejected, asked: Option<&Asked>) -> String {
    let what = match asked {
        Some(asked) => format!("the answer '{}'", text(&asked.answer)),
        None => "a message".into(),
    };
    let paragraph = match message.paragraph.as_str() {
        "" => String::new(),
        paragraph => format!(" (rules {paragraph})"),
    };
    format!("the arena did not take {what}: {}{paragraph}", message.text)
}

/// An action in words, such as `play JH`; a bid by its place on the ladder.
fn text(action: &Action) -> String {
    let kind = action
        .kind()
        .as_str_name()
        .trim_start_matches("ACTION_KIND_")
        .to_lowercase();
    let mut words = vec![kind.replace('_', " ")];
    words.extend(card_of(action.card).map(|card| cards::text(card).to_owned()));
    words.extend((action.bid > 0).then(|| format!("no. {}", action.bid)));
    if action.call() != Call::Unspecified {
        words.push(
            action
                .call()
                .as_str_name()
                .trim_start_matches("CALL_")
                .to_lowercase(),
        );
    }
    words.join(" ")
}

/// The eight bytes as a number; of other lengths the first bytes count.
fn seed_of(bytes: &[u8]) -> u64 {
    let mut seed = [0; 8];
    for (place, byte) in seed.iter_mut().zip(bytes) {
        *place = *byte;
    }
    u64::from_be_bytes(seed)
}

#[cfg(test)]
mod tests;
