# What cards are worth under a call. A card is its name on the wire, such as CARD_JH; the order of
# the ranks in calls without trump is in order[MATCH, CALL], see session.awk.

BEGIN {
    trump_of["CALL_CLUBS"] = "C"
    trump_of["CALL_DIAMONDS"] = "D"
    trump_of["CALL_HEARTS"] = "H"
    trump_of["CALL_SPADES"] = "S"
    split("C S D H", suits)
    for (i = 1; i <= 4; i++) mate[suits[i]] = suits[i % 2 ? i + 1 : i - 1]
}

function rank_of(card) { return substr(card, 6, 1) }

function suit_of(card) { return substr(card, 7, 1) }

# The suit a card belongs to: the left bower is a trump.
function effective_suit(card, call,    trump) {
    trump = trump_of[call]
    return trump != "" && rank_of(card) == "J" && suit_of(card) == mate[trump] ? trump : suit_of(card)
}

# How strong a card is in a trick that began with the card led; 0 never wins.
function strength(match_id, call, led, card,    suit) {
    suit = effective_suit(card, call)
    if (suit == trump_of[call]) return 100 + height(match_id, call, card)
    return suit == effective_suit(led, call) ? height(match_id, call, card) : 0
}

# A card's height within its suit, from 1.
function height(match_id, call, card,    trump, ranks) {
    trump = trump_of[call]
    if (trump != "" && rank_of(card) == "J" && effective_suit(card, call) == trump)
        return suit_of(card) == trump ? 8 : 7
    ranks = order[match_id, call]
    if (ranks == "") ranks = "AKQJT9"
    return length(ranks) + 1 - index(ranks, rank_of(card))
}
