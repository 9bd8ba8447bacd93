#include "printable.h"

#include <doctest/doctest.h>

namespace {

using euchre::printable;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("control characters are escaped") {
  CHECK(printable("a\t\r\nb\x1b[31m\x7f") == R"(a\x09\x0d\x0ab\x1b[31m\x7f)");
  CHECK(printable(std::string("\0", 1)) == R"(\x00)");
  CHECK(printable("\u0080\u009b\u009f") == R"(\x80\x9b\x9f)");
}

TEST_CASE("what is no UTF-8 is escaped") {
  CHECK(printable("\x9b!") == R"(\x9b!)");
  CHECK(printable("\xe2\x99") == R"(\xe2\x99)");
  CHECK(printable("\xf4\x1b[") == R"(\xf4\x1b[)");
}

TEST_CASE("all else stays") {
  const std::string text = "the 9♣ of 'Zoë' ~ \u00a0 \U0001f0a1";
  CHECK(printable(text) == text);
}

TEST_CASE("a long text is cut") {
  CHECK(printable(repeated("é", 500)) == repeated("é", 500));
  CHECK(printable(repeated("é", 501)) == repeated("é", 500) + "...");
}
