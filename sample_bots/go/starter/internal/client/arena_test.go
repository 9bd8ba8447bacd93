package client

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"bideuchre.example/bot/internal/arenav1"
	"bideuchre.example/bot/internal/game"
	"bideuchre.example/bot/internal/options"
	"bideuchre.example/bot/internal/session"
)

// arena is a server that plays a script: one function for each stream, in order.
type arena struct {
	arenav1.UnimplementedRefereeServiceServer
	*testing.T
	server  *grpc.Server
	address string
	scripts []func(*scene) error
	streams atomic.Int32

	act       func(*arenav1.Decision) // done before each answer
	decisions atomic.Int32
	lock      sync.Mutex
	lines     []string
}

func newArena(t *testing.T, scripts ...func(*scene) error) *arena {
	t.Helper()
	folder, err := os.MkdirTemp("", "bot") // a test's own would be too long a name for a socket
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "socket")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	a := &arena{T: t, server: grpc.NewServer(), address: "unix:" + path, scripts: scripts}
	arenav1.RegisterRefereeServiceServer(a.server, a)
	ended := make(chan error, 1)
	go func() { ended <- a.server.Serve(listener) }()
	t.Cleanup(func() {
		a.server.Stop()
		<-ended
		_ = os.RemoveAll(folder)
	})
	return a
}

// Play plays the next script.
func (a *arena) Play(stream arenav1.RefereeService_PlayServer) error {
	number := int(a.streams.Add(1))
	if number > len(a.scripts) {
		return status.Error(codes.Unauthenticated, "the script is at its end")
	}
	return a.scripts[number-1](&scene{arena: a, stream: stream, number: number})
}

// Act makes the arena the player of its own games, which counts.
func (a *arena) Act(decision *arenav1.Decision) *arenav1.Action {
	a.decisions.Add(1)
	if a.act != nil {
		a.act(decision)
	}
	return decision.GetLegal()[0]
}

func (a *arena) asked() int { return int(a.decisions.Load()) }

// play has a client play in this arena.
func (a *arena) play(ctx context.Context) error {
	address, err := options.ParseAddress(a.address)
	if err != nil {
		return err
	}
	settings := &options.Options{Address: address, Token: "secret", Name: "go-starter", Tables: 64}
	patience := Patience{
		First: time.Millisecond, Most: time.Millisecond, Total: 50 * time.Millisecond,
	}
	if len(a.scripts) > 0 {
		patience.Total = time.Minute // a slow machine is no reason to fail
	}
	played := session.New(func(*game.Game) session.Player { return a }, a.say)
	return New(settings, played, patience, a.say).Play(ctx)
}

func (a *arena) say(format string, values ...any) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.lines = append(a.lines, fmt.Sprintf(format, values...))
}

func (a *arena) said() []string {
	a.lock.Lock()
	defer a.lock.Unlock()
	return a.lines
}

// scene is one stream of a script.
type scene struct {
	*arena
	stream       arenav1.RefereeService_PlayServer
	number       int    // of the stream, from 1
	acknowledged uint32 // by the last request
	sequence     uint32
}

func (s *scene) receive() *arenav1.PlayRequest {
	request, err := s.stream.Recv()
	if err != nil {
		s.Errorf("stream %d: %v", s.number, err)
	}
	s.acknowledged = request.GetAcknowledged()
	return request
}

func (s *scene) hello() *arenav1.Hello { return s.receive().GetHello() }

func (s *scene) answers() []*arenav1.Answer { return s.receive().GetAnswers().GetAnswers() }

func (s *scene) send(response *arenav1.PlayResponse) {
	if err := s.stream.Send(response); err != nil {
		s.Errorf("stream %d: %v", s.number, err)
	}
}

func (s *scene) welcome(resumed bool) {
	s.send(&arenav1.PlayResponse{Message: &arenav1.PlayResponse_Welcome{
		Welcome: &arenav1.Welcome{
			SessionToken: fmt.Sprintf("session %d", s.number), Resumed: resumed,
		},
	}})
	s.sequence = s.acknowledged
}

func (s *scene) goodbye() {
	s.send(&arenav1.PlayResponse{Message: &arenav1.PlayResponse_Goodbye{
		Goodbye: &arenav1.Goodbye{},
	}})
}

// items sends the items that some functions make, all in one message.
func (s *scene) items(makers ...func() []*arenav1.Item) {
	var items []*arenav1.Item
	for _, maker := range makers {
		items = append(items, maker()...)
	}
	for _, item := range items {
		s.sequence++
		item.Sequence = s.sequence
	}
	s.send(&arenav1.PlayResponse{Message: &arenav1.PlayResponse_Items{
		Items: &arenav1.Items{Items: items},
	}})
}

// begin makes a match and a game.
func begin() []*arenav1.Item {
	return []*arenav1.Item{
		{Item: &arenav1.Item_MatchStart{MatchStart: &arenav1.MatchStart{MatchId: 1}}},
		{Item: &arenav1.Item_GameStart{GameStart: &arenav1.GameStart{MatchId: 1, TableId: 1}}},
	}
}

func question(id uint32) func() []*arenav1.Item {
	pass := &arenav1.Action{Kind: arenav1.ActionKind_ACTION_KIND_PASS}
	decision := &arenav1.Decision{DecisionId: id, TableId: 1, Legal: []*arenav1.Action{pass}}
	return func() []*arenav1.Item {
		return []*arenav1.Item{{Item: &arenav1.Item_Decision{Decision: decision}}}
	}
}
