//! A bot as a program.
//!
//! Exit codes: 0 the session ended in order (the arena said goodbye, or SIGTERM or SIGINT came),
//! 1 the arena could not be reached (any more) or the bot has a bug, 2 wrong usage, 3 the arena
//! refused the bot. Each is one sentence on standard error.

mod address;
mod cards;
mod client;
mod dial;
mod options;
mod player;
mod say;
mod session;
mod status;
mod strategy;
mod trust;
mod wire;

use std::panic;
use std::process::{ExitCode, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc as async_mpsc, watch};
use tokio::time::timeout;
use tonic::transport::Endpoint;

use crate::client::{Client, Failure};
use crate::options::{Defaults, Options};
use crate::player::Player;
use crate::say::say;
use crate::session::Session;

const FAILED: u8 = 1;
const USAGE: u8 = 2;
const REFUSED: u8 = 3;
const KILLED: i32 = 128;

/// How long the end waits for a decision that is still thought over.
const LAST_THOUGHT: Duration = Duration::from_secs(2);

const DEFAULTS: Defaults = Defaults {
    name: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    tables: strategy::TABLES,
};

fn main() -> ExitCode {
    panic::set_hook(Box::new(|bug| {
        let bug = bug.to_string().replace('\n', " ");
        say(&format!("{}: a bug: {bug}", DEFAULTS.name));
    }));
    let variable = |name: &str| std::env::var(name).ok();
    let options = match options::read(std::env::args().skip(1), variable, DEFAULTS) {
        Ok(options) => options,
        Err(sentence) => return end(&format!("{}: {sentence}", DEFAULTS.name), USAGE),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => {
            let code = runtime.block_on(run(options));
            // A thought that does not end must not keep the process.
            runtime.shutdown_background();
            code
        }
        Err(error) => end(&format!("{}: cannot start: {error}", DEFAULTS.name), FAILED),
    }
}

fn end(sentence: &str, code: u8) -> ExitCode {
    say(sentence);
    ExitCode::from(code)
}

async fn run(options: Options) -> ExitCode {
    let endpoint = match dial::endpoint(&options.address, &options.files) {
        Ok(endpoint) => endpoint,
        Err(sentence) => return end(&format!("{}: {sentence}", DEFAULTS.name), USAGE),
    };
    match play(options, endpoint).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Refused(sentence)) => end(&sentence, REFUSED),
        Err(Failure::Lost(sentence)) => end(&sentence, FAILED),
        Err(Failure::Bug) => ExitCode::from(FAILED),
    }
}

/// Plays one session: this task has the stream, a thread thinks.
async fn play(options: Options, endpoint: Endpoint) -> Result<(), Failure> {
    let leave = leave_on_signals();
    let leaving = Arc::new(AtomicBool::new(false));
    let (events, inbox) = mpsc::channel();
    let (outbox, ready) = async_mpsc::unbounded_channel();
    let session = Session::new(Box::new(strategy::act), Box::new(say));
    let player = Player::new(session, outbox, Arc::clone(&leaving));
    let thinking = tokio::task::spawn_blocking(move || player.run(&inbox));
    let end = Client::new(options, endpoint, events, ready, leave)
        .play()
        .await;
    leaving.store(true, Ordering::Relaxed);
    match timeout(LAST_THOUGHT, thinking).await {
        Ok(Err(_)) => Err(Failure::Bug),
        Ok(Ok(())) | Err(_) => end,
    }
}

/// The first SIGTERM or SIGINT says goodbye; the second ends a bot that is stuck.
fn leave_on_signals() -> watch::Receiver<bool> {
    let (leave, asked) = watch::channel(false);
    for (kind, number) in [(SignalKind::terminate(), 15), (SignalKind::interrupt(), 2)] {
        match signal(kind) {
            Ok(signals) => drop(tokio::spawn(heed(signals, number, leave.clone()))),
            Err(error) => say(&format!("signal {number} cannot be heeded: {error}")),
        }
    }
    asked
}

async fn heed(mut signals: Signal, number: i32, leave: watch::Sender<bool>) {
    while signals.recv().await.is_some() {
        if leave.send_replace(true) {
            exit(KILLED + number);
        }
    }
}
