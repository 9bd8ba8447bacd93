//! Where the bot plays and as what: environment variables, and flags that override them.
//!
//! The README lists them.

use crate::address::Address;
use crate::wire::{Chair, Lane};

/// The most tables that a session may announce.
const MAX_TABLES: u32 = 1024;

/// What the bot was asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the arena listens.
    pub address: Address,
    /// The bot's token.
    pub token: String,
    /// Which seat of its side; unspecified: as the token fixes it.
    pub chair: Chair,
    /// Which half of each set; unspecified: as the token fixes it, or both.
    pub lane: Lane,
    /// The bot's name.
    pub name: String,
    /// Its version label.
    pub version: String,
    /// How many games at once.
    pub tables: u32,
    /// Files for TLS.
    pub files: TlsFiles,
}

/// Paths of files in PEM; empty where there is none.
#[derive(Clone, Debug, Default)]
pub struct TlsFiles {
    /// Whom to trust.
    pub authorities: String,
    /// The bot's own certificate.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

/// What holds where neither a flag nor a variable says anything.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// The bot's name.
    pub name: &'static str,
    /// Its version label.
    pub version: &'static str,
    /// Tables to announce.
    pub tables: u32,
}

/// The flags, and the variables that they override.
const FLAGS: [(&str, &str); 10] = [
    ("--address", "ARENA_ADDR"),
    ("--tls-ca", "ARENA_TLS_CA"),
    ("--tls-cert", "ARENA_TLS_CERT"),
    ("--tls-key", "ARENA_TLS_KEY"),
    ("--token", "ARENA_TOKEN"),
    ("--chair", "ARENA_CHAIR"),
    ("--lane", "ARENA_LANE"),
    ("--name", "ARENA_NAME"),
    ("--version-label", "ARENA_VERSION"),
    ("--tables", ""),
];

/// The options of a command line, or one sentence about what is wrong with it.
pub fn read(
    arguments: impl IntoIterator<Item = String>,
    variable: impl Fn(&str) -> Option<String>,
    defaults: Defaults,
) -> Result<Options, String> {
    let mut values = FLAGS.map(|(_, name)| variable(name).unwrap_or_default());
    let [.., name, version, tables] = &mut values;
    for (value, default) in [(name, defaults.name), (version, defaults.version)] {
        if value.is_empty() {
            *value = default.into();
        }
    }
    *tables = defaults.tables.to_string();
    take_flags(arguments, &mut values)?;
    checked(values)
}

/// Puts what the flags say over what the variables said.
fn take_flags(
    arguments: impl IntoIterator<Item = String>,
    values: &mut [String; 10],
) -> Result<(), String> {
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (flag, given) = match argument.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        let place = FLAGS
            .iter()
            .position(|(name, _)| *name == flag)
            .ok_or_else(|| format!("unrecognized arguments: {argument}; there are {}", names()))?;
        let missing = || format!("argument {flag}: expected one argument");
        values[place] = given
            .or_else(|| arguments.next().filter(|value| !value.starts_with("--")))
            .ok_or_else(missing)?;
    }
    Ok(())
}

fn names() -> String {
    FLAGS.map(|(flag, _)| flag).join(" ")
}

fn checked(values: [String; 10]) -> Result<Options, String> {
    let [
        address,
        authorities,
        certificate,
        key,
        token,
        chair,
        lane,
        name,
        version,
        tables,
    ] = values;
    if address.is_empty() {
        return Err(
            "where is the arena? set ARENA_ADDR or give --address HOST:PORT, \
                    tls:HOST:PORT or unix:PATH"
                .into(),
        );
    }
    if token.is_empty() {
        return Err("the arena wants a token; set ARENA_TOKEN or give --token".into());
    }
    if !(1..=64).contains(&name.chars().count()) || version.chars().count() > 64 {
        return Err("a bot's name has 1 to 64 characters, its version label at most 64".into());
    }
    Ok(Options {
        address: Address::parse(&address)?,
        token,
        chair: one_of(
            "chair",
            [("first", Chair::First), ("second", Chair::Second)],
            &chair,
        )?,
        lane: one_of("lane", [("a", Lane::A), ("b", Lane::B)], &lane)?,
        name,
        version,
        tables: table_count(&tables)?,
        files: TlsFiles {
            authorities,
            certificate,
            key,
        },
    })
}

fn one_of<T: Copy + Default>(what: &str, choices: [(&str, T); 2], text: &str) -> Result<T, String> {
    if text.is_empty() {
        return Ok(T::default());
    }
    let found = choices
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let [(one, _), (other, _)] = choices;
        format!("the {what} must be '{one}' or '{other}', not '{text}'")
    })
}

fn table_count(text: &str) -> Result<u32, String> {
    let count = text
        .parse::<i64>()
        .map_err(|_| format!("argument --tables: invalid int value: '{text}'"))?;
    u32::try_from(count)
        .ok()
        .filter(|count| (1..=MAX_TABLES).contains(count))
        .ok_or_else(|| format!("--tables must be from 1 to {MAX_TABLES}, not {count}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: Defaults = Defaults {
        name: "bot",
        version: "1",
        tables: 64,
    };

    fn read_with(flags: &[&str], variables: &[(&str, &str)]) -> Result<Options, String> {
        let look_up = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        read(flags.iter().map(ToString::to_string), look_up, DEFAULTS)
    }

    const PLACE: [(&str, &str); 2] = [("ARENA_ADDR", "host:1"), ("ARENA_TOKEN", "secret")];

    #[test]
    fn the_environment_is_enough() {
        let options = read_with(&[], &PLACE).unwrap();
        assert_eq!(options.address.target, "host:1");
        assert_eq!(
            (options.token.as_str(), options.name.as_str()),
            ("secret", "bot")
        );
        assert_eq!(
            (options.chair, options.lane),
            (Chair::Unspecified, Lane::Unspecified)
        );
        assert_eq!((options.version.as_str(), options.tables), ("1", 64));
    }

    #[test]
    fn a_flag_wins_over_its_variable() {
        let flags = [
            "--address",
            "unix:x",
            "--chair=Second",
            "--lane",
            "b",
            "--tables",
            "3",
        ];
        let options = read_with(&flags, &[PLACE[1], ("ARENA_CHAIR", "first")]).unwrap();
        assert_eq!(options.address.target, "unix:x");
        assert_eq!(
            (options.chair, options.lane, options.tables),
            (Chair::Second, Lane::B, 3)
        );
    }

    #[test]
    fn mistakes_are_said_in_one_sentence() {
        let cases: [(&[&str], &str); 8] = [
            (&["--address="], "where is the arena?"),
            (&["--token", ""], "wants a token"),
            (&["--tables", "0"], "--tables must be from 1 to 1024, not 0"),
            (&["--tables", "many"], "invalid int value: 'many'"),
            (
                &["--chair", "third"],
                "the chair must be 'first' or 'second', not 'third'",
            ),
            (&["--colour", "red"], "unrecognized arguments: --colour"),
            (&["--lane"], "argument --lane: expected one argument"),
            (&["--name="], "a bot's name has 1 to 64 characters"),
        ];
        for (flags, sentence) in cases {
            let said = read_with(flags, &PLACE).unwrap_err();
            assert!(said.contains(sentence), "{flags:?}: {said}");
        }
    }
}
