package options

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var (
	hostPort = regexp.MustCompile(`^([^\s:\[\]/]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$`)
	loopback = regexp.MustCompile(`^(localhost|127(\.\d+){3}|\[::1\])$`)
)

// Address is where the arena listens.
type Address struct {
	Target string // as gRPC wants it
	Local  bool   // on this machine: no proxy, no keepalive
	Unix   bool   // a Unix socket
	TLS    bool   // it speaks TLS

	text string
}

// String gives the address as it was written.
func (a Address) String() string { return a.text }

// ParseAddress gives the address that a text names. An error is one sentence.
func ParseAddress(text string) (Address, error) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		return unixAddress(text, path)
	}
	target, tls := strings.CutPrefix(text, "tls:")
	match := hostPort.FindStringSubmatch(target)
	if match == nil || !isPort(match[2]) {
		return Address{}, fmt.Errorf(
			"'%s' is no address; write HOST:PORT, tls:HOST:PORT or unix:PATH", text)
	}
	local := loopback.MatchString(match[1])
	return Address{Target: target, Local: local, TLS: tls, text: text}, nil
}

func unixAddress(text, path string) (Address, error) {
	path = strings.TrimPrefix(path, "//")
	if path == "" {
		return Address{}, fmt.Errorf("the address '%s' names no socket; write unix:PATH", text)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Address{}, fmt.Errorf("the address '%s' cannot be resolved: %w", text, err)
	}
	// As a URL, so that any character may stand in the path.
	target := url.URL{Scheme: "unix", Path: absolute}
	return Address{Target: target.String(), Local: true, Unix: true, text: text}, nil
}

func isPort(text string) bool {
	port, err := strconv.Atoi(text)
	return err == nil && 1 <= port && port <= 65535
}
