package cards

import (
	"fmt"

	"bideuchre.example/bot/internal/arenav1"
)

var (
	rankTexts = "?9TJQKA"
	suitTexts = "CDHS"
	callTexts = []string{"?", "C", "D", "H", "S", "NT", "high", "low", "mid"}
	kindTexts = map[arenav1.ActionKind]string{
		arenav1.ActionKind_ACTION_KIND_PASS:            "pass",
		arenav1.ActionKind_ACTION_KIND_FORCE_PARTNER:   "force partner",
		arenav1.ActionKind_ACTION_KIND_FORCE_OPPONENTS: "force opponents",
		arenav1.ActionKind_ACTION_KIND_SHOOTER_SELF:    "shooter self",
		arenav1.ActionKind_ACTION_KIND_SHOOTER_PARTNER: "shooter partner",
		arenav1.ActionKind_ACTION_KIND_NO_TRADE:        "no trade",
		arenav1.ActionKind_ACTION_KIND_TRADE:           "trade",
		arenav1.ActionKind_ACTION_KIND_GIVE:            "give",
		arenav1.ActionKind_ACTION_KIND_DISCARD:         "discard",
		arenav1.ActionKind_ACTION_KIND_PLAY:            "play",
	}
)

// ActionText gives an action in the notation of the rules, such as `play JH`.
func ActionText(variant *arenav1.Variant, action *arenav1.Action) string {
	switch action.GetKind() {
	case arenav1.ActionKind_ACTION_KIND_BID:
		text := "bid " + bidText(variant, action.Bid)
		if action.Call != arenav1.Call_CALL_UNSPECIFIED {
			text += " " + callText(action.Call)
		}
		return text
	case arenav1.ActionKind_ACTION_KIND_CALL:
		return "call " + callText(action.Call)
	}
	text, known := kindTexts[action.GetKind()]
	if !known {
		return action.GetKind().String()
	}
	if card := action.GetCard(); card != arenav1.Card_CARD_UNSPECIFIED {
		text += " " + CardText(card)
	}
	return text
}

// CardText gives a card as its rank and suit, such as `JH`.
func CardText(card arenav1.Card) string {
	if !isCard(card) {
		return fmt.Sprintf("card %d", card)
	}
	return rankTexts[RankOf(card):][:1] + suitTexts[PrintedSuit(card):][:1]
}

func bidText(variant *arenav1.Variant, bid uint32) string {
	bids := variant.GetBids()
	if bid < 1 || int(bid) > len(bids) {
		return fmt.Sprint(bid)
	}
	return bids[bid-1].GetName()
}

func callText(call arenav1.Call) string {
	if call < 0 || int(call) >= len(callTexts) {
		return fmt.Sprint(int(call))
	}
	return callTexts[call]
}
