// Package arenav1 is the contract in Go: generated from the files in proto/arena/v1.
//
// When they have changed, `go generate ./...` makes it anew. No protoc is needed.
package arenav1

//go:generate go run ../gen -proto ../../proto -out .
