// Where a bot plays and as what: environment variables, and flags that override them.
//
//   ARENA_ADDR       --address        HOST:PORT, tls:HOST:PORT or unix:PATH; needed
//   ARENA_TLS_CA     --tls-ca         whom to trust, a PEM file; else gRPC's own list
//   ARENA_TLS_CERT   --tls-cert       the bot's own certificate, where the arena asks for one
//   ARENA_TLS_KEY    --tls-key        its private key
//   ARENA_TOKEN      --token          the bot's token; needed
//   ARENA_CHAIR      --chair          `first` or `second`; else as the token fixes it
//   ARENA_LANE       --lane           `a` or `b`; else as the token fixes it, or both
//   ARENA_NAME       --name           the bot's name
//   ARENA_VERSION    --version-label  the bot's version
//   (none)           --tables         how many games at once, 1 to 1024
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "address.h"
#include "arena/v1/referee.pb.h"
#include "identity.h"

namespace euchre {

struct Options {
  Address address;
  std::string token;
  arena::v1::Chair chair = arena::v1::CHAIR_UNSPECIFIED;
  arena::v1::Lane lane = arena::v1::LANE_UNSPECIFIED;
  std::string name;
  std::string version;
  int tables = 1;
  Identity identity;
};

// What holds where neither a flag nor a variable says otherwise.
struct Defaults {
  std::string name;
  std::string version;
  int tables = 1;
};

// Looks up an environment variable; empty where it is not set.
using Environment = std::function<std::string(const std::string&)>;

// The environment of this process.
std::string process_environment(const std::string& variable);

// The options of a command line, without the program's name. Throws UsageError.
Options read_options(const std::vector<std::string>& arguments, const Environment& environment,
                     const Defaults& defaults);

}  // namespace euchre
