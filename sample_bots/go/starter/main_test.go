package main

import (
	"errors"
	"testing"

	"bideuchre.example/bot/internal/client"
	"bideuchre.example/bot/internal/session"
)

func TestExitCodes(t *testing.T) {
	cases := map[int]error{
		orderly: nil,
		failed:  errors.New("lost"),
		refused: &client.RefusedError{},
	}
	for want, err := range cases {
		if got := exitCode(err); got != want {
			t.Errorf("%v gave %d, want %d", err, got, want)
		}
	}
	if got := exitCode(&session.PanicError{}); got != failed {
		t.Errorf("a bug gave %d", got)
	}
}

func TestWrongUsage(t *testing.T) {
	t.Setenv("ARENA_ADDR", "nowhere")
	t.Setenv("ARENA_TOKEN", "secret")
	if got := run(nil); got != usage {
		t.Errorf("got %d", got)
	}
	if got := run([]string{"--help"}); got != orderly {
		t.Errorf("help gave %d", got)
	}
}
