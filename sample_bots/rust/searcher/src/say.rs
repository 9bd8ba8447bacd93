//! What a bot tells its author, on standard error.

use std::fmt::Write;

/// What is told of a line; the arena's own sentences are shorter.
const MAX_CHARACTERS: usize = 500;

/// Says one line.
pub fn say(line: &str) {
    eprintln!("{}", printable(line));
}

/// A text as one line that is safe to print, whatever an arena made it of: control characters as
/// `\x1b`, and not without end.
fn printable(text: &str) -> String {
    let mut line = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == MAX_CHARACTERS {
            line.push_str("...");
            break;
        }
        if character.is_control() {
            // A String takes whatever is written to it.
            let _ = write!(line, "\\x{:02x}", u32::from(character));
        } else {
            line.push(character);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let raw = "a\0\t\r\nb\u{1b}[31m\u{7f}\u{80}\u{9b}";
        let escaped = r"a\x00\x09\x0d\x0ab\x1b[31m\x7f\x80\x9b";
        assert_eq!(printable(raw), escaped);
    }

    #[test]
    fn all_else_stays() {
        let text = "the 9♣ of 'Zoë' ~ \u{a0} \\";
        assert_eq!(printable(text), text);
    }

    #[test]
    fn a_long_text_is_cut() {
        let most = "é".repeat(MAX_CHARACTERS);
        assert_eq!(printable(&most), most);
        assert_eq!(printable(&format!("{most}é")), format!("{most}..."));
    }
}
