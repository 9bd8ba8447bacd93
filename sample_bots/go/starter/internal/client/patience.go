package client

import "time"

// Patience says how long to try again.
type Patience struct {
	First time.Duration // the first wait; it doubles with each
	Most  time.Duration // the longest wait
	Total time.Duration // after this time without the arena the bot gives up
}

// DefaultPatience is what the contract's authors advise.
var DefaultPatience = Patience{
	First: 100 * time.Millisecond,
	Most:  2 * time.Second,
	Total: 30 * time.Second,
}

// wait gives the wait before an attempt, the first being 0.
func (p Patience) wait(attempt int) time.Duration {
	wait := p.First
	for range attempt {
		if wait >= p.Most {
			break
		}
		wait *= 2
	}
	return min(wait, p.Most)
}
