//! Whom to trust behind TLS: the authorities in a file, and the very certificates in it.
//!
//! An arena may show a certificate that is its own authority. Rustls takes no authority for a
//! server, so such a one is compared with those in the file; that it is there says enough, but
//! for the name.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// The certificates of a file, and the usual judgement with them as authorities.
#[derive(Debug)]
pub struct Trust {
    known: Vec<CertificateDer<'static>>,
    usual: Arc<WebPkiServerVerifier>,
}

impl Trust {
    /// Trust in the certificates of a text in PEM; None where it holds none.
    pub fn of(pem: &[u8]) -> Option<Arc<Self>> {
        let known: Vec<_> = CertificateDer::pem_slice_iter(pem)
            .collect::<Result<_, _>>()
            .ok()?;
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(known.iter().cloned());
        let provider = Arc::new(default_provider());
        let usual = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        Some(Arc::new(Self {
            known,
            usual: usual.build().ok()?,
        }))
    }
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        stapled: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.known.contains(shown) {
            verify_server_name(&ParsedCertificate::try_from(shown)?, name)?;
            return Ok(ServerCertVerified::assertion());
        }
        self.usual
            .verify_server_cert(shown, between, name, stapled, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, shown, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, shown, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its own authority, for `localhost`.
    const ARENA: &[u8] = include_bytes!("trust/arena.pem");
    const STRANGER: &[u8] = include_bytes!("trust/stranger.pem");

    fn judge(trusted: &[u8], shown: &[u8], name: &'static str) -> Result<(), Error> {
        let shown = CertificateDer::from_pem_slice(shown).unwrap();
        let name = ServerName::try_from(name).unwrap();
        let trust = Trust::of(trusted).unwrap();
        trust
            .verify_server_cert(&shown, &[], &name, &[], UnixTime::now())
            .map(drop)
    }

    #[test]
    fn a_certificate_in_the_file_is_trusted_for_its_name() {
        assert_eq!(judge(ARENA, ARENA, "localhost"), Ok(()));
        assert!(judge(ARENA, ARENA, "arena.example").is_err());
    }

    #[test]
    fn a_strangers_certificate_is_not() {
        assert!(judge(ARENA, STRANGER, "localhost").is_err());
    }

    #[test]
    fn a_text_without_certificates_is_no_trust() {
        assert!(Trust::of(b"").is_none() && Trust::of(b"[package]").is_none());
    }
}
