package options

import (
	"path/filepath"
	"testing"
)

func TestParseAddress(t *testing.T) {
	here, err := filepath.Abs("here.sock")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]Address{
		"127.0.0.1:50051":     {Target: "127.0.0.1:50051", Local: true},
		"127.255.0.9:1":       {Target: "127.255.0.9:1", Local: true},
		"localhost:65535":     {Target: "localhost:65535", Local: true},
		"[::1]:50051":         {Target: "[::1]:50051", Local: true},
		"[fe80::1]:50051":     {Target: "[fe80::1]:50051"},
		"far.example:50051":   {Target: "far.example:50051"},
		"127.0.0.1.example:1": {Target: "127.0.0.1.example:1"},
		"tls:far.example:443": {Target: "far.example:443", TLS: true},
		"tls:localhost:443":   {Target: "localhost:443", Local: true, TLS: true},
		"unix:/run/a.sock":    {Target: "unix:///run/a.sock", Local: true, Unix: true},
		"unix:///run/a.sock":  {Target: "unix:///run/a.sock", Local: true, Unix: true},
		"unix:/run/a%b.sock":  {Target: "unix:///run/a%25b.sock", Local: true, Unix: true},
		"unix:here.sock":      {Target: "unix://" + here, Local: true, Unix: true},
	}
	for text, want := range cases {
		want.text = text
		got, err := ParseAddress(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: got %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, text := range []string{
		"", "here", "here:", ":50051", "here:0", "here:65536", "here:port", "::1:50051",
		"http://here:1", "a b:1", "tls:", "tls:unix:/a", "unix:", "unix://",
	} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("%q became %+v", text, got)
		}
	}
}
