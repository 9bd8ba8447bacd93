package strategy

import (
	"testing"

	"bideuchre.example/bot/internal/arenav1"
	"bideuchre.example/bot/internal/game"
)

var variant = &arenav1.Variant{
	HandSize: 6,
	Bids: []*arenav1.BidRule{
		{Name: "3", Tricks: 3}, {Name: "4", Tricks: 4}, {Name: "5", Tricks: 5},
		{Name: "6", Tricks: 6}, {Name: "lone", Tricks: 1, Alone: true}, // cheap, and yet not for this bot
	},
	Calls: []*arenav1.CallRule{
		{Call: arenav1.Call_CALL_HEARTS},
		{Call: arenav1.Call_CALL_SPADES},
		{Call: arenav1.Call_CALL_LOW, Tokens: 1, Order: []arenav1.Rank{
			arenav1.Rank_RANK_NINE, arenav1.Rank_RANK_TEN, arenav1.Rank_RANK_JACK,
			arenav1.Rank_RANK_QUEEN, arenav1.Rank_RANK_KING, arenav1.Rank_RANK_ACE,
		}},
	},
}

// act asks seat 0 in a phase, with spades as the call.
func act(
	phase arenav1.Phase, hand []arenav1.Card, legal []*arenav1.Action, moves ...*arenav1.Move,
) *arenav1.Action {
	begun := game.New(&arenav1.MatchStart{Variant: variant}, &arenav1.GameStart{})
	return New(begun).Act(&arenav1.Decision{
		Public: &arenav1.PublicView{
			Phase: phase, Moves: moves, Contract: &arenav1.Contract{Call: arenav1.Call_CALL_SPADES},
		},
		Private: &arenav1.PrivateView{Hand: hand},
		Legal:   legal,
	})
}

func actions(kind arenav1.ActionKind, cards ...arenav1.Card) []*arenav1.Action {
	var made []*arenav1.Action
	for _, card := range cards {
		made = append(made, &arenav1.Action{Kind: kind, Card: card})
	}
	return made
}

func bids() []*arenav1.Action {
	legal := []*arenav1.Action{{Kind: arenav1.ActionKind_ACTION_KIND_PASS}}
	for i := range variant.GetBids() {
		legal = append(legal, &arenav1.Action{
			Kind: arenav1.ActionKind_ACTION_KIND_BID, Bid: uint32(i + 1),
		})
	}
	return legal
}

var (
	strong = []arenav1.Card{
		arenav1.Card_CARD_JC, arenav1.Card_CARD_JS, arenav1.Card_CARD_AS, arenav1.Card_CARD_KS,
		arenav1.Card_CARD_AD, arenav1.Card_CARD_9H,
	}
	weak = []arenav1.Card{
		arenav1.Card_CARD_9C, arenav1.Card_CARD_TC, arenav1.Card_CARD_9D, arenav1.Card_CARD_TD,
		arenav1.Card_CARD_9H, arenav1.Card_CARD_TS,
	}
)

func TestAHandIsBidForWhatItIsWorth(t *testing.T) {
	if bid := act(arenav1.Phase_PHASE_SPEAK, strong, bids()).GetBid(); bid != 2 {
		t.Errorf("four trumps and an ace bid at place %d", bid) // 2.8 + 0.5 + 1.2 is above 4
	}
	if bid := act(arenav1.Phase_PHASE_SPEAK, weak, bids()).GetBid(); bid != 0 {
		t.Errorf("nothing bids at place %d", bid)
	}
	if bid := act(arenav1.Phase_PHASE_SPEAK, weak, bids()[1:]).GetBid(); bid != 1 {
		t.Errorf("a stuck dealer with nothing bids at place %d", bid)
	}
}

