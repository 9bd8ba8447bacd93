// Command bot plays Bid Euchre in an arena.
//
// Exit codes: 0 the session ended in order, 1 the arena cannot be reached or the bot has a bug,
// 2 wrong usage, 3 the arena refused the bot.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"os/signal"
	"syscall"

	"bideuchre.example/bot/internal/client"
	"bideuchre.example/bot/internal/options"
	"bideuchre.example/bot/internal/session"
	"bideuchre.example/bot/internal/strategy"
)

const (
	orderly = 0
	failed  = 1
	usage   = 2
	refused = 3
	killed  = 128
)

// What the bot says of itself where neither the environment nor a flag does.
var defaults = options.Defaults{
	Name:    "go-starter",
	Version: "1",
	Tables:  64, // it decides in microseconds; a bot that searches should ask for fewer
}

func main() {
	log.SetFlags(0) // standard error, plain lines
	os.Exit(run(os.Args[1:]))
}

func run(arguments []string) int {
	settings, err := options.Read(arguments, os.Getenv, defaults, os.Stderr)
	switch {
	case errors.Is(err, options.ErrHelp):
		return orderly
	case err != nil:
		say("%s: %v", defaults.Name, err)
		return usage
	}
	played := session.New(strategy.New, say)
	err = client.New(settings, played, client.DefaultPatience, say).Play(untilSignal())
	if err != nil {
		say("%v", err)
	}
	return exitCode(err)
}

func exitCode(err error) int {
	var refusal *client.RefusedError
	var bug *session.PanicError
	switch {
	case err == nil:
		return orderly
	case errors.As(err, &refusal):
		return refused
	case errors.As(err, &bug):
		log.Printf("%s", bug.Stack)
	}
	return failed
}

// untilSignal gives a context that the first SIGTERM or SIGINT ends, so that the bot says goodbye.
// The second ends a bot that is stuck.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-signals
		cancel()
		if number, ok := (<-signals).(syscall.Signal); ok {
			os.Exit(killed + int(number))
		}
	}()
	return ctx
}
