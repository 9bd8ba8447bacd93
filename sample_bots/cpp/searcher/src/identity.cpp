#include "identity.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "errors.h"

namespace euchre {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Bio = std::unique_ptr<BIO, Free>;
using Certificate = std::unique_ptr<X509, Free>;
using Key = std::unique_ptr<EVP_PKEY, Free>;

std::string read_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    const char* reason = errno != 0 ? std::strerror(errno) : "it is no file";
    throw UsageError(path + " cannot be read: " + reason);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

Bio as_bio(const std::string& content) {
  return Bio(BIO_new_mem_buf(content.data(), static_cast<int>(content.size())));
}

// Nobody is there to say a passphrase.
int no_passphrase(char*, int, int, void*) { return -1; }

Certificate parse_certificate(const std::string& path, const std::string& content) {
  Certificate certificate(PEM_read_bio_X509(as_bio(content).get(), nullptr, nullptr, nullptr));
  if (!certificate) throw UsageError(path + " holds no certificate in PEM");
  return certificate;
}

std::string read_certificates(const std::string& path) {
  std::string content = read_file(path);
  parse_certificate(path, content);
  return content;
}

// gRPC itself would only fail to connect, without a word why.
void check_pair(const IdentityFiles& files, const Identity& identity) {
  const Certificate certificate = parse_certificate(files.certificate, identity.certificate);
  const Key key(
      PEM_read_bio_PrivateKey(as_bio(identity.key).get(), nullptr, no_passphrase, nullptr));
  if (!key || X509_check_private_key(certificate.get(), key.get()) != 1) {
    throw UsageError(files.key + " is no private key in PEM without a passphrase that fits " +
                     files.certificate);
  }
}

Identity read_identity(const IdentityFiles& files) {
  if (files.certificate.empty() != files.key.empty()) {
    throw UsageError("a certificate needs its key: give both of ARENA_TLS_CERT, ARENA_TLS_KEY");
  }
  Identity identity;
  if (!files.authorities.empty()) identity.authorities = read_certificates(files.authorities);
  if (files.certificate.empty()) return identity;
  identity.certificate = read_certificates(files.certificate);
  identity.key = read_file(files.key);
  check_pair(files, identity);
  return identity;
}

}  // namespace

Identity identity_at(const Address& address, const IdentityFiles& files) {
  if (address.tls) return read_identity(files);
  const bool given = !files.authorities.empty() || !files.certificate.empty();
  if (given && !address.local) {
    throw UsageError("there are files for TLS, but " + address.text() +
                     " is dialled without it: write tls:" + address.text());
  }
  return {};
}

}  // namespace euchre
