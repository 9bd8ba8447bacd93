#include "channel.h"

#include <regex>

namespace euchre {
namespace {

constexpr int kFirstWaitMs = 100;
constexpr int kMostWaitMs = 1000;
constexpr int kPingEveryMs = 30'000;
constexpr int kPingTimeoutMs = 10'000;

grpc::ChannelArguments arguments_for(const Address& address) {
  grpc::ChannelArguments arguments;
  // The channel's own waits must not be longer than ours.
  arguments.SetInt("grpc.initial_reconnect_backoff_ms", kFirstWaitMs);
  arguments.SetInt("grpc.max_reconnect_backoff_ms", kMostWaitMs);
  if (address.local) {
    arguments.SetInt("grpc.enable_http_proxy", 0);
    return arguments;
  }
  arguments.SetInt("grpc.keepalive_time_ms", kPingEveryMs);
  // Both: the keepalive timeout alone may have no effect.
  arguments.SetInt("grpc.keepalive_timeout_ms", kPingTimeoutMs);
  arguments.SetInt("grpc.http2.ping_timeout_ms", kPingTimeoutMs);
  arguments.SetInt("grpc.http2.max_pings_without_data", 0);
  return arguments;
}

std::shared_ptr<grpc::ChannelCredentials> credentials_of(const Options& options) {
  if (!options.address.tls) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions identity;
  identity.pem_root_certs = options.identity.authorities;
  identity.pem_private_key = options.identity.key;
  identity.pem_cert_chain = options.identity.certificate;
  return grpc::SslCredentials(identity);
}

// The arena says when to try again: it is busy, not unwilling.
bool says_when(const std::string& sentence) {
  static const std::regex pattern(R"(try again in [0-9.]+ s\.?$)");
  return std::regex_search(sentence, pattern);
}

}  // namespace

std::shared_ptr<grpc::Channel> dial(const Options& options) {
  return grpc::CreateCustomChannel(options.address.target, credentials_of(options),
                                   arguments_for(options.address));
}

bool is_final(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::UNIMPLEMENTED:
      return true;
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return !says_when(status.error_message());
    default:
      return false;
  }
}

std::string name_of(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::OK:
      return "it hung up";
    case grpc::StatusCode::CANCELLED:
      return "cancelled";
    case grpc::StatusCode::UNAVAILABLE:
      return "unavailable";
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return "deadline exceeded";
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return "resource exhausted";
    case grpc::StatusCode::FAILED_PRECONDITION:
      return "failed precondition";
    case grpc::StatusCode::UNAUTHENTICATED:
      return "unauthenticated";
    case grpc::StatusCode::PERMISSION_DENIED:
      return "permission denied";
    case grpc::StatusCode::INVALID_ARGUMENT:
      return "invalid argument";
    case grpc::StatusCode::UNIMPLEMENTED:
      return "unimplemented";
    default:
      return "status " + std::to_string(code);
  }
}

}  // namespace euchre
