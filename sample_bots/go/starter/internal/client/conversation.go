package client

import (
	"context"
	"time"

	"google.golang.org/grpc"

	"bideuchre.example/bot/internal/arenav1"
)

const (
	protocolVersion = 1

	// slice is how long answers are collected. Those to one message go out in one message; but a
	// player that takes long would make the first of them wait for the last.
	slice = 20 * time.Millisecond

	// goodbyeTime is how long to wait for the arena's side of a Goodbye.
	goodbyeTime = 2 * time.Second
)

type stream = grpc.BidiStreamingClient[arenav1.PlayRequest, arenav1.PlayResponse]

// received is a message, or the error that has ended the stream.
type received struct {
	response *arenav1.PlayResponse
	err      error
}

// conversation is one stream from its Hello to its end.
type conversation struct {
	*Client
	stream   stream
	welcomed bool
	over     bool // the arena has said goodbye
}

// converse holds one stream from its start to its end; nil is an end in order.
func (c *Client) converse(ctx context.Context, arena arenav1.RefereeServiceClient) error {
	// Not derived from ctx: when that is done there is still a Goodbye to say. No deadline
	// either, since it would cover the whole session.
	streamContext, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(goodbyeTime, cancel) })
	defer stop()

	opened, err := arena.Play(streamContext)
	if err != nil {
		return c.verdict(err)
	}
	conversation := &conversation{Client: c, stream: opened}
	conversation.send(c.hello())

	messages := receive(streamContext, opened)
	defer func() {
		cancel()
		for range messages { // until the receiver has ended
		}
	}()
	err = conversation.hold(ctx, messages)
	if conversation.welcomed {
		c.aliveAt = time.Now() // until now the arena was there, even if it said nothing
	}
	return err
}

// receive reads from a stream until its end, which comes last; then the channel is closed.
func receive(ctx context.Context, from stream) <-chan received {
	messages := make(chan received)
	go func() {
		defer close(messages)
		for {
			response, err := from.Recv()
			select {
			case messages <- received{response, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return messages
}

// hold takes in what comes until the stream ends, and says goodbye when ctx is done.
func (c *conversation) hold(ctx context.Context, messages <-chan received) error {
	leave := ctx.Done()
	for !c.over {
		select {
		case <-leave:
			leave = nil // once
			c.part()
		case message, open := <-messages:
			switch {
			case (!open || message.err != nil) && ctx.Err() != nil:
				return nil // what ends a stream that we are leaving does not matter
			case !open:
				return c.verdict(context.Canceled)
			case message.err != nil:
				return c.verdict(message.err)
			}
			if err := c.take(ctx, message.response); err != nil {
				return err
			}
		}
	}
	return nil
}

// take takes in a message; one of a later version has no arm, and is ignored.
func (c *conversation) take(ctx context.Context, response *arenav1.PlayResponse) error {
	switch message := response.GetMessage().(type) {
	case *arenav1.PlayResponse_Welcome:
		c.welcomed = true
		c.welcome(message.Welcome)
	case *arenav1.PlayResponse_Items:
		return c.takeItems(ctx, message.Items.GetItems())
	case *arenav1.PlayResponse_Draining:
		text := message.Draining.GetText()
		if text == "" {
			text = "it will stop"
		}
		c.say("the arena says: %s", text)
	case *arenav1.PlayResponse_Goodbye:
		c.over = true
		_ = c.stream.CloseSend() // it never fails
	}
	return nil
}

func (c *conversation) takeItems(ctx context.Context, items []*arenav1.Item) error {
	started := time.Now()
	c.aliveAt, c.attempts = started, 0
	for _, item := range items {
		if ctx.Err() != nil {
			return nil // leaving: what is not decided yet is not answered any more
		}
		if err := c.session.Take(item); err != nil {
			return err
		}
		if time.Since(started) > slice {
			c.sendReady()
			started = time.Now()
		}
	}
	c.sendReady()
	return nil
}

func (c *conversation) sendReady() {
	for request := c.session.Request(); request != nil; request = c.session.Request() {
		c.send(request)
	}
}

// part says goodbye and closes this side of the stream.
func (c *conversation) part() {
	goodbye := &arenav1.PlayRequest_Goodbye{Goodbye: &arenav1.Goodbye{}}
	c.send(&arenav1.PlayRequest{Message: goodbye})
	_ = c.stream.CloseSend() // it never fails
}

// send passes a request on. Where it fails the stream has ended, and receiving says why.
func (c *conversation) send(request *arenav1.PlayRequest) {
	_ = c.stream.Send(request)
}
