#include "program.h"
#include "strategy.h"

int main(int argc, char** argv) {
  const euchre::Defaults defaults{.name = "cpp-starter", .version = "1", .tables = 64};
  return euchre::run({argv + 1, argv + argc}, defaults, euchre::make_player);
}
