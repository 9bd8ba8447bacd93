//! The connection: one stream, one reader, one writer, and coming back after a break.
//!
//! The end of a stream without a Goodbye is a disconnect, whatever its status. A deadline would
//! cover the whole stream, so there is none.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::Endpoint;
use tonic::{Code, Status, Streaming};

use crate::options::Options;
use crate::player::{Event, Ready};
use crate::say::say;
use crate::status;
use crate::wire::play_request::Message as Ours;
use crate::wire::play_response::Message as Theirs;
use crate::wire::referee_service_client::RefereeServiceClient;
use crate::wire::{Chair, Goodbye, Hello, Lane, PlayRequest, PlayResponse, Welcome};

const PROTOCOL_VERSION: u32 = 1;

/// How long to wait for the arena's side of a Goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// How long to try again: a growing wait between attempts, and an end.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const MOST_WAIT: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a session did not end in order; one sentence.
#[derive(Debug)]
pub enum Failure {
    /// The arena does not want this bot; trying again would not help.
    Refused(String),
    /// The arena cannot be reached, or not any more.
    Lost(String),
    /// The strategy has panicked, and said so.
    Bug,
}

/// Plays one session, over as many streams as it takes.
pub struct Client {
    options: Options,
    endpoint: Endpoint,
    events: Sender<Event>,
    ready: UnboundedReceiver<Ready>,
    leave: watch::Receiver<bool>,
    session_token: String,
    acknowledged: u32,
    stream: u32,
    welcomed: bool,
    over: bool,
    alive_at: Instant,
    wait: Duration,
}

type Outbound = UnboundedSender<PlayRequest>;

impl Client {
    /// A client that hands what comes to `events`, sends what is `ready`, and ends on `leave`.
    pub fn new(
        options: Options,
        endpoint: Endpoint,
        events: Sender<Event>,
        ready: UnboundedReceiver<Ready>,
        leave: watch::Receiver<bool>,
    ) -> Self {
        Self {
            options,
            endpoint,
            events,
            ready,
            leave,
            session_token: String::new(),
            acknowledged: 0,
            stream: 0,
            welcomed: false,
            over: false,
            alive_at: Instant::now(),
            wait: FIRST_WAIT,
        }
    }

    /// Plays until the arena or `leave` ends the session in order.
    pub async fn play(mut self) -> Result<(), Failure> {
        self.alive_at = Instant::now();
        loop {
            let status = match self.converse().await? {
                Ok(()) => Status::ok(""),
                Err(status) => status,
            };
            if self.over || *self.leave.borrow() {
                return Ok(());
            }
            if self.welcomed {
                // Until now the arena was there, even if it said nothing.
                self.alive_at = Instant::now();
            }
            if self.is_fresh_start(&status)? {
                continue;
            }
            self.pause(status.code()).await?;
        }
    }

    /// One stream from its start to its end, and how the stream ended.
    async fn converse(&mut self) -> Result<Result<(), Status>, Failure> {
        self.welcomed = false;
        self.stream += 1;
        let (outbound, requests) = unbounded_channel();
        // Before the call: it returns only with the server's headers.
        let _ = outbound.send(self.hello());
        let endpoint = self.endpoint.clone();
        let opening = async move {
            let channel = endpoint.connect().await;
            let channel = channel.map_err(|error| Status::unavailable(error.to_string()))?;
            let mut client = RefereeServiceClient::new(channel);
            client.play(UnboundedReceiverStream::new(requests)).await
        };
        let opened = tokio::select! {
            opened = opening => opened,
            () = asked(self.leave.clone()) => return Ok(Ok(())),
        };
        match opened {
            Ok(response) => self.exchange(response.into_inner(), outbound).await,
            Err(status) => Ok(Err(status)),
        }
    }

    /// Reads and writes until the stream ends.
    async fn exchange(
        &mut self,
        mut inbound: Streaming<PlayResponse>,
        outbound: Outbound,
    ) -> Result<Result<(), Status>, Failure> {
        loop {
            tokio::select! {
                message = inbound.message() => match message {
                    Ok(Some(response)) => self.take(response),
                    Ok(None) => return Ok(Ok(())),
                    Err(status) => return Ok(Err(status)),
                },
                ready = self.ready.recv() => {
                    self.send(ready.ok_or(Failure::Bug)?, &outbound);
                }
                () = asked(self.leave.clone()) => {
                    part(inbound, outbound).await;
                    return Ok(Ok(()));
                }
            }
            if self.over {
                return Ok(Ok(()));
            }
        }
    }

