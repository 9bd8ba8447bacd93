package cards

import (
	"testing"

	"bideuchre.example/bot/internal/arenav1"
)

// token is as much of that variant as an order needs.
func token() *arenav1.Variant {
	return &arenav1.Variant{
		Bids: []*arenav1.BidRule{{Name: "3"}, {Name: "shot"}},
		Calls: []*arenav1.CallRule{
			{Call: arenav1.Call_CALL_SPADES},
			{Call: arenav1.Call_CALL_MID, Order: []arenav1.Rank{
				arenav1.Rank_RANK_QUEEN, arenav1.Rank_RANK_KING, arenav1.Rank_RANK_TEN,
				arenav1.Rank_RANK_ACE, arenav1.Rank_RANK_NINE, arenav1.Rank_RANK_JACK,
			}},
		},
	}
}

// falling checks that each card beats the next in a trick that began with the card led.
func falling(t *testing.T, order Order, led arenav1.Card, high ...arenav1.Card) {
	t.Helper()
	for i, card := range high[1:] {
		before, after := order.Strength(led, high[i]), order.Strength(led, card)
		if before <= after {
			t.Errorf("led %s: %s has %d, %s has %d",
				CardText(led), CardText(high[i]), before, CardText(card), after)
		}
	}
	if last := high[len(high)-1]; order.Strength(led, last) != 0 {
		t.Errorf("led %s: %s wins", CardText(led), CardText(last))
	}
}

func TestTrumps(t *testing.T) {
	order := NewOrder(token(), arenav1.Call_CALL_SPADES)
	falling(t, order, arenav1.Card_CARD_AH,
		arenav1.Card_CARD_JS, arenav1.Card_CARD_JC, arenav1.Card_CARD_AS, arenav1.Card_CARD_KS,
		arenav1.Card_CARD_QS, arenav1.Card_CARD_TS, arenav1.Card_CARD_9S, arenav1.Card_CARD_AH,
		arenav1.Card_CARD_KH, arenav1.Card_CARD_QH, arenav1.Card_CARD_JH, arenav1.Card_CARD_TH,
		arenav1.Card_CARD_9H, arenav1.Card_CARD_AC)
}

func TestTheLeftBowerHasLeftItsSuit(t *testing.T) {
	order := NewOrder(token(), arenav1.Call_CALL_SPADES)
	if suit := order.Suit(arenav1.Card_CARD_JC); suit != Spades {
		t.Errorf("the left bower is of suit %d", suit)
	}
	if order.Strength(arenav1.Card_CARD_JC, arenav1.Card_CARD_AC) != 0 {
		t.Error("the ace of clubs follows the left bower")
	}
	if suit := order.Suit(arenav1.Card_CARD_JD); suit != Diamonds {
		t.Errorf("another jack is of suit %d", suit)
	}
}

func TestAnOrderWithoutTrump(t *testing.T) {
	order := NewOrder(token(), arenav1.Call_CALL_MID)
	falling(t, order, arenav1.Card_CARD_9C,
		arenav1.Card_CARD_QC, arenav1.Card_CARD_KC, arenav1.Card_CARD_TC, arenav1.Card_CARD_AC,
		arenav1.Card_CARD_9C, arenav1.Card_CARD_JC, arenav1.Card_CARD_JS)
	if top := order.Top(); top != arenav1.Rank_RANK_QUEEN {
		t.Errorf("the top is %v", top)
	}
}

func TestWhatALaterVersionMaySendDoesNoHarm(t *testing.T) {
	variant := &arenav1.Variant{Calls: []*arenav1.CallRule{
		{Call: 99, Order: []arenav1.Rank{-1, 99, arenav1.Rank_RANK_NINE}},
	}}
	order := NewOrder(variant, 99)
	for _, card := range []arenav1.Card{-5, 0, 25, 99} {
		if strength := order.Strength(card, card); strength != 0 {
			t.Errorf("card %d has strength %d", card, strength)
		}
	}
	if order.Height(arenav1.Card_CARD_9C) <= order.Height(arenav1.Card_CARD_AC) {
		t.Error("the known rank has no place")
	}
}

func play(seat uint32, card arenav1.Card) *arenav1.Move {
	return &arenav1.Move{Seat: seat, Action: &arenav1.Action{
		Kind: arenav1.ActionKind_ACTION_KIND_PLAY, Card: card,
	}}
}

func TestTheTrickIsWhatWasPlayedSinceTheLastFullOne(t *testing.T) {
	sitter := uint32(0)
	bid := &arenav1.Move{Action: &arenav1.Action{Kind: arenav1.ActionKind_ACTION_KIND_BID}}
	moves := []*arenav1.Move{bid}
	for range 5 {
		moves = append(moves, play(1, arenav1.Card_CARD_9C))
	}
	cases := []struct {
		view *arenav1.PublicView
		want int
	}{
		{&arenav1.PublicView{}, 0},
		{&arenav1.PublicView{Moves: moves[:1]}, 0},
		{&arenav1.PublicView{Moves: moves[:5]}, 0},
		{&arenav1.PublicView{Moves: moves}, 1},
		{&arenav1.PublicView{Moves: moves, SitsOut: &sitter}, 2},
		{&arenav1.PublicView{Moves: moves[:4], SitsOut: &sitter}, 0},
	}
	for _, test := range cases {
		if trick := Trick(test.view); len(trick) != test.want {
			t.Errorf("%v has a trick of %d cards, want %d", test.view, len(trick), test.want)
		}
	}
}

func TestOfTwinsTheFirstIsAhead(t *testing.T) {
	order := NewOrder(token(), arenav1.Call_CALL_SPADES)
	trick := []*arenav1.Move{
		play(3, arenav1.Card_CARD_9C), play(0, arenav1.Card_CARD_AC), play(1, arenav1.Card_CARD_AC),
		play(2, arenav1.Card_CARD_AD),
	}
	if ahead := order.Winning(trick); ahead.GetSeat() != 0 {
		t.Errorf("seat %d is ahead", ahead.GetSeat())
	}
}

func TestNotation(t *testing.T) {
	cases := map[string]*arenav1.Action{
		"pass":     {Kind: arenav1.ActionKind_ACTION_KIND_PASS},
		"no trade": {Kind: arenav1.ActionKind_ACTION_KIND_NO_TRADE},
		"play TD": {
			Kind: arenav1.ActionKind_ACTION_KIND_PLAY, Card: arenav1.Card_CARD_TD,
		},
		"bid shot": {Kind: arenav1.ActionKind_ACTION_KIND_BID, Bid: 2},
		"bid 3 NT": {
			Kind: arenav1.ActionKind_ACTION_KIND_BID, Bid: 1, Call: arenav1.Call_CALL_NO_TRUMP,
		},
		"call mid": {
			Kind: arenav1.ActionKind_ACTION_KIND_CALL, Call: arenav1.Call_CALL_MID,
		},
		"play card 99": {Kind: arenav1.ActionKind_ACTION_KIND_PLAY, Card: 99},
		"bid 9 77":     {Kind: arenav1.ActionKind_ACTION_KIND_BID, Bid: 9, Call: 77},
		"77":           {Kind: 77},
	}
	for want, action := range cases {
		if got := ActionText(token(), action); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
