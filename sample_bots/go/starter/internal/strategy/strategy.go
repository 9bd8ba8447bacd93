// Package strategy is how the bot plays: the file to edit.
//
// It counts trumps and aces, bids what they are worth, and takes tricks as cheaply as it can.
package strategy

import (
	"cmp"
	"math"
	"slices"

	"bideuchre.example/bot/internal/arenav1"
	"bideuchre.example/bot/internal/cards"
	"bideuchre.example/bot/internal/game"
	"bideuchre.example/bot/internal/session"
)

// What a hand is worth, in tricks.
const (
	trumpTricks   = 0.7
	aceTricks     = 0.5
	partnerTricks = 0.2 // for each card of the partner's
	tokenTricks   = 2.0 // the price of a token
)

// player plays one game. What it is to remember from one decision to the next belongs here.
type player struct {
	game *game.Game
}

// New makes the player of one game.
func New(begun *game.Game) session.Player {
	return &player{game: begun}
}

// Act gives one of the legal actions. The view is complete: nothing has to be remembered.
func (p *player) Act(decision *arenav1.Decision) *arenav1.Action {
	legal, hand := decision.GetLegal(), decision.GetPrivate().GetHand()
	switch decision.GetPublic().GetPhase() {
	case arenav1.Phase_PHASE_SPEAK:
		return p.speak(legal, hand)
	case arenav1.Phase_PHASE_SHOOTER:
		return p.shooter(legal, hand)
	case arenav1.Phase_PHASE_CALL:
		return best(legal, func(action *arenav1.Action) float64 {
			return p.tricks(hand, action.GetCall())
		})
	case arenav1.Phase_PHASE_PLAY:
		return p.play(decision)
	case arenav1.Phase_PHASE_GIVE:
		order := p.order(decision)
		return best(legal, func(action *arenav1.Action) int { return worth(order, action) })
	case arenav1.Phase_PHASE_TRADE, arenav1.Phase_PHASE_DISCARD:
		order := p.order(decision)
		return best(legal, func(action *arenav1.Action) int { return -worth(order, action) })
	default: // a question from a later version
		return legal[0]
	}
}

// speak gives the highest bid that the hand is worth, else the least that may be said.
func (p *player) speak(legal []*arenav1.Action, hand []arenav1.Card) *arenav1.Action {
	margin := func(action *arenav1.Action) float64 { return p.margin(hand, action) }
	said := best(legal, margin)
	for _, action := range legal {
		surplus := margin(action)
		higher := action.GetBid() > said.GetBid()
		better := action.GetBid() == said.GetBid() && surplus > margin(said)
		if surplus > 0 && (higher || better) {
			said = action
		}
	}
	return said
}

// margin gives the tricks beyond what a bid needs; 0 for a pass. It neither goes alone nor forces.
func (p *player) margin(hand []arenav1.Card, action *arenav1.Action) float64 {
	const never = -99
	if action.GetKind() == arenav1.ActionKind_ACTION_KIND_PASS {
		return 0
	}
	bids, place := p.game.Variant().GetBids(), int(action.GetBid())
	if action.GetKind() != arenav1.ActionKind_ACTION_KIND_BID || place < 1 || place > len(bids) {
		return never
	}
	bid := bids[place-1]
	if bid.GetAlone() {
		return never
	}
	tricks := p.bestTricks(hand)
	if call := action.GetCall(); call != arenav1.Call_CALL_UNSPECIFIED {
		tricks = p.tricks(hand, call)
	}
	return tricks - float64(bid.GetTricks())
}

// shooter shoots itself with a hand that is better than what the partner may hold.
func (p *player) shooter(legal []*arenav1.Action, hand []arenav1.Card) *arenav1.Action {
	kind := arenav1.ActionKind_ACTION_KIND_SHOOTER_PARTNER
	if p.bestTricks(hand) >= float64(p.game.Variant().GetHandSize())/2 {
		kind = arenav1.ActionKind_ACTION_KIND_SHOOTER_SELF
	}
	for _, action := range legal {
		if action.GetKind() == kind {
			return action
		}
	}
	return legal[0]
}

func (p *player) bestTricks(hand []arenav1.Card) float64 {
	most := math.Inf(-1)
	for _, rule := range p.game.Variant().GetCalls() {
		most = max(most, p.tricks(hand, rule.GetCall()))
	}
	return most
}

// tricks guesses how many tricks both partners take under a call, its price taken off.
func (p *player) tricks(hand []arenav1.Card, call arenav1.Call) float64 {
	variant := p.game.Variant()
	order := cards.NewOrder(variant, call)
	tricks := partnerTricks * float64(variant.GetHandSize())
	for _, card := range hand {
		switch {
		case order.IsTrump(card):
			tricks += trumpTricks
		case cards.RankOf(card) == order.Top():
			tricks += aceTricks
		}
	}
	for _, rule := range variant.GetCalls() {
		if rule.GetCall() == call {
			tricks -= tokenTricks * float64(rule.GetTokens())
		}
	}
	return tricks
}

// play leads its best card; else it wins as cheaply as it can, but never over its partner.
func (p *player) play(decision *arenav1.Decision) *arenav1.Action {
	order, legal := p.order(decision), decision.GetLegal()
	trick := cards.Trick(decision.GetPublic())
	if len(trick) == 0 {
		return best(legal, func(action *arenav1.Action) int { return worth(order, action) })
	}
	led, ahead := trick[0].GetAction().GetCard(), order.Winning(trick)
	strength := func(action *arenav1.Action) int { return order.Strength(led, action.GetCard()) }
	var winners []*arenav1.Action
	if ahead.GetSeat() != cards.PartnerOf(decision.GetSeat()) {
		winners = slices.DeleteFunc(slices.Clone(legal), func(action *arenav1.Action) bool {
			return strength(action) <= strength(ahead.GetAction())
		})
	}
	if len(winners) > 0 {
		return best(winners, func(action *arenav1.Action) int { return -strength(action) })
	}
	return best(legal, func(action *arenav1.Action) int { return -worth(order, action) })
}

func (p *player) order(decision *arenav1.Decision) cards.Order {
	return cards.NewOrder(p.game.Variant(), decision.GetPublic().GetContract().GetCall())
}

// worth says what it would cost to miss the card of an action.
func worth(order cards.Order, action *arenav1.Action) int {
	if action.GetKind() == arenav1.ActionKind_ACTION_KIND_NO_TRADE {
		return cards.LeastTrump // whoever has another card trades it away
	}
	return order.Strength(action.GetCard(), action.GetCard())
}

// best gives the first action with the highest value.
func best[T cmp.Ordered](
	actions []*arenav1.Action, value func(*arenav1.Action) T,
) *arenav1.Action {
	return slices.MaxFunc(actions, func(a, b *arenav1.Action) int {
		return cmp.Compare(value(a), value(b))
	})
}
