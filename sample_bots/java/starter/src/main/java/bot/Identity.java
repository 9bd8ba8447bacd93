package bot;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/**
 * Whom the bot trusts and what it shows where the arena speaks TLS: PEM files, looked at before
 * they are used.
 *
 * @param authority whose certificates to trust; empty: the JVM's own list
 * @param certificate the bot's own certificate; empty: none
 * @param key its private key; both or none
 */
public record Identity(String authority, String certificate, String key) {
  private static final Identity NOTHING = new Identity("", "", "");

  /** What to trust and show at an address; an exit with code 2 where the files do not do. */
  static Identity read(Address address, String authority, String certificate, String key)
      throws ExitException {
    if (!address.tls()) {
      if (!(authority + certificate).isEmpty() && !address.local()) {
        throw ExitException.usage(
            String.format(
                "there are files for TLS, but %s is dialled without it: write tls:%s",
                address, address));
      }
      return NOTHING;
    }
    if (certificate.isEmpty() != key.isEmpty()) {
      throw ExitException.usage(
          "a certificate needs its key: give both of ARENA_TLS_CERT, ARENA_TLS_KEY");
    }
    for (String file : new String[] {authority, certificate}) {
      if (!file.isEmpty()) {
        readCertificate(file);
      }
    }
    Identity identity = new Identity(authority, certificate, key);
    if (!certificate.isEmpty() && !identity.isPair()) {
      throw identity.misfit();
    }
    return identity;
  }

  /** Whether the key is that of the certificate: what the one signs, the other recognizes. */
  private boolean isPair() throws ExitException {
    String pem;
    try {
      pem = Files.readString(Path.of(key));
    } catch (IOException error) {
      throw unreadable(error);
    }
    try {
      PublicKey shown = readCertificate(certificate).getPublicKey();
      byte[] bytes = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
      PrivateKey kept =
          KeyFactory.getInstance(shown.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(bytes));
      Signature signature = Signature.getInstance(signatureFor(shown.getAlgorithm()));
      signature.initSign(kept);
      byte[] signed = signature.sign();
      signature.initVerify(shown);
      return signature.verify(signed);
    } catch (GeneralSecurityException | IllegalArgumentException error) {
      return false;
    }
  }

  private static String signatureFor(String algorithm) {
    return switch (algorithm) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> algorithm;
    };
  }

  /** The credentials for the channel. */
  ChannelCredentials credentials() throws ExitException {
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    try {
      if (!authority.isEmpty()) {
        builder.trustManager(open(authority));
      }
      if (!certificate.isEmpty()) {
        builder.keyManager(open(certificate), open(key));
      }
    } catch (IOException error) {
      throw unreadable(error);
    }
    return builder.build();
  }

  /** What to say when the files were read and still will not do. */
  ExitException misfit() {
    return ExitException.usage(
        String.format(
            "%s is no private key in PEM (PKCS 8) without a passphrase that fits %s",
            key, certificate));
  }

  /** The first certificate of a file. */
  private static Certificate readCertificate(String file) throws ExitException {
    try {
      for (Certificate one :
          CertificateFactory.getInstance("X.509").generateCertificates(open(file))) {
        return one;
      }
    } catch (IOException error) {
      throw unreadable(error);
    } catch (CertificateException error) {
      // The sentence below says it.
    }
    throw ExitException.usage(file + " holds no certificate in PEM");
  }

  private static InputStream open(String file) throws IOException {
    return new ByteArrayInputStream(Files.readAllBytes(Path.of(file)));
  }

  private static ExitException unreadable(IOException error) {
    String why = error instanceof NoSuchFileException ? ": no such file" : "";
    return ExitException.usage(error.getMessage() + " cannot be read" + why);
  }
}
