#include "program.h"

#include <cstdlib>
#include <exception>
#include <iostream>

#include "client.h"
#include "errors.h"
#include "printable.h"
#include "signals.h"

namespace euchre {
namespace {

constexpr int kOrderly = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kRefused = 3;

// Tells the bot's author one line.
void say(const std::string& line) { std::cerr << printable(line) + "\n" << std::flush; }

int play(const Options& options, const Players& players) {
  try {
    Client client(options, players, say);
    const Signals signals([&] { client.leave(); });
    client.play();
  } catch (const Refused& error) {
    say(error.what());
    return kRefused;
  } catch (const Lost& error) {
    say(error.what());
    return kFailed;
  } catch (const std::exception& error) {
    say(std::string("the bot has a bug: ") + error.what());
    return kFailed;
  }
  return kOrderly;
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Defaults& defaults,
        const Players& players) {
  // The library reads this when it is first used; without it, it tells of every closed connection.
  setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    return play(read_options(arguments, process_environment, defaults), players);
  } catch (const UsageError& error) {
    say(defaults.name + ": " + error.what());
    return kUsage;
  }
}

}  // namespace euchre
