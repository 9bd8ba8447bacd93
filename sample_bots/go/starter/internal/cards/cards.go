// Package cards knows suits and ranks, and who beats whom under a call. All of it follows from the
// variant's data, so bowers, twins, orders without trump and house rules need no code elsewhere.
package cards

import "bideuchre.example/bot/internal/arenav1"

// Suit is a suit, in the order of the contract.
type Suit int

// The suits. Mates in colour add up to three.
const (
	NoSuit Suit = iota - 1
	Clubs
	Diamonds
	Hearts
	Spades
)

const ranks = 6

// Mate gives the other suit of the same colour.
func (s Suit) Mate() Suit { return Spades - s }

// PrintedSuit gives the suit that stands on a card, NoSuit for what is none.
func PrintedSuit(card arenav1.Card) Suit {
	if !isCard(card) {
		return NoSuit
	}
	return Suit(card-1) / ranks
}

// RankOf gives the rank of a card, RANK_UNSPECIFIED for what is none.
func RankOf(card arenav1.Card) arenav1.Rank {
	if !isCard(card) {
		return arenav1.Rank_RANK_UNSPECIFIED
	}
	return arenav1.Rank((card-1)%ranks) + 1
}

func isCard(card arenav1.Card) bool {
	return arenav1.Card_CARD_9C <= card && card <= arenav1.Card_CARD_AS
}

// TrumpOf gives the trump suit of a call, NoSuit where it has none.
func TrumpOf(call arenav1.Call) Suit {
	if arenav1.Call_CALL_CLUBS <= call && call <= arenav1.Call_CALL_SPADES {
		return Suit(call - arenav1.Call_CALL_CLUBS)
	}
	return NoSuit
}

// PartnerOf gives the seat across.
func PartnerOf(seat uint32) uint32 { return seat ^ 2 }

// SideOf gives the side of a seat, 0 or 1.
func SideOf(seat uint32) uint32 { return seat & 1 }
