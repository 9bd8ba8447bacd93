package client

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// RefusedError says that the arena does not want the bot; trying again would not help.
type RefusedError struct {
	Address string
	Reason  string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the arena at %s refused the bot: %s", e.Address, e.Reason)
}

// brokenError is the end of a stream after which the bot dials again.
type brokenError struct {
	code codes.Code
	// fresh is set where the session is gone: a new one is asked for at once.
	fresh bool
}

func (e *brokenError) Error() string { return strings.ToLower(e.code.String()) }

// verdict says what the end of a stream means: a brokenError or a RefusedError.
func (c *Client) verdict(err error) error {
	if errors.Is(err, io.EOF) {
		return &brokenError{code: codes.OK} // ended in order, but without a Goodbye
	}
	end := status.Convert(err)
	if end.Code() == codes.FailedPrecondition && c.sessionToken != "" {
		c.sessionToken = ""
		return &brokenError{code: end.Code(), fresh: true}
	}
	if !isRefusal(end) {
		return &brokenError{code: end.Code()}
	}
	reason := end.Message()
	if reason == "" {
		reason = end.Code().String()
	}
	return &RefusedError{
		Address: c.settings.Address.String(),
		Reason:  strings.TrimRight(reason, "."),
	}
}

func isRefusal(end *status.Status) bool {
	switch end.Code() {
	case codes.Unauthenticated, codes.PermissionDenied, codes.FailedPrecondition,
		codes.InvalidArgument, codes.Unimplemented:
		return true
	case codes.ResourceExhausted:
		return !saysWhenToRetry(end)
	default:
		return false
	}
}

// saysWhenToRetry tells a busy arena from an unwilling one.
func saysWhenToRetry(end *status.Status) bool {
	for _, detail := range end.Details() {
		if _, ok := detail.(*errdetails.RetryInfo); ok {
			return true
		}
	}
	return false
}
