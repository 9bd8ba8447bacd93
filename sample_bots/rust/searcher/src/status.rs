//! What the status of a stream means to a bot.

use tonic::{Code, Status};

/// Why the arena does not want the bot, one sentence without its full stop; None where trying
/// again may help.
pub fn refusal(status: &Status) -> Option<String> {
    let final_code = match status.code() {
        Code::Unauthenticated
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::InvalidArgument
        | Code::Unimplemented => true,
        Code::ResourceExhausted => !says_when(status.message()),
        _ => false,
    };
    final_code.then(|| match status.message().trim_end_matches('.') {
        "" => name(status.code()),
        reason => reason.to_owned(),
    })
}

/// Whether the sentence ends with `try again in N s`: the arena is busy, not unwilling.
fn says_when(sentence: &str) -> bool {
    let sentence = sentence.trim_end_matches('.');
    let rest = sentence
        .strip_suffix(" s")
        .and_then(|rest| rest.rsplit_once("try again in "));
    rest.is_some_and(|(_, number)| number.parse::<f64>().is_ok())
}

/// A code in words, such as `failed precondition`.
pub fn name(code: Code) -> String {
    let mut words = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_codes_are_final() {
        let status = Status::unauthenticated("the token is not known.");
        assert_eq!(refusal(&status).as_deref(), Some("the token is not known"));
        assert_eq!(
            refusal(&Status::unimplemented("")).as_deref(),
            Some("unimplemented")
        );
        assert_eq!(refusal(&Status::unavailable("away")), None);
        assert_eq!(refusal(&Status::ok("")), None);
    }

    #[test]
    fn a_busy_arena_is_asked_again() {
        let busy = Status::resource_exhausted("too many Hellos; try again in 2.5 s");
        assert_eq!(refusal(&busy), None);
        assert!(refusal(&Status::resource_exhausted("a flood of messages")).is_some());
    }

    #[test]
    fn codes_have_names() {
        assert_eq!(name(Code::Ok), "ok");
        assert_eq!(name(Code::FailedPrecondition), "failed precondition");
    }
}
