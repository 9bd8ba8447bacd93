#include "printable.h"

#include <cstddef>

namespace euchre {
namespace {

// The arena's own sentences are shorter.
constexpr int kMostCharacters = 500;

unsigned byte_at(const std::string& text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

// How many bytes the character there has; 1 also for a byte that is no UTF-8.
std::size_t length_at(const std::string& text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  const std::size_t length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  for (std::size_t next = 1; next < length; ++next) {
    if ((byte_at(text, at + next) & 0xC0U) != 0x80U) return 1;
  }
  return length;
}

bool is_plain(const std::string& text, std::size_t at, std::size_t length) {
  const unsigned first = byte_at(text, at);
  if (length == 1) return first >= 0x20 && first < 0x7F;
  // The two bytes of U+0080 to U+009F.
  return first != 0xC2 || byte_at(text, at + 1) >= 0xA0;
}

std::string escaped(unsigned code) {
  constexpr const char* kDigits = "0123456789abcdef";
  return {'\\', 'x', kDigits[code >> 4U], kDigits[code & 15U]};
}

}  // namespace

std::string printable(const std::string& text) {
  std::string line;
  std::size_t at = 0;
  for (int count = 0; at < text.size(); ++count) {
    if (count == kMostCharacters) return line + "...";
    const std::size_t length = length_at(text, at);
    const bool plain = is_plain(text, at, length);
    line += plain ? text.substr(at, length) : escaped(byte_at(text, at + length - 1));
    at += length;
  }
  return line;
}

}  // namespace euchre
