// What a bot trusts and shows where the arena speaks TLS: files, checked before they are used.
#pragma once

#include <string>

#include "address.h"

namespace euchre {

// In PEM; empty where there is none. Without authorities gRPC's own list is used.
struct Identity {
  std::string authorities;
  std::string key;
  std::string certificate;
};

// Paths of the files, empty where there is none.
struct IdentityFiles {
  std::string authorities;
  std::string certificate;
  std::string key;
};

// What to trust and show at an address. Throws UsageError where a file cannot be used.
Identity identity_at(const Address& address, const IdentityFiles& files);

}  // namespace euchre
