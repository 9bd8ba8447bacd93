package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"bideuchre.example/bot/internal/arenav1"
	"bideuchre.example/bot/internal/game"
)

// fake is a player that takes the last legal action, counts, and can be made to misbehave.
type fake struct {
	asked int
	act   func(*arenav1.Decision) *arenav1.Action
}

func (f *fake) Act(decision *arenav1.Decision) *arenav1.Action {
	f.asked++
	if f.act != nil {
		return f.act(decision)
	}
	return decision.GetLegal()[len(decision.GetLegal())-1]
}

// desk is a session under test, with what it has said and the players it has made.
type desk struct {
	*testing.T
	*Session
	sequence uint32
	said     []string
	players  []*fake
	games    []*game.Game
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t}
	d.Session = New(func(begun *game.Game) Player {
		player := &fake{}
		d.players, d.games = append(d.players, player), append(d.games, begun)
		return player
	}, func(format string, values ...any) { d.said = append(d.said, fmt.Sprintf(format, values...)) })
	return d
}

// openDesk has match 9 with a game at table 7.
func openDesk(t *testing.T) *desk {
	d := newDesk(t)
	d.next(matchStart(9))
	d.next(gameStart(9, 7))
	return d
}

// next takes in an item with the next sequence number.
func (d *desk) next(item *arenav1.Item) {
	d.Helper()
	d.sequence++
	item.Sequence = d.sequence
	if err := d.Take(item); err != nil {
		d.Fatal(err)
	}
}

// sent gives all that is to be sent now, as text such as `1 CARD_9C`.
func (d *desk) sent() []string {
	var texts []string
	for request := d.Request(); request != nil; request = d.Request() {
		for _, answer := range request.GetAnswers().GetAnswers() {
			texts = append(texts, fmt.Sprint(answer.GetDecisionId(), " ", answer.GetAction().GetCard()))
		}
	}
	return texts
}

func (d *desk) wantSent(want ...string) {
	d.Helper()
	if got := d.sent(); !slices.Equal(got, want) {
		d.Errorf("sent %q, want %q", got, want)
	}
}

func (d *desk) wantSaid(parts ...string) {
	d.Helper()
	if len(d.said) != len(parts) {
		d.Fatalf("said %q, want %q", d.said, parts)
	}
	for i, part := range parts {
		if !strings.Contains(d.said[i], part) {
			d.Errorf("said %q, want %q", d.said[i], part)
		}
	}
}

func matchStart(match uint32) *arenav1.Item {
	return &arenav1.Item{Item: &arenav1.Item_MatchStart{
		MatchStart: &arenav1.MatchStart{MatchId: match, Variant: &arenav1.Variant{}},
	}}
}

func gameStart(match, table uint32) *arenav1.Item {
	return &arenav1.Item{Item: &arenav1.Item_GameStart{GameStart: &arenav1.GameStart{
		MatchId: match, TableId: table, Seat: 2, BotSeed: []byte{0, 1, 2, 3, 4, 5, 6, 7},
	}}}
}

func decision(id, table uint32) *arenav1.Item {
	return &arenav1.Item{Item: &arenav1.Item_Decision{Decision: &arenav1.Decision{
		DecisionId: id, TableId: table,
		Legal: []*arenav1.Action{
			{Kind: arenav1.ActionKind_ACTION_KIND_PLAY, Card: arenav1.Card_CARD_9C},
			{Kind: arenav1.ActionKind_ACTION_KIND_PLAY, Card: arenav1.Card_CARD_AS},
		},
	}}}
}

func rejected(id uint32, open bool) *arenav1.Item {
	return &arenav1.Item{Item: &arenav1.Item_Rejected{Rejected: &arenav1.Rejected{
		DecisionId: id, Open: open, Text: "it does not follow", Paragraph: "C3.4",
	}}}
}

func TestAQuestionIsAnswered(t *testing.T) {
	d := openDesk(t)
	d.next(decision(1, 7))
	request := d.Request()
	if request.GetAcknowledged() != 3 || len(request.GetAnswers().GetAnswers()) != 1 {
		t.Errorf("sent %v", request)
	}
	if d.Request() != nil {
		t.Error("something is left to be sent")
	}
	if len(d.games) != 1 || d.games[0].Seat != 2 || d.games[0].Match.GetMatchId() != 9 {
		t.Errorf("games are %+v", d.games)
	}
}

func TestAllAnswersGoOutTogetherUpToTheLimit(t *testing.T) {
	d := openDesk(t)
	for id := range uint32(maxAnswers + 1) {
		d.next(decision(id+1, 7))
	}
	first, second := d.Request(), d.Request()
	got := []int{len(first.GetAnswers().GetAnswers()), len(second.GetAnswers().GetAnswers())}
	if !slices.Equal(got, []int{maxAnswers, 1}) || d.Request() != nil {
		t.Errorf("answers went out as %d", got)
	}
}

func TestChanceFollowsFromTheSeed(t *testing.T) {
	one, two := openDesk(t), openDesk(t)
	if a, b := one.games[0].Chance.Uint64(), two.games[0].Chance.Uint64(); a != b {
		t.Errorf("one seed gave %d and %d", a, b)
	}
	three := newDesk(t)
	three.next(matchStart(9))
	start := gameStart(9, 7)
	start.GetGameStart().BotSeed = []byte{7, 6, 5, 4, 3, 2, 1, 0}
	three.next(start)
	two = openDesk(t)
	if a, b := two.games[0].Chance.Uint64(), three.games[0].Chance.Uint64(); a == b {
		t.Errorf("two seeds gave %d", a)
	}
}