    fn take(&mut self, response: PlayResponse) {
        match response.message {
            Some(Theirs::Items(items)) => {
                self.alive_at = Instant::now();
                self.wait = FIRST_WAIT;
                // The player is there as long as `ready` is; `exchange` notices its end.
                let _ = self.events.send(Event::Items(items.items, Instant::now()));
            }
            Some(Theirs::Welcome(welcome)) => self.welcome(welcome),
            Some(Theirs::Draining(draining)) => {
                let text = match draining.text.as_str() {
                    "" => "it will stop",
                    text => text,
                };
                say(&format!("the arena says: {text}"));
            }
            Some(Theirs::Goodbye(_)) => self.over = true,
            // A later version's message (the contract: ignore it).
            None => {}
        }
    }

    /// Sends what the player has made, unless it belongs to a stream that has ended.
    fn send(&mut self, ready: Ready, outbound: &Outbound) {
        if ready.stream == self.stream {
            self.acknowledged = ready.request.acknowledged;
            // Where the stream has just ended, its reader says why.
            let _ = outbound.send(ready.request);
        }
    }

    fn welcome(&mut self, welcome: Welcome) {
        if !welcome.resumed {
            self.acknowledged = 0;
        }
        if !self.options.address.is_unix() {
            say(&self.greeting(&welcome));
        }
        self.session_token = welcome.session_token;
        self.welcomed = true;
        let event = Event::Welcome {
            stream: self.stream,
            resumed: welcome.resumed,
        };
        let _ = self.events.send(event);
    }

    fn greeting(&self, welcome: &Welcome) -> String {
        let how = if welcome.resumed {
            "back"
        } else {
            "dialled in"
        };
        let chair = match welcome.chair() {
            Chair::First => "first chair",
            Chair::Second => "second chair",
            Chair::Unspecified => "no chair",
        };
        let lane = match welcome.lane() {
            Lane::A => "lane A",
            Lane::B => "lane B",
            Lane::Unspecified => "both lanes",
        };
        format!("{how} at {}: {chair}, {lane}", self.options.address)
    }

    fn hello(&self) -> PlayRequest {
        let options = &self.options;
        let hello = Hello {
            token: options.token.clone(),
            protocol_version: PROTOCOL_VERSION,
            bot_name: options.name.clone(),
            bot_version: options.version.clone(),
            chair: options.chair.into(),
            lane: options.lane.into(),
            tables: options.tables,
            session_token: self.session_token.clone(),
            hand_results: false,
        };
        let resumes = !self.session_token.is_empty();
        PlayRequest {
            acknowledged: if resumes { self.acknowledged } else { 0 },
            message: Some(Ours::Hello(hello)),
        }
    }

    /// Whether the session is gone, so that a new one is to be asked for at once.
    fn is_fresh_start(&mut self, status: &Status) -> Result<bool, Failure> {
        if status.code() == Code::FailedPrecondition && !self.session_token.is_empty() {
            self.session_token.clear();
            return Ok(true);
        }
        match status::refusal(status) {
            None => Ok(false),
            Some(reason) => Err(Failure::Refused(format!(
                "the arena at {} refused the bot: {reason}",
                self.options.address
            ))),
        }
    }

    /// Waits before the next attempt, as long as patience lasts.
    async fn pause(&mut self, code: Code) -> Result<(), Failure> {
        let address = &self.options.address;
        if self.alive_at.elapsed() >= PATIENCE {
            let certificates = if address.tls {
                ", and do ARENA_TLS_CA, _CERT and _KEY fit?"
            } else {
                "?"
            };
            return Err(Failure::Lost(format!(
                "lost the arena at {address}: {} for {} seconds; is it running there{certificates}",
                status::name(code),
                PATIENCE.as_secs(),
            )));
        }
        let _ = timeout(self.wait, asked(self.leave.clone())).await;
        self.wait = (self.wait * 2).min(MOST_WAIT);
        Ok(())
    }
}

/// Waits until the bot is asked to leave. It gives nothing back: a value of the watch would keep
/// the next signal from being noted, for as long as it lives.
async fn asked(mut leave: watch::Receiver<bool>) {
    let _ = leave.wait_for(|leave| *leave).await;
}

/// Says goodbye, closes this side, and gives the arena a moment to close its own.
async fn part(mut inbound: Streaming<PlayResponse>, outbound: Outbound) {
    let goodbye = Some(Ours::Goodbye(Goodbye::default()));
    let _ = outbound.send(PlayRequest {
        acknowledged: 0,
        message: goodbye,
    });
    drop(outbound);
    let ending = async { while let Ok(Some(_)) = inbound.message().await {} };
    tokio::select! {
        () = ending => {}
        () = sleep(GOODBYE) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_second_signal_is_noted_while_the_bot_leaves() {
        let (leave, heard) = watch::channel(false);
        assert!(!leave.send_replace(true));
        let noted = tokio::select! {
            () = asked(heard) => std::thread::spawn(move || leave.send_replace(true)),
        };
        assert!(noted.join().unwrap());
    }
}
