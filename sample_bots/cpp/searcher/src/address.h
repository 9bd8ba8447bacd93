// Where the arena listens.
#pragma once

#include <string>
#include <string_view>

namespace euchre {

struct Address {
  // As gRPC wants it.
  std::string target;
  // This machine: no proxy, no keepalive.
  bool local = false;
  bool tls = false;

  // As it was written.
  std::string text() const;
  bool is_socket() const;
};

// The address that `text` names: HOST:PORT, tls:HOST:PORT or unix:PATH. Throws UsageError.
Address parse_address(std::string_view text);

}  // namespace euchre