func TestAnEventThatComesAgainIsDropped(t *testing.T) {
	d := openDesk(t)
	again := gameStart(9, 7)
	again.Sequence = 2
	if err := d.Take(again); err != nil {
		t.Fatal(err)
	}
	if len(d.players) != 1 || d.Acknowledged() != 2 {
		t.Errorf("%d players, acknowledged %d", len(d.players), d.Acknowledged())
	}
}

func TestAQuestionThatComesAgainGetsTheSameAnswer(t *testing.T) {
	d := openDesk(t)
	d.next(decision(1, 7))
	d.Resume() // the answer was lost with the stream
	d.wantSent()
	d.next(decision(1, 7))
	d.wantSent("1 CARD_AS")
	if d.players[0].asked != 1 {
		t.Errorf("the player was asked %d times", d.players[0].asked)
	}
}

func TestANewSessionForgetsTheOld(t *testing.T) {
	d := openDesk(t)
	d.next(decision(1, 7))
	d.Begin()
	if d.Acknowledged() != 0 || d.Request() != nil || len(d.tables)+len(d.matches) != 0 {
		t.Errorf("something is left: %+v", d.Session)
	}
}

func TestARejectedAnswerIsReplacedOnce(t *testing.T) {
	d := openDesk(t)
	d.next(decision(1, 7))
	d.wantSent("1 CARD_AS")
	d.next(rejected(1, true))
	d.wantSent("1 CARD_9C")
	d.wantSaid("the arena did not take the answer 'play AS': it does not follow (rules C3.4)",
		"answered 'play 9C' in its place; this counts as a fault of the bot")
	d.next(rejected(1, true))
	d.wantSent()
	d.next(decision(2, 7))
	d.next(rejected(2, true))
	d.wantSent("2 CARD_AS", "2 CARD_9C")
}

func TestARejectionThatIsClosedIsOnlyTold(t *testing.T) {
	d := openDesk(t)
	d.next(decision(1, 7))
	d.wantSent("1 CARD_AS")
	d.next(rejected(1, false))
	d.next(rejected(0, false))
	d.wantSent()
	d.wantSaid("'play AS'", "the arena did not take a message")
}

func TestWhatIsNotKnownIsBorne(t *testing.T) {
	d := newDesk(t)
	d.next(&arenav1.Item{})
	later := &arenav1.Item{}
	if err := proto.Unmarshal([]byte{0x08, 0x02, 0xfa, 0x06, 0x00}, later); err != nil { // field 111
		t.Fatal(err)
	}
	d.next(later)
	d.next(gameStart(8, 7))
	d.next(decision(1, 7))
	d.next(&arenav1.Item{Item: &arenav1.Item_Decision{Decision: &arenav1.Decision{DecisionId: 2}}})
	d.wantSent("1 CARD_9C")
	d.wantSaid("a game of match 8, unknown here", "table 7, which it never opened",
		"question 2 without a legal action")
	if d.Acknowledged() != 5 {
		t.Errorf("acknowledged %d", d.Acknowledged())
	}
}

func TestManyItemsWithoutAnAnswerAreAcknowledged(t *testing.T) {
	d := newDesk(t)
	for range maxUnacknowledged - 1 {
		d.next(matchStart(9))
	}
	if request := d.Request(); request != nil {
		t.Fatalf("sent %v too early", request)
	}
	d.next(matchStart(9))
	request := d.Request()
	if request.GetAcknowledged() != maxUnacknowledged || request.GetAnswers() == nil {
		t.Errorf("sent %v", request)
	}
	if d.Request() != nil {
		t.Error("sent it again")
	}
}

func TestFinishedGamesAndMatchesAreForgotten(t *testing.T) {
	d := openDesk(t)
	d.next(gameStart(9, 8))
	d.next(matchStart(10))
	d.next(gameStart(10, 11))
	d.next(&arenav1.Item{Item: &arenav1.Item_GameFinished{
		GameFinished: &arenav1.GameFinished{TableId: 7},
	}})
	if len(d.tables) != 2 || d.tables[7] != nil {
		t.Errorf("after the game there are %v", d.tables)
	}
	d.next(&arenav1.Item{Item: &arenav1.Item_MatchFinished{
		MatchFinished: &arenav1.MatchFinished{MatchId: 9},
	}})
	if len(d.tables) != 1 || d.tables[11] == nil || len(d.matches) != 1 {
		t.Errorf("after the match there are %v and %v", d.tables, d.matches)
	}
}

func TestAPlayersBugIsAnError(t *testing.T) {
	d := openDesk(t)
	d.players[0].act = func(*arenav1.Decision) *arenav1.Action { return nil }
	if err := d.Take(decision(1, 7)); err == nil || !strings.Contains(err.Error(), "returned nil") {
		t.Errorf("nil gave %v", err)
	}
	d.players[0].act = func(*arenav1.Decision) *arenav1.Action { panic("no idea") }
	var bug *PanicError
	err := d.Take(decision(2, 7))
	if !errors.As(err, &bug) || !strings.Contains(err.Error(), "decision 2: no idea") {
		t.Errorf("a panic gave %v", err)
	}
	if !strings.Contains(string(bug.Stack), "session_test.go") {
		t.Errorf("the stack does not show where: %s", bug.Stack)
	}
}
