#include "trick.h"

#include <algorithm>

#include "cards.h"

namespace euchre {

Trick trick_of(const arena::v1::PublicView& view) {
  const int active = view.has_sits_out() ? kSeats - 1 : kSeats;
  const auto plays = static_cast<int>(
      std::count_if(view.moves().begin(), view.moves().end(), [](const arena::v1::Move& move) {
        return move.action().kind() == arena::v1::ACTION_KIND_PLAY;
      }));
  Trick trick;
  // Tricks come last in the moves, so the current one is their end.
  for (int i = view.moves_size() - plays % active; i < view.moves_size(); ++i) {
    trick.seats.push_back(static_cast<int>(view.moves(i).seat() & 3U));
    trick.cards.push_back(card_of(view.moves(i).action().card()));
  }
  return trick;
}

}  // namespace euchre
