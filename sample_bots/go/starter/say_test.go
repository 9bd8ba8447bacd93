package main

import (
	"bytes"
	"log"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	cases := map[string]string{
		"the 9♣ of 'Zoë' ~":            "the 9♣ of 'Zoë' ~",
		"a\x00\t\r\nb\x1b[31m\x7f":     `a\x00\x09\x0d\x0ab\x1b[31m\x7f`,
		"\u0080\u009b\u00a0":           `\x80\x9b` + "\u00a0",
		"not \xff UTF-8":               "not \ufffd UTF-8",
		strings.Repeat("é", 500):       strings.Repeat("é", 500),
		strings.Repeat("é", 501) + "é": strings.Repeat("é", 500) + "...",
	}
	for text, want := range cases {
		if got := printable(text); got != want {
			t.Errorf("%q gave %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsSaidIsOneLine(t *testing.T) {
	var said bytes.Buffer
	writer, flags := log.Writer(), log.Flags()
	defer func() { log.SetOutput(writer); log.SetFlags(flags) }()
	log.SetOutput(&said)
	log.SetFlags(0)
	say("the arena says: %s", "\x1b[2J\nall is well")
	if got := said.String(); got != `the arena says: \x1b[2J\x0aall is well`+"\n" {
		t.Errorf("said %q", got)
	}
}
