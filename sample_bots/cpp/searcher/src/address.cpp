#include "address.h"

#include <regex>

#include "errors.h"

namespace euchre {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kTls = "tls:";
constexpr int kLastPort = 65535;

Address parse_socket(std::string_view text) {
  std::string_view path = text.substr(kUnix.size());
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty()) {
    throw UsageError("the address '" + std::string(text) + "' names no socket; write unix:PATH");
  }
  return {std::string(text), true, false};
}

bool is_loopback(const std::string& host) {
  static const std::regex pattern(R"(localhost|127(\.\d+){3}|\[::1\])");
  return std::regex_match(host, pattern);
}

}  // namespace

std::string Address::text() const { return tls ? std::string(kTls) + target : target; }

bool Address::is_socket() const { return target.starts_with(kUnix); }

Address parse_address(std::string_view text) {
  if (text.starts_with(kUnix)) return parse_socket(text);
  static const std::regex pattern(R"(([^\s:\[\]/]+|\[[0-9a-fA-F:.]+\]):(\d{1,5}))");
  const bool tls = text.starts_with(kTls);
  const std::string target(tls ? text.substr(kTls.size()) : text);
  std::smatch match;
  const bool fits = std::regex_match(target, match, pattern);
  const int port = fits ? std::stoi(match[2]) : 0;
  if (port < 1 || port > kLastPort) {
    throw UsageError("'" + std::string(text) +
                     "' is no address; write HOST:PORT, tls:HOST:PORT or unix:PATH");
  }
  return {target, is_loopback(match[1]), tls};
}

}  // namespace euchre
