//! What dialling needs: an endpoint with its TLS and its keepalive, checked before it is used.

use std::fs;
use std::time::Duration;

use tonic::transport::{ClientTlsConfig, Endpoint, Identity};

use crate::address::Address;
use crate::options::TlsFiles;
use crate::trust::Trust;

const CONNECT: Duration = Duration::from_secs(10);
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// The endpoint of an address, or one sentence about why there is none.
pub fn endpoint(address: &Address, files: &TlsFiles) -> Result<Endpoint, String> {
    let endpoint = Endpoint::from_shared(address.uri())
        .map_err(|_| format!("'{address}' is no address that can be dialled"))?
        .connect_timeout(CONNECT);
    let endpoint = if address.tls {
        with_tls(endpoint, address, files)?
    } else {
        refuse_unused(address, files)?;
        endpoint
    };
    if address.local {
        return Ok(endpoint);
    }
    Ok(endpoint
        .http2_keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PING_TIMEOUT)
        .keep_alive_while_idle(true))
}

/// Files for TLS would not be looked at where it is not spoken: better to say so.
fn refuse_unused(address: &Address, files: &TlsFiles) -> Result<(), String> {
    let given = !files.authorities.is_empty() || !files.certificate.is_empty();
    if given && !address.local {
        return Err(format!(
            "there are files for TLS, but {address} is dialled without it: write tls:{address}"
        ));
    }
    Ok(())
}

fn with_tls(endpoint: Endpoint, address: &Address, files: &TlsFiles) -> Result<Endpoint, String> {
    let config = identify(files)?.domain_name(address.host());
    let endpoint = if files.authorities.is_empty() {
        endpoint.tls_config(config.with_webpki_roots())
    } else {
        let path = &files.authorities;
        let trust = Trust::of(&read_file(path)?)
            .ok_or_else(|| format!("{path} holds no certificate in PEM"))?;
        endpoint.tls_config_with_verifier(config, trust)
    };
    endpoint.map_err(|error| format!("TLS cannot be set up: {error}"))
}

/// What the bot shows of itself.
fn identify(files: &TlsFiles) -> Result<ClientTlsConfig, String> {
    let TlsFiles {
        certificate, key, ..
    } = files;
    if certificate.is_empty() != key.is_empty() {
        return Err(
            "a certificate needs its key: give both of ARENA_TLS_CERT, ARENA_TLS_KEY".into(),
        );
    }
    let config = ClientTlsConfig::new();
    if certificate.is_empty() {
        return Ok(config);
    }
    let config = config.identity(Identity::from_pem(read_file(certificate)?, read_file(key)?));
    usable(config.clone()).map_err(|_| {
        format!("{key} is no private key in PEM without a passphrase that fits {certificate}")
    })?;
    Ok(config)
}

fn read_file(path: &str) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{path} cannot be read: {error}"))
}

/// Whether the library takes this; it reads PEM only when an endpoint is made.
fn usable(config: ClientTlsConfig) -> Result<(), tonic::transport::Error> {
    Endpoint::from_static("https://localhost")
        .tls_config(config)
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(address: &str, files: &TlsFiles) -> String {
        endpoint(&Address::parse(address).unwrap(), files).unwrap_err()
    }

    #[test]
    fn files_for_tls_are_refused_where_it_is_not_spoken() {
        let files = TlsFiles {
            authorities: "ca.pem".into(),
            ..TlsFiles::default()
        };
        assert!(refusal("arena.example:1", &files).ends_with("write tls:arena.example:1"));
        let local = Address::parse("127.0.0.1:1").unwrap();
        assert!(endpoint(&local, &files).is_ok());
    }

    #[test]
    fn a_certificate_needs_its_key() {
        let files = TlsFiles {
            certificate: "bot.pem".into(),
            ..TlsFiles::default()
        };
        assert!(refusal("tls:localhost:1", &files).starts_with("a certificate needs its key"));
    }

    #[test]
    fn a_file_without_certificates_is_named() {
        let files = TlsFiles {
            authorities: "Cargo.toml".into(),
            ..TlsFiles::default()
        };
        assert_eq!(
            refusal("tls:h:1", &files),
            "Cargo.toml holds no certificate in PEM"
        );
        let files = TlsFiles {
            authorities: "no/such.pem".into(),
            ..TlsFiles::default()
        };
        assert!(refusal("tls:h:1", &files).starts_with("no/such.pem cannot be read"));
    }

    #[tokio::test]
    async fn unix_and_tls_addresses_make_endpoints() {
        for text in ["unix:/run/ref.sock", "tls:[::1]:1", "arena.example:1"] {
            let address = Address::parse(text).unwrap();
            assert!(endpoint(&address, &TlsFiles::default()).is_ok(), "{text}");
        }
    }
}
