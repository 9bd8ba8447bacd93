//! Where the arena listens: `HOST:PORT`, `tls:HOST:PORT` or `unix:PATH`.

use std::fmt;

const TLS: &str = "tls:";
const UNIX: &str = "unix:";

/// An address that can be dialled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// `HOST:PORT` or `unix:PATH`.
    pub target: String,
    /// On this machine: no keepalive is needed.
    pub local: bool,
    /// Whether TLS is spoken there.
    pub tls: bool,
}

impl Address {
    /// The address that `text` names, or one sentence about why it names none.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix(UNIX) {
            return unix(text, path);
        }
        let target = text.strip_prefix(TLS).unwrap_or(text);
        let host = host_of(target).ok_or_else(|| {
            format!("'{text}' is no address; write HOST:PORT, tls:HOST:PORT or unix:PATH")
        })?;
        Ok(Self {
            target: target.into(),
            local: is_loopback(host),
            tls: text.starts_with(TLS),
        })
    }

    /// Whether it is a Unix socket, which is how the arena starts bots itself.
    pub fn is_unix(&self) -> bool {
        self.target.starts_with(UNIX)
    }

    /// The host without port and brackets: what a certificate must be for.
    pub fn host(&self) -> &str {
        host_of(&self.target)
            .unwrap_or_default()
            .trim_matches(['[', ']'])
    }

    /// The same as the URI that tonic wants.
    pub fn uri(&self) -> String {
        match (self.is_unix(), self.tls) {
            (true, _) => self.target.clone(),
            (false, true) => format!("https://{}", self.target),
            (false, false) => format!("http://{}", self.target),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.tls { TLS } else { "" }, self.target)
    }
}

fn unix(text: &str, path: &str) -> Result<Address, String> {
    if path.strip_prefix("//").unwrap_or(path).is_empty() {
        return Err(format!(
            "the address '{text}' names no socket; write unix:PATH"
        ));
    }
    Ok(Address {
        target: text.into(),
        local: true,
        tls: false,
    })
}

/// The host of `HOST:PORT`, with its brackets; None where it is none.
fn host_of(target: &str) -> Option<&str> {
    let (host, port) = target.rsplit_once(':')?;
    let digits = (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    let in_range = digits && port.parse::<u16>().is_ok_and(|port| port > 0);
    (in_range && is_host(host)).then_some(host)
}

fn is_host(host: &str) -> bool {
    if let Some(inner) = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        let plain = |c: char| c.is_ascii_hexdigit() || c == ':' || c == '.';
        return !inner.is_empty() && inner.chars().all(plain);
    }
    !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || ":[]/".contains(c))
}

fn is_loopback(host: &str) -> bool {
    let quad = || {
        host.parse::<std::net::Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback())
    };
    host == "localhost" || host == "[::1]" || quad()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(text: &str) -> String {
        Address::parse(text).unwrap().uri()
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(uri("arena.example:50051"), "http://arena.example:50051");
        assert_eq!(uri("tls:[2001:db8::1]:443"), "https://[2001:db8::1]:443");
        assert_eq!(uri("unix:/run/ref.sock"), "unix:/run/ref.sock");
        assert_eq!(Address::parse("tls:[::1]:443").unwrap().host(), "::1");
    }

    #[test]
    fn only_this_machine_is_local() {
        let local = |text| Address::parse(text).unwrap().local;
        assert!(local("127.0.0.1:1") && local("localhost:1") && local("tls:[::1]:1"));
        assert!(local("unix:x") && !local("10.0.0.1:1") && !local("localhost.example:1"));
    }

    #[test]
    fn what_is_no_address_is_said_in_one_sentence() {
        for text in [
            "",
            "host",
            "host:",
            "host:0",
            "host:65536",
            "a b:1",
            "::1:5",
            "http://h:1",
        ] {
            let said = Address::parse(text).unwrap_err();
            assert!(
                said.contains("is no address; write HOST:PORT"),
                "{text}: {said}"
            );
        }
        let said = Address::parse("unix://").unwrap_err();
        assert!(said.contains("names no socket"), "{said}");
    }

    #[test]
    fn it_is_shown_as_it_was_written() {
        for text in ["tls:host:1", "host:1", "unix:path"] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
    }
}
