// Package options reads where the bot plays and as what: environment variables, and flags that
// override them.
package options

import (
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bideuchre.example/bot/internal/arenav1"
)

// MaxTables is the most games at once that a session may ask for.
const MaxTables = 1024

// ErrHelp says that the usage was asked for, and has been printed.
var ErrHelp = flag.ErrHelp

// Options say where a bot plays and as what.
type Options struct {
	Address Address
	TLS     *tls.Config // nil where the address is dialled without TLS
	Token   string
	Chair   arenav1.Chair
	Lane    arenav1.Lane
	Name    string
	Version string
	Tables  uint32
}

// Defaults hold what a bot says of itself where nobody says otherwise.
type Defaults struct {
	Name    string
	Version string
	Tables  int
}

// given is what stands on the command line, or else in the environment.
type given struct {
	address, token       string
	ca, certificate, key string
	chair, lane          string
	name, version        string
	tables               int
}

// Read gives the options of a command line, without the program's name. Every error is one
// sentence, ready to be shown. Usage goes to help, if it is asked for.
func Read(
	arguments []string, getenv func(string) string, defaults Defaults, help io.Writer,
) (*Options, error) {
	var found given
	if err := found.parse(arguments, getenv, defaults, help); err != nil {
		return nil, err
	}
	if err := found.check(); err != nil {
		return nil, err
	}
	return found.options()
}

func (g *given) parse(
	arguments []string, getenv func(string) string, defaults Defaults, help io.Writer,
) error {
	flags := flag.NewFlagSet(defaults.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // what is wrong is returned, without the usage behind it
	text := func(field *string, name, variable, fallback, usage string) {
		value := getenv(variable)
		if value == "" {
			value = fallback
		}
		flags.StringVar(field, name, value, usage+" ("+variable+")")
	}
	text(&g.address, "address", "ARENA_ADDR", "", "`HOST:PORT`, tls:HOST:PORT or unix:PATH")
	text(&g.token, "token", "ARENA_TOKEN", "", "the bot's token; better in the variable")
	text(&g.ca, "tls-ca", "ARENA_TLS_CA", "", "whom to trust, a PEM `file`")
	text(&g.certificate, "tls-cert", "ARENA_TLS_CERT", "", "the bot's certificate, a PEM `file`")
	text(&g.key, "tls-key", "ARENA_TLS_KEY", "", "its private key, a PEM `file`")
	text(&g.chair, "chair", "ARENA_CHAIR", "", "first or second")
	text(&g.lane, "lane", "ARENA_LANE", "", "a or b; else both")
	text(&g.name, "name", "ARENA_NAME", defaults.Name, "the bot's name")
	text(&g.version, "version-label", "ARENA_VERSION", defaults.Version, "its version")
	flags.IntVar(&g.tables, "tables", defaults.Tables, "how many games at once, 1 to 1024")

	err := flags.Parse(arguments)
	if errors.Is(err, flag.ErrHelp) {
		printUsage(flags, help)
		return ErrHelp
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("%q is no flag", flags.Arg(0))
	}
	return err
}

// printUsage leaves the defaults out: the token may be among them.
func printUsage(flags *flag.FlagSet, help io.Writer) {
	fmt.Fprintf(help, "Plays Bid Euchre as %s.\n", flags.Name())
	flags.VisitAll(func(option *flag.Flag) {
		fmt.Fprintf(help, "  --%-14s %s\n", option.Name, strings.ReplaceAll(option.Usage, "`", ""))
	})
}

func (g *given) check() error {
	switch {
	case g.address == "":
		return errors.New("where is the arena? set ARENA_ADDR or give --address " +
			"HOST:PORT, tls:HOST:PORT or unix:PATH")
	case g.token == "":
		return errors.New("the arena wants a token; set ARENA_TOKEN or give --token")
	case g.tables < 1 || g.tables > MaxTables:
		return fmt.Errorf("--tables must be from 1 to %d, not %d", MaxTables, g.tables)
	}
	name, version := utf8.RuneCountInString(g.name), utf8.RuneCountInString(g.version)
	if name < 1 || name > 64 || version > 64 {
		return errors.New("a bot's name has 1 to 64 characters, its version label at most 64")
	}
	return nil
}

func (g *given) options() (*Options, error) {
	address, err := ParseAddress(g.address)
	if err != nil {
		return nil, err
	}
	identity, err := identityAt(address, g.ca, g.certificate, g.key)
	if err != nil {
		return nil, err
	}
	chair, err := parseChair(g.chair)
	if err != nil {
		return nil, err
	}
	lane, err := parseLane(g.lane)
	if err != nil {
		return nil, err
	}
	return &Options{
		Address: address,
		TLS:     identity,
		Token:   g.token,
		Chair:   chair,
		Lane:    lane,
		Name:    g.name,
		Version: g.version,
		Tables:  uint32(g.tables),
	}, nil
}

func parseChair(text string) (arenav1.Chair, error) {
	switch strings.ToLower(text) {
	case "":
		return arenav1.Chair_CHAIR_UNSPECIFIED, nil
	case "first":
		return arenav1.Chair_CHAIR_FIRST, nil
	case "second":
		return arenav1.Chair_CHAIR_SECOND, nil
	}
	return 0, fmt.Errorf("the chair must be 'first' or 'second', not '%s'", text)
}

func parseLane(text string) (arenav1.Lane, error) {
	switch strings.ToLower(text) {
	case "":
		return arenav1.Lane_LANE_UNSPECIFIED, nil
	case "a":
		return arenav1.Lane_LANE_A, nil
	case "b":
		return arenav1.Lane_LANE_B, nil
	}
	return 0, fmt.Errorf("the lane must be 'a' or 'b', not '%s'", text)
}
