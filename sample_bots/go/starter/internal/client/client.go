// Package client holds the connection to the arena: one stream at a time, and a new one when it
// breaks.
//
// One goroutine receives; the one that called Play does everything else. So a session has one
// owner and a stream one sender, and nothing here needs a lock.
package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bideuchre.example/bot/internal/arenav1"
	"bideuchre.example/bot/internal/options"
	"bideuchre.example/bot/internal/session"
)

// Client plays one session, over as many streams as it takes.
type Client struct {
	settings *options.Options
	session  *session.Session
	say      func(format string, values ...any)
	patience Patience

	sessionToken string
	aliveAt      time.Time // when the arena was last known to be there
	attempts     int       // dials since then
}

// New gives a client that has not dialled yet.
func New(
	settings *options.Options,
	played *session.Session,
	patience Patience,
	say func(format string, values ...any),
) *Client {
	return &Client{settings: settings, session: played, patience: patience, say: say}
}

// Play plays until the arena says goodbye, or until ctx is done; then it says goodbye itself.
//
// An error is one sentence: a *RefusedError, an arena that could not be reached for as long as
// patience lasts, or a bug of the player's.
func (c *Client) Play(ctx context.Context) error {
	connection, err := dial(c.settings)
	if err != nil {
		return fmt.Errorf("cannot dial %s: %w", c.settings.Address, err)
	}
	defer connection.Close()

	arena := arenav1.NewRefereeServiceClient(connection)
	c.aliveAt = time.Now()
	for ctx.Err() == nil {
		err := c.converse(ctx, arena)
		var broken *brokenError
		if !errors.As(err, &broken) {
			return err
		}
		if err := c.pause(ctx, broken); err != nil {
			return err
		}
	}
	return nil
}

// pause waits before the next attempt, and gives up when patience is at its end.
func (c *Client) pause(ctx context.Context, broken *brokenError) error {
	if broken.fresh {
		return nil
	}
	if time.Since(c.aliveAt) >= c.patience.Total {
		return fmt.Errorf("lost the arena at %s: %w for %g seconds; %s",
			c.settings.Address, broken, c.patience.Total.Seconds(), c.doubt())
	}
	select {
	case <-time.After(c.patience.wait(c.attempts)):
	case <-ctx.Done():
	}
	c.attempts++
	return nil
}

func (c *Client) doubt() string {
	if c.settings.Address.TLS {
		return "is it running there, and do ARENA_TLS_CA, _CERT and _KEY fit?"
	}
	return "is it running there?"
}

func (c *Client) hello() *arenav1.PlayRequest {
	hello := &arenav1.Hello{
		Token:           c.settings.Token,
		ProtocolVersion: protocolVersion,
		BotName:         c.settings.Name,
		BotVersion:      c.settings.Version,
		Chair:           c.settings.Chair,
		Lane:            c.settings.Lane,
		Tables:          c.settings.Tables,
		SessionToken:    c.sessionToken,
	}
	request := &arenav1.PlayRequest{Message: &arenav1.PlayRequest_Hello{Hello: hello}}
	if c.sessionToken != "" {
		request.Acknowledged = c.session.Acknowledged()
	}
	return request
}

func (c *Client) welcome(welcome *arenav1.Welcome) {
	c.sessionToken = welcome.GetSessionToken()
	if welcome.GetResumed() {
		c.session.Resume()
	} else {
		c.session.Begin()
	}
	if !c.settings.Address.Unix { // an arena that has started the bot itself knows
		c.tellWelcome(welcome)
	}
}

func (c *Client) tellWelcome(welcome *arenav1.Welcome) {
	how := "dialled in"
	if welcome.GetResumed() {
		how = "back"
	}
	c.say("%s at %s: %s, %s", how, c.settings.Address,
		chairText(welcome.GetChair()), laneText(welcome.GetLane()))
}

func chairText(chair arenav1.Chair) string {
	switch chair {
	case arenav1.Chair_CHAIR_FIRST:
		return "first chair"
	case arenav1.Chair_CHAIR_SECOND:
		return "second chair"
	default:
		return "no chair"
	}
}

func laneText(lane arenav1.Lane) string {
	switch lane {
	case arenav1.Lane_LANE_A:
		return "lane A"
	case arenav1.Lane_LANE_B:
		return "lane B"
	default:
		return "both lanes"
	}
}