func TestTheBestCallIsNamed(t *testing.T) {
	var legal []*arenav1.Action
	for _, rule := range variant.GetCalls() {
		legal = append(legal, &arenav1.Action{
			Kind: arenav1.ActionKind_ACTION_KIND_CALL, Call: rule.GetCall(),
		})
	}
	call := act(arenav1.Phase_PHASE_CALL, strong, legal).GetCall()
	if call != arenav1.Call_CALL_SPADES {
		t.Errorf("named %v", call)
	}
}

func TestWhoShoots(t *testing.T) {
	legal := []*arenav1.Action{
		{Kind: arenav1.ActionKind_ACTION_KIND_SHOOTER_SELF},
		{Kind: arenav1.ActionKind_ACTION_KIND_SHOOTER_PARTNER},
	}
	for want, hand := range [][]arenav1.Card{strong, weak} {
		if got := act(arenav1.Phase_PHASE_SHOOTER, hand, legal); got != legal[want] {
			t.Errorf("%v: got %v", hand, got)
		}
	}
}

func TestExchanges(t *testing.T) {
	give := actions(arenav1.ActionKind_ACTION_KIND_GIVE, strong...)
	if got := act(arenav1.Phase_PHASE_GIVE, nil, give).GetCard(); got != arenav1.Card_CARD_JS {
		t.Errorf("gave %v", got)
	}
	discard := actions(arenav1.ActionKind_ACTION_KIND_DISCARD, strong...)
	got := act(arenav1.Phase_PHASE_DISCARD, nil, discard).GetCard()
	if got != arenav1.Card_CARD_9H {
		t.Errorf("discarded %v", got)
	}
	decline := actions(arenav1.ActionKind_ACTION_KIND_NO_TRADE, arenav1.Card_CARD_UNSPECIFIED)
	trade := append(decline, actions(arenav1.ActionKind_ACTION_KIND_TRADE, strong...)...)
	if got := act(arenav1.Phase_PHASE_TRADE, nil, trade).GetCard(); got != arenav1.Card_CARD_9H {
		t.Errorf("traded %v", got)
	}
	if got := act(arenav1.Phase_PHASE_TRADE, nil, trade[:5]); got != trade[0] {
		t.Errorf("with trumps only it traded %v", got)
	}
}

func TestTricksAreTakenCheaplyAndNeverFromThePartner(t *testing.T) {
	hearts := func(seat uint32, card arenav1.Card) *arenav1.Move {
		return &arenav1.Move{Seat: seat, Action: &arenav1.Action{
			Kind: arenav1.ActionKind_ACTION_KIND_PLAY, Card: card,
		}}
	}
	queen, ten := arenav1.Card_CARD_QH, arenav1.Card_CARD_TH
	legal := actions(arenav1.ActionKind_ACTION_KIND_PLAY,
		arenav1.Card_CARD_9H, arenav1.Card_CARD_KH, arenav1.Card_CARD_AH)
	cases := map[string]struct {
		moves []*arenav1.Move
		want  arenav1.Card
	}{
		"leads its best":            {nil, arenav1.Card_CARD_AH},
		"wins as cheaply as it can": {[]*arenav1.Move{hearts(3, queen)}, arenav1.Card_CARD_KH},
		"leaves it to its partner": {
			[]*arenav1.Move{hearts(2, queen), hearts(3, ten)}, arenav1.Card_CARD_9H,
		},
		"loses its least": {
			[]*arenav1.Move{hearts(2, queen), hearts(3, arenav1.Card_CARD_9S)}, arenav1.Card_CARD_9H,
		},
	}
	for name, test := range cases {
		if got := act(arenav1.Phase_PHASE_PLAY, nil, legal, test.moves...); got.GetCard() != test.want {
			t.Errorf("%s: played %v", name, got.GetCard())
		}
	}
}

func TestAPhaseOfALaterVersionGetsTheFirstAction(t *testing.T) {
	legal := actions(99, arenav1.Card_CARD_9C, arenav1.Card_CARD_AC)
	if got := act(99, weak, legal); got != legal[0] {
		t.Errorf("got %v", got)
	}
}
