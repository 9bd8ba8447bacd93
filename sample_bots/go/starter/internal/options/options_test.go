package options

import (
	"errors"
	"strings"
	"testing"

	"bideuchre.example/bot/internal/arenav1"
)

var defaults = Defaults{Name: "go-starter", Version: "1", Tables: 64}

func read(t *testing.T, environment map[string]string, arguments ...string) (*Options, error) {
	t.Helper()
	getenv := func(name string) string { return environment[name] }
	return Read(arguments, getenv, defaults, &strings.Builder{})
}

func TestReadTakesTheEnvironment(t *testing.T) {
	found, err := read(t, map[string]string{
		"ARENA_ADDR": "127.0.0.1:50051", "ARENA_TOKEN": "secret", "ARENA_CHAIR": "Second",
		"ARENA_LANE": "b", "ARENA_NAME": "other", "ARENA_VERSION": "7",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Options{
		Address: found.Address, Token: "secret", Chair: arenav1.Chair_CHAIR_SECOND,
		Lane: arenav1.Lane_LANE_B, Name: "other", Version: "7", Tables: 64,
	}
	if *found != want || found.Address.Target != "127.0.0.1:50051" {
		t.Errorf("got %+v, want %+v", *found, want)
	}
}

func TestAFlagWinsOverItsVariable(t *testing.T) {
	found, err := read(t,
		map[string]string{"ARENA_ADDR": "unix:/a", "ARENA_TOKEN": "old", "ARENA_LANE": "a"},
		"--address", "far.example:1", "--token=new", "--lane", "", "--tables", "1024")
	if err != nil {
		t.Fatal(err)
	}
	want := Options{
		Address: found.Address, Token: "new", Name: "go-starter", Version: "1", Tables: 1024,
	}
	if *found != want || found.Address.String() != "far.example:1" {
		t.Errorf("got %+v, want %+v", *found, want)
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	long := strings.Repeat("ü", 65)
	cases := map[string]struct {
		arguments []string
		want      string
	}{
		"no address":    {[]string{"--address", ""}, "where is the arena? set ARENA_ADDR"},
		"no token":      {[]string{"--token", ""}, "the arena wants a token"},
		"bad address":   {[]string{"--address", "here"}, "'here' is no address"},
		"no tables":     {[]string{"--tables", "0"}, "--tables must be from 1 to 1024, not 0"},
		"many tables":   {[]string{"--tables", "1025"}, "--tables must be from 1 to 1024, not 1025"},
		"no number":     {[]string{"--tables", "many"}, `invalid value "many"`},
		"chair":         {[]string{"--chair", "x"}, "the chair must be 'first' or 'second', not 'x'"},
		"lane":          {[]string{"--lane", "c"}, "the lane must be 'a' or 'b', not 'c'"},
		"long name":     {[]string{"--name", long}, "a bot's name has 1 to 64 characters"},
		"long version":  {[]string{"--version-label", long}, "its version label at most 64"},
		"unknown flag":  {[]string{"--tabels", "3"}, "flag provided but not defined: -tabels"},
		"stray word":    {[]string{"play"}, `"play" is no flag`},
		"missing value": {[]string{"--lane"}, "flag needs an argument: -lane"},
	}
	environment := map[string]string{"ARENA_ADDR": "127.0.0.1:1", "ARENA_TOKEN": "secret"}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := read(t, environment, test.arguments...)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is more than one line", err)
			}
		})
	}
}

func TestHelpKeepsTheTokenToItself(t *testing.T) {
	var help strings.Builder
	getenv := func(string) string { return "secret" }
	_, err := Read([]string{"--help"}, getenv, defaults, &help)
	if !errors.Is(err, ErrHelp) || !strings.Contains(help.String(), "--tables") {
		t.Errorf("got %v and %q", err, help.String())
	}
	if strings.Contains(help.String(), "secret") {
		t.Errorf("the token is in %q", help.String())
	}
}
