package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"google.golang.org/genproto/googleapis/rpc/errdetails"

	"bideuchre.example/bot/internal/arenav1"
)

func TestASessionFromHelloToGoodbye(t *testing.T) {
	arena := newArena(t, func(s *scene) error {
		hello := s.hello()
		if hello.GetToken() != "secret" || hello.GetProtocolVersion() != 1 ||
			hello.GetBotName() != "go-starter" || hello.GetTables() != 64 ||
			hello.GetSessionToken() != "" {
			s.Errorf("the Hello was %v", hello)
		}
		s.welcome(false)
		s.send(&arenav1.PlayResponse{}) // of a later version
		s.items(begin, question(1), question(2))
		if answers := s.answers(); len(answers) != 2 || s.acknowledged != 4 {
			s.Errorf("got %v, acknowledged %d", answers, s.acknowledged)
		}
		s.send(&arenav1.PlayResponse{Message: &arenav1.PlayResponse_Draining{
			Draining: &arenav1.Draining{Text: "it stops"},
		}})
		s.goodbye()
		return nil
	})
	if err := arena.play(t.Context()); err != nil {
		t.Error(err)
	}
	if !slices.Contains(arena.said(), "the arena says: it stops") {
		t.Errorf("said %q", arena.said())
	}
}

func TestRefusalsAreFinal(t *testing.T) {
	for _, code := range []codes.Code{
		codes.Unauthenticated, codes.PermissionDenied, codes.FailedPrecondition,
		codes.InvalidArgument, codes.Unimplemented, codes.ResourceExhausted,
	} {
		arena := newArena(t, func(s *scene) error {
			s.hello()
			return status.Error(code, "no such bot.")
		})
		err := arena.play(t.Context())
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.HasSuffix(err.Error(), "the bot: no such bot") {
			t.Errorf("%v: got %v", code, err)
		}
	}
}

func TestABusyArenaIsAskedAgain(t *testing.T) {
	arena := newArena(t, func(s *scene) error {
		s.hello()
		busy, err := status.New(codes.ResourceExhausted, "busy; try again in 1 s").WithDetails(
			&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
		if err != nil {
			return err
		}
		return busy.Err()
	}, func(s *scene) error {
		s.hello()
		s.goodbye()
		return nil
	})
	if err := arena.play(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestABrokenStreamIsResumed(t *testing.T) {
	for _, end := range []error{nil, status.Error(codes.Unavailable, ""), errors.New("a bug")} {
		arena := newArena(t, func(s *scene) error {
			s.hello()
			s.welcome(false)
			s.items(begin, question(1))
			s.answers()
			return end
		}, func(s *scene) error {
			hello := s.hello()
			if hello.GetSessionToken() != "session 1" || s.acknowledged != 3 {
				s.Errorf("resumed with %v, acknowledged %d", hello, s.acknowledged)
			}
			s.welcome(true)
			s.items(question(1)) // the answer was lost
			if answers := s.answers(); len(answers) != 1 || answers[0].GetDecisionId() != 1 {
				s.Errorf("got %v", answers)
			}
			s.goodbye()
			return nil
		})
		if err := arena.play(t.Context()); err != nil {
			t.Error(err)
		}
		if arena.asked() != 1 {
			t.Errorf("the player was asked %d times", arena.asked())
		}
	}
}

func TestALostSessionIsBegunAnew(t *testing.T) {
	arena := newArena(t, func(s *scene) error {
		s.hello()
		s.welcome(false)
		s.items(begin, question(1))
		s.answers()
		return nil
	}, func(s *scene) error {
		s.hello()
		return status.Error(codes.FailedPrecondition, "the session cannot be resumed")
	}, func(s *scene) error {
		if hello := s.hello(); hello.GetSessionToken() != "" || s.acknowledged != 0 {
			s.Errorf("began with %v, acknowledged %d", hello, s.acknowledged)
		}
		s.welcome(false)
		s.sequence = 0
		s.items(begin, question(1)) // another question, by an old name
		s.answers()
		s.goodbye()
		return nil
	})
	if err := arena.play(t.Context()); err != nil {
		t.Error(err)
	}
	if arena.asked() != 2 {
		t.Errorf("the player was asked %d times", arena.asked())
	}
}

func TestLeavingSaysGoodbye(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	parted := make(chan bool, 1)
	arena := newArena(t, func(s *scene) error {
		s.hello()
		s.welcome(false)
		leave()
		_, isGoodbye := s.receive().GetMessage().(*arenav1.PlayRequest_Goodbye)
		_, err := s.stream.Recv()
		parted <- isGoodbye && err != nil
		return nil
	})
	if err := arena.play(ctx); err != nil {
		t.Error(err)
	}
	if !<-parted {
		t.Error("there was no Goodbye, or the stream was left open")
	}
}

func TestWhoNeverAnswersAGoodbyeIsLeft(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	arena := newArena(t, func(s *scene) error {
		s.hello()
		s.welcome(false)
		leave()
		<-s.stream.Context().Done()
		return nil
	})
	if err := arena.play(ctx); err != nil {
		t.Error(err)
	}
}

func TestASlowPlayerSendsWhatIsReady(t *testing.T) {
	first := make(chan struct{})
	arena := newArena(t, func(s *scene) error {
		s.hello()
		s.welcome(false)
		s.items(begin, question(1), question(2))
		s.answers()
		close(first)
		s.answers()
		s.goodbye()
		return nil
	})
	arena.act = func(decision *arenav1.Decision) {
		if decision.GetDecisionId() == 1 {
			<-time.After(slice + time.Millisecond)
			return
		}
		<-first // the second answer waits for the first to have arrived
	}
	if err := arena.play(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAPlayersBugEndsTheSession(t *testing.T) {
	arena := newArena(t, func(s *scene) error {
		s.hello()
		s.welcome(false)
		s.items(begin, question(1))
		<-s.stream.Context().Done()
		return nil
	})
	arena.act = func(*arenav1.Decision) { panic("no idea") }
	if err := arena.play(t.Context()); err == nil || !strings.Contains(err.Error(), "no idea") {
		t.Errorf("got %v", err)
	}
}

func TestPatienceEnds(t *testing.T) {
	arena := newArena(t)
	arena.server.Stop()
	err := arena.play(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "lost the arena at unix:") ||
		!strings.HasSuffix(err.Error(), "unavailable for 0.05 seconds; is it running there?") {
		t.Errorf("got %v", err)
	}
}

func TestWaitsGrow(t *testing.T) {
	var waits []time.Duration
	for attempt := range 7 {
		waits = append(waits, DefaultPatience.wait(attempt)/time.Millisecond)
	}
	if want := []time.Duration{100, 200, 400, 800, 1600, 2000, 2000}; !slices.Equal(waits, want) {
		t.Errorf("waits are %d ms", waits)
	}
}
