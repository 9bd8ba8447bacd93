package cards

import "bideuchre.example/bot/internal/arenav1"

// Trick gives the plays of the current trick, the leader's first; none for who is to lead.
func Trick(view *arenav1.PublicView) []*arenav1.Move {
	seats := 4
	if view.SitsOut != nil {
		seats = 3
	}
	moves := view.Moves
	plays := 0
	for _, move := range moves {
		if move.GetAction().GetKind() == arenav1.ActionKind_ACTION_KIND_PLAY {
			plays++
		}
	}
	return moves[len(moves)-plays%seats:]
}

// Winning gives the move that is ahead in a trick, which must not be empty.
func (o Order) Winning(trick []*arenav1.Move) *arenav1.Move {
	led, best := trick[0].GetAction().GetCard(), trick[0]
	for _, move := range trick[1:] {
		if o.Strength(led, move.GetAction().GetCard()) > o.Strength(led, best.GetAction().GetCard()) {
			best = move
		}
	}
	return best
}
