// Package game holds what is true of a game from its first question to its last.
package game

import (
	"encoding/binary"
	"math/rand/v2"

	"bideuchre.example/bot/internal/arenav1"
)

// Game is a game at one table, as a player needs to know it.
type Game struct {
	// Match has the rules as data (Match.Variant), the clocks and the limit of faults.
	Match *arenav1.MatchStart
	// Seat is the seat that is played, 0 to 3.
	Seat uint32
	// Chance is where all chance is to come from: the arena seeds it, so that the same tournament
	// gives the same games.
	Chance *rand.Rand
}

// New gives the game that a match and a start of a game describe.
func New(match *arenav1.MatchStart, start *arenav1.GameStart) *Game {
	var seed [8]byte
	copy(seed[:], start.GetBotSeed())
	source := rand.NewPCG(binary.BigEndian.Uint64(seed[:]), 0)
	return &Game{Match: match, Seat: start.GetSeat(), Chance: rand.New(source)}
}

// Variant gives the rules as data.
func (g *Game) Variant() *arenav1.Variant { return g.Match.GetVariant() }
