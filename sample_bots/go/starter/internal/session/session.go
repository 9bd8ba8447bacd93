// Package session takes in the items of a session: tables come and go, players are asked, answers
// collect. It knows no network.
//
// A resumed stream may bring items and questions again. Events are dropped by their sequence
// number, and a question that was answered before gets the same answer without being asked anew.
package session

import (
	"fmt"

	"bideuchre.example/bot/internal/arenav1"
	"bideuchre.example/bot/internal/cards"
	"bideuchre.example/bot/internal/game"
)

const (
	// maxAnswers is the most that one request may carry.
	maxAnswers = 1024
	// maxUnacknowledged is how many items may come without an answer before an empty request
	// acknowledges them.
	maxUnacknowledged = 256
)

// Player plays one game.
type Player interface {
	// Act gives one of the legal actions of a decision, of which there are at least two.
	Act(decision *arenav1.Decision) *arenav1.Action
}

// Session is everything that is known between Welcome and Goodbye. One goroutine owns it.
type Session struct {
	newPlayer func(*game.Game) Player
	say       func(format string, values ...any)

	acknowledged uint32 // the sequence number of the last item taken in
	told         uint32 // the last of them that the arena was told of
	answers      []*arenav1.Answer
	matches      map[uint32]*arenav1.MatchStart
	tables       map[uint32]*table
}

// New gives a session without tables.
//
// Every game gets a player of its own from newPlayer; what the bot's author should know goes to
// say, a line at a time.
func New(newPlayer func(*game.Game) Player, say func(format string, values ...any)) *Session {
	session := &Session{newPlayer: newPlayer, say: say}
	session.Begin()
	return session
}

// Begin forgets whatever there was: the arena has begun a new session.
func (s *Session) Begin() {
	s.acknowledged, s.told = 0, 0
	s.answers = nil
	s.matches = map[uint32]*arenav1.MatchStart{}
	s.tables = map[uint32]*table{}
}

// Resume goes on with the same session on a new stream, where what is open will be asked again.
func (s *Session) Resume() { s.answers = nil }

// Acknowledged gives the sequence number of the last item taken in, 0 for none.
func (s *Session) Acknowledged() uint32 { return s.acknowledged }

// Request gives what is to be sent now, nil for nothing.
func (s *Session) Request() *arenav1.PlayRequest {
	if len(s.answers) == 0 && s.acknowledged-s.told < maxUnacknowledged {
		return nil
	}
	count := min(len(s.answers), maxAnswers)
	answers := &arenav1.Answers{Answers: s.answers[:count:count]}
	s.answers = s.answers[count:]
	s.told = s.acknowledged
	return &arenav1.PlayRequest{
		Acknowledged: s.acknowledged,
		Message:      &arenav1.PlayRequest_Answers{Answers: answers},
	}
}

// Take takes in one item. An error is the player's bug; whatever the arena sends is borne.
func (s *Session) Take(item *arenav1.Item) error {
	fresh := item.GetSequence() > s.acknowledged
	if fresh {
		s.acknowledged = item.GetSequence()
	}
	if question, ok := item.GetItem().(*arenav1.Item_Decision); ok {
		return s.decide(question.Decision)
	}
	if fresh {
		s.takeEvent(item)
	}
	return nil
}

// takeEvent leaves out the arms that mean nothing to this bot, and those of later versions.
func (s *Session) takeEvent(item *arenav1.Item) {
	switch event := item.GetItem().(type) {
	case *arenav1.Item_MatchStart:
		s.matches[event.MatchStart.GetMatchId()] = event.MatchStart
	case *arenav1.Item_GameStart:
		s.startGame(event.GameStart)
	case *arenav1.Item_Rejected:
		s.reject(event.Rejected)
	case *arenav1.Item_GameFinished:
		delete(s.tables, event.GameFinished.GetTableId())
	case *arenav1.Item_MatchFinished:
		s.finishMatch(event.MatchFinished.GetMatchId())
	}
}

func (s *Session) startGame(start *arenav1.GameStart) {
	match, known := s.matches[start.GetMatchId()]
	if !known {
		s.say("the arena began a game of match %d, unknown here", start.GetMatchId())
		return
	}
	begun := game.New(match, start)
	s.tables[start.GetTableId()] = &table{game: begun, player: s.newPlayer(begun)}
}

func (s *Session) finishMatch(id uint32) {
	delete(s.matches, id)
	for number, table := range s.tables {
		if table.game.Match.GetMatchId() == id {
			delete(s.tables, number)
		}
	}
}

func (s *Session) decide(decision *arenav1.Decision) error {
	if len(decision.GetLegal()) == 0 {
		s.say("the arena asked question %d without a legal action", decision.GetDecisionId())
		return nil
	}
	table, known := s.tables[decision.GetTableId()]
	if !known {
		s.say("the arena asked at table %d, which it never opened", decision.GetTableId())
		s.answer(decision.GetDecisionId(), decision.GetLegal()[0])
		return nil
	}
	if !table.hasAnswered(decision) {
		if err := table.ask(decision); err != nil {
			return err
		}
	}
	s.answer(decision.GetDecisionId(), table.answer)
	return nil
}

func (s *Session) answer(decision uint32, action *arenav1.Action) {
	s.answers = append(s.answers, &arenav1.Answer{DecisionId: decision, Action: action})
}

// reject tells of an answer that was not taken and, once for a question, gives the first legal one.
func (s *Session) reject(rejected *arenav1.Rejected) {
	table := s.tableOf(rejected.GetDecisionId())
	what := "a message"
	if table != nil {
		what = fmt.Sprintf("the answer '%s'", table.text(table.answer))
	}
	paragraph := ""
	if rejected.GetParagraph() != "" {
		paragraph = fmt.Sprintf(" (rules %s)", rejected.GetParagraph())
	}
	s.say("the arena did not take %s: %s%s", what, rejected.GetText(), paragraph)
	if rejected.GetOpen() && table != nil && !table.refused {
		table.refused = true
		table.answer = table.decision.GetLegal()[0]
		s.say("answered '%s' in its place; this counts as a fault of the bot",
			table.text(table.answer))
		s.answer(rejected.GetDecisionId(), table.answer)
	}
}

func (s *Session) tableOf(decision uint32) *table {
	for _, table := range s.tables {
		if table.decision != nil && table.decision.GetDecisionId() == decision {
			return table
		}
	}
	return nil
}

// table is a game in progress, with its last question and the answer to it.
type table struct {
	game     *game.Game
	player   Player
	decision *arenav1.Decision
	answer   *arenav1.Action
	refused  bool
}

func (t *table) hasAnswered(decision *arenav1.Decision) bool {
	return t.decision != nil && t.decision.GetDecisionId() == decision.GetDecisionId()
}

func (t *table) ask(decision *arenav1.Decision) error {
	answer, err := act(t.player, decision)
	if err != nil {
		return err
	}
	t.decision, t.answer, t.refused = decision, answer, false
	return nil
}

func (t *table) text(action *arenav1.Action) string {
	return cards.ActionText(t.game.Variant(), action)
}

// act turns what goes wrong in a player into an error, so that the process ends as it should.
func act(player Player, decision *arenav1.Decision) (answer *arenav1.Action, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = newPanic(decision, cause)
		}
	}()
	answer = player.Act(decision)
	if answer == nil {
		return nil, fmt.Errorf("the bot's Act returned nil at decision %d; it must return one of "+
			"the legal actions", decision.GetDecisionId())
	}
	return answer, nil
}
