#include "options.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

#include "errors.h"

namespace {

using euchre::Defaults;
using euchre::Options;
using euchre::parse_address;
using euchre::read_options;
using euchre::UsageError;

const Defaults kDefaults{.name = "bot", .version = "7", .tables = 64};

Options read(const std::vector<std::string>& arguments,
             const std::map<std::string, std::string>& variables = {}) {
  const auto environment = [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
  return read_options(arguments, environment, kDefaults);
}

const std::map<std::string, std::string> kPlace{{"ARENA_ADDR", "unix:/run/a"},
                                                {"ARENA_TOKEN", "secret"}};

std::string mistake_in(std::vector<std::string> arguments) {
  try {
    read(arguments, kPlace);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("addresses of every form are read") {
  CHECK(parse_address("unix:/run/arena").is_socket());
  CHECK(parse_address("unix:///run/arena").local);
  CHECK(parse_address("127.0.0.1:50051").local);
  CHECK(parse_address("localhost:1").local);
  CHECK(parse_address("[::1]:65535").local);
  CHECK_FALSE(parse_address("example.org:443").local);
  CHECK_FALSE(parse_address("[2001:db8::1]:443").local);
  const auto address = parse_address("tls:example.org:443");
  CHECK(address.tls);
  CHECK(address.target == "example.org:443");
  CHECK(address.text() == "tls:example.org:443");
}

TEST_CASE("what is no address is refused") {
  for (const char* text : {"", "host", "host:", ":1", "host:0", "host:65536", "::1:80",
                           "unix:", "unix://", "tls:unix:/a", "http://host:80", "host:80/"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_address(text), UsageError);
  }
}

TEST_CASE("variables are read, and a flag wins over its variable") {
  auto variables = kPlace;
  variables["ARENA_CHAIR"] = "First";
  variables["ARENA_LANE"] = "b";
  variables["ARENA_NAME"] = "";
  const Options options = read({"--token", "other", "--tables=3"}, variables);
  CHECK(options.address.target == "unix:/run/a");
  CHECK(options.token == "other");
  CHECK(options.chair == arena::v1::CHAIR_FIRST);
  CHECK(options.lane == arena::v1::LANE_B);
  CHECK(options.name == "bot");
  CHECK(options.version == "7");
  CHECK(options.tables == 3);
}

TEST_CASE("a mistake is one sentence") {
  CHECK(mistake_in({}) == "");
  CHECK(mistake_in({"--what"}) == "unrecognized arguments: --what");
  CHECK(mistake_in({"--token"}) == "argument --token: expected one argument");
  CHECK(mistake_in({"--tables", "x"}) == "argument --tables: invalid int value: 'x'");
  CHECK(mistake_in({"--tables", "1025"}) == "--tables must be from 1 to 1024, not 1025");
  CHECK(mistake_in({"--chair", "third"}) == "the chair must be 'first' or 'second', not 'third'");
  CHECK(mistake_in({"--lane", "c"}) == "the lane must be 'a' or 'b', not 'c'");
  CHECK(mistake_in({"--address="}).starts_with("where is the arena?"));
  CHECK(mistake_in({"--token="}).starts_with("the arena wants a token"));
  CHECK(mistake_in({"--name", std::string(65, 'n')}).starts_with("a bot's name has"));
}

TEST_CASE("a name is measured in characters") {
  std::string name;
  for (int i = 0; i < 64; ++i) name += "\u00e9";
  CHECK(read({"--name", name}, kPlace).name == name);
}

TEST_CASE("files for TLS are checked before they are used") {
  const auto with = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--address", "tls:example.org:443"});
    return mistake_in(arguments);
  };
  CHECK(with({}) == "");
  CHECK(with({"--tls-cert", "a.pem"}).starts_with("a certificate needs its key"));
  CHECK(with({"--tls-ca", "/no/such/file"}).starts_with("/no/such/file cannot be read"));
  CHECK(with({"--tls-ca", "/dev/null"}) == "/dev/null holds no certificate in PEM");
  CHECK(mistake_in({"--address", "example.org:443", "--tls-ca", "a.pem"})
            .starts_with("there are files for TLS, but example.org:443"));
}
