//! The thread that thinks: it owns the session, so that a long thought never blocks the stream.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use crate::session::Session;
use crate::wire::item::Item as Arm;
use crate::wire::{Item, PlayRequest};

/// Answers of one message go out in one message; but who takes long over each decision would make
/// the first ones wait for the last, so what is ready goes out after this time.
const SLICE: Duration = Duration::from_millis(20);

/// What the stream has brought.
pub enum Event {
    /// The arena has accepted the Hello on the stream of this number.
    Welcome {
        /// Counts the streams of this process.
        stream: u32,
        /// Whether the session goes on.
        resumed: bool,
    },
    /// Items, and when they came.
    Items(Vec<Item>, Instant),
}

/// What is to be sent, and on which stream.
pub struct Ready {
    /// The stream whose Welcome the answers belong to.
    pub stream: u32,
    /// The message.
    pub request: PlayRequest,
}

/// The thinking side of the connection.
pub struct Player {
    session: Session,
    ready: UnboundedSender<Ready>,
    leaving: Arc<AtomicBool>,
    stream: u32,
    sent_at: Instant,
}

impl Player {
    /// A player that sends to `ready`, and that stops at the next item once `leaving` is set.
    pub fn new(session: Session, ready: UnboundedSender<Ready>, leaving: Arc<AtomicBool>) -> Self {
        Self {
            session,
            ready,
            leaving,
            stream: 0,
            sent_at: Instant::now(),
        }
    }

    /// Thinks until the other side of `events` is gone.
    pub fn run(mut self, events: &Receiver<Event>) {
        while let Ok(event) = events.recv() {
            match event {
                Event::Welcome { stream, resumed } => self.welcome(stream, resumed),
                Event::Items(items, arrived) => self.take(items, arrived),
            }
        }
    }

    fn welcome(&mut self, stream: u32, resumed: bool) {
        self.stream = stream;
        if resumed {
            self.session.resume();
        } else {
            self.session.begin();
        }
    }

    fn take(&mut self, items: Vec<Item>, arrived: Instant) {
        let mut started = Instant::now();
        for mut item in items {
            if self.leaving.load(Ordering::Relaxed) {
                return;
            }
            // A decision's limit counts from its arrival or the last answer, the later of them.
            take_off(&mut item, arrived.max(self.sent_at).elapsed());
            self.session.take(item);
            if self.session.has_answers() && started.elapsed() > SLICE {
                self.send();
                started = Instant::now();
            }
        }
        self.send();
    }

    fn send(&mut self) {
        while let Some(request) = self.session.request() {
            self.sent_at = Instant::now();
            // Nobody takes it any more where the bot is about to end.
            let _ = self.ready.send(Ready {
                stream: self.stream,
                request,
            });
        }
    }
}

/// Takes the time that a question has waited here off the time that is left for it.
fn take_off(item: &mut Item, waited: Duration) {
    if let Some(Arm::Decision(decision)) = &mut item.item {
        let waited = u32::try_from(waited.as_millis()).unwrap_or(u32::MAX);
        decision.time_left_ms = decision.time_left_ms.saturating_sub(waited);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Action, Decision};

    fn question(decision_id: u32) -> Item {
        let decision = Decision {
            decision_id,
            time_left_ms: 100,
            legal: vec![Action::default()],
            ..Decision::default()
        };
        Item {
            sequence: decision_id,
            item: Some(Arm::Decision(decision)),
        }
    }

    #[test]
    fn waiting_is_taken_off_the_time_left() {
        for (waited, left) in [(30, 70), (500, 0)] {
            let mut item = question(1);
            take_off(&mut item, Duration::from_millis(waited));
            assert!(matches!(item.item, Some(Arm::Decision(d)) if d.time_left_ms == left));
        }
    }

    #[test]
    fn answers_carry_the_number_of_their_stream() {
        let session = Session::new(Box::new(|_, d| d.legal[0]), Box::new(|_| {}));
        let (ready, mut sent) = tokio::sync::mpsc::unbounded_channel();
        let (event, events) = std::sync::mpsc::channel();
        event
            .send(Event::Welcome {
                stream: 3,
                resumed: false,
            })
            .unwrap();
        event
            .send(Event::Items(vec![question(1), question(2)], Instant::now()))
            .unwrap();
        drop(event);
        Player::new(session, ready, Arc::default()).run(&events);
        let sent = sent.try_recv().unwrap();
        assert_eq!((sent.stream, sent.request.acknowledged), (3, 2));
    }

    #[test]
    fn who_leaves_does_not_think_on() {
        let session = Session::new(Box::new(|_, d| d.legal[0]), Box::new(|_| {}));
        let (ready, mut sent) = tokio::sync::mpsc::unbounded_channel();
        let leaving = Arc::new(AtomicBool::new(true));
        let mut player = Player::new(session, ready, leaving);
        player.take(vec![question(1)], Instant::now());
        assert!(sent.try_recv().is_err());
    }
}
