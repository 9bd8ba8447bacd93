package cards

import "bideuchre.example/bot/internal/arenav1"

// LeastTrump is a strength that every trump has and no other card.
const LeastTrump = 100

// Heights above those of the ranks, which are 1 to 6.
const (
	leftBower  = ranks + 1
	rightBower = ranks + 2
)

// acesHigh is the order of a suit for which the variant gives none.
var acesHigh = []arenav1.Rank{
	arenav1.Rank_RANK_ACE, arenav1.Rank_RANK_KING, arenav1.Rank_RANK_QUEEN,
	arenav1.Rank_RANK_JACK, arenav1.Rank_RANK_TEN, arenav1.Rank_RANK_NINE,
}

// Order says who beats whom under a call.
type Order struct {
	Trump  Suit // NoSuit where there is none
	top    arenav1.Rank
	height [ranks + 1]int
}

// NewOrder gives the order of the cards under a call of a variant.
func NewOrder(variant *arenav1.Variant, call arenav1.Call) Order {
	high := acesHigh
	for _, rule := range variant.GetCalls() {
		if rule.Call == call && len(rule.Order) > 0 {
			high = rule.Order
		}
	}
	order := Order{Trump: TrumpOf(call), top: high[0]}
	for place, rank := range high {
		if 0 < rank && rank <= ranks { // a rank from a later version is on no card we know
			order.height[rank] = ranks - place
		}
	}
	return order
}

// Top gives the highest rank of a suit that has no bowers.
func (o Order) Top() arenav1.Rank { return o.top }

// Suit gives the effective suit of a card: the left bower belongs to the trumps.
func (o Order) Suit(card arenav1.Card) Suit {
	if o.isLeftBower(card) {
		return o.Trump
	}
	return PrintedSuit(card)
}

// IsTrump says whether a card is a trump.
func (o Order) IsTrump(card arenav1.Card) bool {
	return o.Trump != NoSuit && o.Suit(card) == o.Trump
}

// Height gives the place of a card within its effective suit; a higher card beats a lower.
func (o Order) Height(card arenav1.Card) int {
	switch {
	case o.isLeftBower(card):
		return leftBower
	case RankOf(card) == arenav1.Rank_RANK_JACK && PrintedSuit(card) == o.Trump:
		return rightBower
	default:
		return o.height[RankOf(card)]
	}
}

// Strength says how strong a card is in a trick that began with the card led; 0 never wins. Of two
// equal cards the first played is ahead.
func (o Order) Strength(led, card arenav1.Card) int {
	switch {
	case o.IsTrump(card):
		return LeastTrump + o.Height(card)
	case o.Suit(card) == o.Suit(led):
		return o.Height(card)
	default:
		return 0
	}
}

func (o Order) isLeftBower(card arenav1.Card) bool {
	return o.Trump != NoSuit && RankOf(card) == arenav1.Rank_RANK_JACK &&
		PrintedSuit(card) == o.Trump.Mate()
}
