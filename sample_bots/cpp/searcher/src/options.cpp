#include "options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>

#include "errors.h"

namespace euchre {
namespace {

constexpr int kMaxTables = 1024;
constexpr std::size_t kMaxCharacters = 64;

using Flags = std::map<std::string, std::string>;

Flags flags_of(const Environment& environment, const Defaults& defaults) {
  const auto look_up = [&](const char* variable, const std::string& otherwise) {
    std::string value = environment(variable);
    return value.empty() ? otherwise : value;
  };
  return {
      {"--address", environment("ARENA_ADDR")},
      {"--tls-ca", environment("ARENA_TLS_CA")},
      {"--tls-cert", environment("ARENA_TLS_CERT")},
      {"--tls-key", environment("ARENA_TLS_KEY")},
      {"--token", environment("ARENA_TOKEN")},
      {"--chair", environment("ARENA_CHAIR")},
      {"--lane", environment("ARENA_LANE")},
      {"--name", look_up("ARENA_NAME", defaults.name)},
      {"--version-label", look_up("ARENA_VERSION", defaults.version)},
      {"--tables", std::to_string(defaults.tables)},
  };
}

// Both `--flag value` and `--flag=value`; the last one counts.
void read_arguments(Flags& flags, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find('=');
    const auto flag = flags.find(arguments[i].substr(0, equals));
    if (flag == flags.end()) throw UsageError("unrecognized arguments: " + arguments[i]);
    if (equals != std::string::npos) {
      flag->second = arguments[i].substr(equals + 1);
    } else if (++i < arguments.size() && !arguments[i].starts_with("--")) {
      flag->second = arguments[i];
    } else {
      throw UsageError("argument " + flag->first + ": expected one argument");
    }
  }
}

int parse_tables(const std::string& text) {
  int tables = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tables);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw UsageError("argument --tables: invalid int value: '" + text + "'");
  }
  if (tables < 1 || tables > kMaxTables) {
    throw UsageError("--tables must be from 1 to 1024, not " + text);
  }
  return tables;
}

// Characters, not bytes: what continues a character in UTF-8 is not counted.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

arena::v1::Chair parse_chair(const std::string& text) {
  const std::string chair = in_lower_case(text);
  if (chair.empty()) return arena::v1::CHAIR_UNSPECIFIED;
  if (chair == "first") return arena::v1::CHAIR_FIRST;
  if (chair == "second") return arena::v1::CHAIR_SECOND;
  throw UsageError("the chair must be 'first' or 'second', not '" + text + "'");
}

arena::v1::Lane parse_lane(const std::string& text) {
  const std::string lane = in_lower_case(text);
  if (lane.empty()) return arena::v1::LANE_UNSPECIFIED;
  if (lane == "a") return arena::v1::LANE_A;
  if (lane == "b") return arena::v1::LANE_B;
  throw UsageError("the lane must be 'a' or 'b', not '" + text + "'");
}

void check_needed(const Flags& flags) {
  if (flags.at("--address").empty()) {
    throw UsageError(
        "where is the arena? set ARENA_ADDR or give --address HOST:PORT, tls:HOST:PORT or "
        "unix:PATH");
  }
  if (flags.at("--token").empty()) {
    throw UsageError("the arena wants a token; set ARENA_TOKEN or give --token");
  }
}

void check_label(const std::string& name, const std::string& version) {
  if (name.empty() || length_of(name) > kMaxCharacters || length_of(version) > kMaxCharacters) {
    throw UsageError("a bot's name has 1 to 64 characters, its version label at most 64");
  }
}

}  // namespace

std::string process_environment(const std::string& variable) {
  const char* value = std::getenv(variable.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

Options read_options(const std::vector<std::string>& arguments, const Environment& environment,
                     const Defaults& defaults) {
  Flags flags = flags_of(environment, defaults);
  read_arguments(flags, arguments);
  check_needed(flags);
  Options options;
  options.address = parse_address(flags["--address"]);
  options.identity =
      identity_at(options.address, {flags["--tls-ca"], flags["--tls-cert"], flags["--tls-key"]});
  options.tables = parse_tables(flags["--tables"]);
  options.name = flags["--name"];
  options.version = flags["--version-label"];
  check_label(options.name, options.version);
  options.chair = parse_chair(flags["--chair"]);
  options.lane = parse_lane(flags["--lane"]);
  options.token = flags["--token"];
  return options;
}

}  // namespace euchre
