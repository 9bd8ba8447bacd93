#include "program.h"
#include "strategy.h"

int main(int argc, char** argv) {
  const euchre::Defaults defaults{.name = "cpp-searcher", .version = "1", .tables = 32};
  return euchre::run({argv + 1, argv + argc}, defaults, euchre::make_player);
}
