package bot

import io.grpc.ChannelCredentials
import io.grpc.TlsChannelCredentials
import java.io.IOException
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.security.GeneralSecurityException
import java.security.KeyFactory
import java.security.Signature
import java.security.cert.Certificate
import java.security.cert.CertificateException
import java.security.cert.CertificateFactory
import java.security.spec.PKCS8EncodedKeySpec
import java.util.Base64
import kotlin.io.path.readBytes

/**
 * Whom the bot trusts and what it shows where the arena speaks TLS: what stood in PEM files, looked
 * at before it is used.
 */
class Identity private constructor(
    private val authority: ByteArray?,
    private val shown: Shown?,
) {
    /** The bot's own certificate and its private key. */
    private class Shown(
        val certificate: ByteArray,
        val key: ByteArray,
    )

    /** The credentials for the channel. */
    fun credentials(): ChannelCredentials =
        TlsChannelCredentials
            .newBuilder()
            .apply {
                authority?.let { trustManager(it.inputStream()) }
                shown?.let { keyManager(it.certificate.inputStream(), it.key.inputStream()) }
            }.build()

    companion object {
        private val NOTHING = Identity(null, null)

        /** What to trust and show at an address; the rest are paths, empty where there is none. */
        fun read(
            address: Address,
            authority: String,
            certificate: String,
            key: String,
        ): Identity {
            if (!address.tls) {
                if ((authority + certificate).isNotEmpty() && !address.local) {
                    throw UsageException(
                        "there are files for TLS, but $address is dialled without it: write tls:$address",
                    )
                }
                return NOTHING
            }
            if (certificate.isEmpty() != key.isEmpty()) {
                throw UsageException("a certificate needs its key: give both of ARENA_TLS_CERT, ARENA_TLS_KEY")
            }
            return Identity(
                authority =
                    if (authority.isEmpty()) {
                        null
                    } else {
                        readFile(
                            authority,
                        ).also { certificateIn(authority, it) }
                    },
                shown = if (certificate.isEmpty()) null else readShown(certificate, key),
            )
        }

        private fun readShown(
            certificate: String,
            key: String,
        ): Shown {
            val shown = Shown(readFile(certificate), readFile(key))
            if (!isPair(certificateIn(certificate, shown.certificate), shown.key)) {
                throw UsageException(
                    "$key is no private key in PEM (PKCS 8) without a passphrase that fits $certificate",
                )
            }
            return shown
        }
    }
}

private fun readFile(path: String): ByteArray =
    try {
        Path.of(path).readBytes()
    } catch (error: NoSuchFileException) {
        throw UsageException("${error.file} cannot be read: no such file")
    } catch (error: IOException) {
        throw UsageException("$path cannot be read: ${error.message}")
    }

/** The first certificate of a file. */
private fun certificateIn(
    path: String,
    content: ByteArray,
): Certificate {
    val all =
        try {
            CertificateFactory.getInstance("X.509").generateCertificates(content.inputStream())
        } catch (_: CertificateException) {
            emptyList()
        }
    return all.firstOrNull() ?: throw UsageException("$path holds no certificate in PEM")
}

/** Whether the key is that of the certificate: what the one signs, the other recognizes. */
private fun isPair(
    certificate: Certificate,
    key: ByteArray,
): Boolean {
    val shown = certificate.publicKey
    return try {
        val bytes = Base64.getMimeDecoder().decode(key.decodeToString().replace(Regex("-----[^-]*-----"), ""))
        val kept = KeyFactory.getInstance(shown.algorithm).generatePrivate(PKCS8EncodedKeySpec(bytes))
        val signature = Signature.getInstance(signatureFor(shown.algorithm))
        signature.initSign(kept)
        val signed = signature.sign()
        signature.initVerify(shown)
        signature.verify(signed)
    } catch (_: GeneralSecurityException) {
        false
    } catch (_: IllegalArgumentException) {
        false
    }
}

private fun signatureFor(algorithm: String) =
    when (algorithm) {
        "RSA" -> "SHA256withRSA"
        "EC" -> "SHA256withECDSA"
        else -> algorithm
    }
