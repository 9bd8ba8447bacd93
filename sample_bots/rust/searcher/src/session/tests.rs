use std::sync::mpsc::{Receiver, channel};

use super::*;
use crate::wire::{GameFinished, HandFinished, MatchFinished};

/// A session, and what it asked (decision ids) and said.
struct Bench {
    session: Session,
    asked: Receiver<u32>,
    said: Receiver<String>,
}

fn action(bid: u32) -> Action {
    Action {
        kind: 2,
        bid,
        ..Action::default()
    }
}

impl Bench {
    /// The strategy takes the last legal action.
    fn new() -> Self {
        let (ask, asked) = channel();
        let (say, said) = channel();
        let act = move |_: &Game, decision: &Decision| {
            ask.send(decision.decision_id).unwrap();
            *decision.legal.last().unwrap()
        };
        let say = move |line: &str| say.send(line.to_owned()).unwrap();
        let session = Session::new(Box::new(act), Box::new(say));
        let mut bench = Self {
            session,
            asked,
            said,
        };
        bench.take(
            1,
            Arm::MatchStart(MatchStart {
                match_id: 5,
                ..MatchStart::default()
            }),
        );
        let start = GameStart {
            match_id: 5,
            table_id: 7,
            seat: 1,
            bot_seed: vec![0, 0, 0, 0, 0, 0, 1, 2],
        };
        bench.take(2, Arm::GameStart(start));
        bench
    }

    fn take(&mut self, sequence: u32, arm: Arm) {
        self.session.take(Item {
            sequence,
            item: Some(arm),
        });
    }

    fn ask(&mut self, sequence: u32, decision_id: u32, table_id: u32) {
        let legal = vec![action(1), action(2), action(3)];
        let decision = Decision {
            decision_id,
            table_id,
            legal,
            ..Decision::default()
        };
        self.take(sequence, Arm::Decision(decision));
    }

    fn reject(&mut self, sequence: u32, decision_id: u32) {
        let text = "'bid 3' is too high".into();
        let paragraph = "C2.2".into();
        let open = true;
        let rejected = Rejected {
            decision_id,
            text,
            paragraph,
            open,
            ..Rejected::default()
        };
        self.take(sequence, Arm::Rejected(rejected));
    }

    /// What is sent: the acknowledged number, and decision ids with the bids answered.
    fn sent(&mut self) -> Option<(u32, Vec<(u32, u32)>)> {
        let request = self.session.request()?;
        let Some(Message::Answers(answers)) = request.message else {
            panic!("no answers: {request:?}");
        };
        let pairs = answers
            .answers
            .iter()
            .map(|a| (a.decision_id, a.action.unwrap().bid));
        Some((request.acknowledged, pairs.collect()))
    }
}

#[test]
fn answers_of_a_message_go_out_together() {
    let mut bench = Bench::new();
    let start = GameStart {
        match_id: 5,
        table_id: 8,
        ..GameStart::default()
    };
    bench.take(3, Arm::GameStart(start));
    bench.ask(4, 11, 7);
    bench.ask(5, 12, 8);
    assert_eq!(bench.sent(), Some((5, vec![(11, 3), (12, 3)])));
    assert_eq!(bench.sent(), None);
}

#[test]
fn a_repeated_question_gets_the_same_answer_without_asking() {
    let mut bench = Bench::new();
    bench.ask(3, 11, 7);
    bench.session.resume();
    assert_eq!(bench.sent(), None, "what was not sent is forgotten");
    bench.ask(4, 11, 7);
    assert_eq!(bench.sent(), Some((4, vec![(11, 3)])));
    assert_eq!(bench.asked.try_iter().count(), 1);
}

#[test]
fn an_event_that_comes_again_is_skipped() {
    let mut bench = Bench::new();
    bench.ask(3, 11, 7);
    let start = GameStart {
        match_id: 5,
        table_id: 7,
        seat: 1,
        ..GameStart::default()
    };
    bench.take(2, Arm::GameStart(start));
    bench.ask(4, 11, 7);
    assert_eq!(
        bench.asked.try_iter().count(),
        1,
        "the table was opened anew"
    );
}

