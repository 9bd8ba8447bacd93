package session

import (
	"fmt"
	"runtime/debug"

	"bideuchre.example/bot/internal/arenav1"
)

// PanicError is a panic in a player's Act: the bot's own bug.
type PanicError struct {
	Decision uint32
	Cause    any
	Stack    []byte // where it happened, for the bot's author
}

func newPanic(decision *arenav1.Decision, cause any) *PanicError {
	return &PanicError{Decision: decision.GetDecisionId(), Cause: cause, Stack: debug.Stack()}
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("the bot's Act panicked at decision %d: %v", e.Decision, e.Cause)
}
