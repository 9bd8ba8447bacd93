package main

import (
	"fmt"
	"log"
	"strings"
	"unicode"
)

const maxCharacters = 500

// say tells the bot's author one line.
func say(format string, values ...any) {
	log.Print(printable(fmt.Sprintf(format, values...)))
}

// printable gives a text as one line that is safe to print, whatever an arena made it of: control
// characters as \x1b, and not without end.
func printable(text string) string {
	var line strings.Builder
	count := 0
	for _, character := range text {
		if count++; count > maxCharacters {
			line.WriteString("...")
			break
		}
		if unicode.IsControl(character) {
			fmt.Fprintf(&line, `\x%02x`, character)
		} else {
			line.WriteRune(character)
		}
	}
	return line.String()
}