#[test]
fn a_new_session_knows_nothing() {
    let mut bench = Bench::new();
    bench.ask(3, 11, 7);
    bench.session.begin();
    bench.ask(1, 11, 7);
    assert_eq!(
        bench.sent(),
        Some((1, vec![(11, 1)])),
        "a table that is not known"
    );
}

#[test]
fn a_rejected_answer_is_replaced_once_and_told() {
    let mut bench = Bench::new();
    bench.ask(3, 11, 7);
    bench.sent();
    bench.reject(4, 11);
    assert_eq!(bench.sent(), Some((4, vec![(11, 1)])));
    bench.reject(5, 11);
    assert_eq!(bench.sent(), None);
    let said: Vec<String> = bench.said.try_iter().collect();
    assert!(
        said[0].contains("'bid 3' is too high (rules C2.2)"),
        "{said:?}"
    );
    assert_eq!(said.len(), 3, "{said:?}");
}

#[test]
fn unknown_arms_and_tables_do_no_harm() {
    let mut bench = Bench::new();
    bench.session.take(Item {
        sequence: 3,
        item: None,
    });
    bench.take(4, Arm::HandFinished(HandFinished::default()));
    bench.take(
        5,
        Arm::GameStart(GameStart {
            match_id: 6,
            ..GameStart::default()
        }),
    );
    bench.ask(6, 11, 99);
    assert_eq!(bench.sent(), Some((6, vec![(11, 1)])));
    assert!(
        bench
            .said
            .try_recv()
            .unwrap()
            .contains("match 6, unknown here")
    );
}

#[test]
fn finished_games_and_matches_are_dropped() {
    let mut bench = Bench::new();
    let start = GameStart {
        match_id: 5,
        table_id: 8,
        ..GameStart::default()
    };
    bench.take(3, Arm::GameStart(start));
    bench.take(
        4,
        Arm::GameFinished(GameFinished {
            table_id: 7,
            ..GameFinished::default()
        }),
    );
    assert_eq!(bench.session.tables.len(), 1);
    bench.take(5, Arm::MatchFinished(MatchFinished { match_id: 5 }));
    assert!(bench.session.tables.is_empty() && bench.session.matches.is_empty());
}

#[test]
fn many_items_without_an_answer_are_acknowledged() {
    let mut bench = Bench::new();
    for sequence in 3..MAX_UNACKNOWLEDGED {
        bench.session.take(Item {
            sequence,
            item: None,
        });
        assert_eq!(bench.sent(), None);
    }
    bench.session.take(Item {
        sequence: MAX_UNACKNOWLEDGED,
        item: None,
    });
    assert_eq!(bench.sent(), Some((MAX_UNACKNOWLEDGED, vec![])));
    assert_eq!(bench.sent(), None);
}

#[test]
fn a_request_carries_at_most_1024_answers() {
    let mut bench = Bench::new();
    for number in 0..1025 {
        bench.ask(3 + number, number, 99);
    }
    assert_eq!(bench.sent().unwrap().1.len(), 1024);
    assert_eq!(bench.sent().unwrap().1.len(), 1);
    assert_eq!(bench.sent(), None);
}

#[test]
fn the_seed_is_eight_bytes() {
    assert_eq!(seed_of(&[0, 0, 0, 0, 0, 0, 1, 2]), 258);
    assert_eq!(seed_of(&[1]), 1 << 56);
}

#[test]
fn actions_are_told_in_words() {
    assert_eq!(
        text(&Action {
            kind: 12,
            card: 15,
            ..Action::default()
        }),
        "play JH"
    );
    assert_eq!(
        text(&Action {
            kind: 2,
            bid: 3,
            call: 5,
            card: 0
        }),
        "bid no. 3 no_trump"
    );
    assert_eq!(
        text(&Action {
            kind: 8,
            ..Action::default()
        }),
        "no trade"
    );
}
