// Command gen makes the Go code of the contract, or checks that it is not stale.
//
// It does the work of protoc with a compiler written in Go, and runs the two plugins that go.mod
// names as tools, so that whoever copies this folder needs Go and nothing else.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

var plugins = []string{"protoc-gen-go", "protoc-gen-go-grpc"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	protos := flag.String("proto", "proto", "the folder in which arena/v1 lies")
	out := flag.String("out", "internal/arenav1", "the folder of the generated code")
	check := flag.Bool("check", false, "write nothing; fail if the generated code is stale")
	flag.Parse()

	handle := write
	if *check {
		handle = compare
	}
	if err := generate(*protos, *out, handle); err != nil {
		log.Fatal(err)
	}
}

// generate hands every file that the plugins make to handle, with its path under out.
func generate(protos, out string, handle func(name string, content []byte) error) error {
	request, err := compile(protos)
	if err != nil {
		return err
	}
	for _, plugin := range plugins {
		files, err := run(plugin, request)
		if err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
		for _, file := range files {
			name := filepath.Join(out, path.Base(file.GetName()))
			if err := handle(name, []byte(file.GetContent())); err != nil {
				return err
			}
		}
	}
	return nil
}

func write(name string, content []byte) error {
	return os.WriteFile(name, content, 0o644)
}

func compare(name string, content []byte) error {
	present, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if !bytes.Equal(present, content) {
		return fmt.Errorf("%s is stale: run `go generate ./...` to renew it", name)
	}
	return nil
}

// compile reads the proto files into what protoc would ask of a plugin.
func compile(protos string) (*pluginpb.CodeGeneratorRequest, error) {
	names, err := filepath.Glob(filepath.Join(protos, "arena", "v1", "*.proto"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there are no files in %s", filepath.Join(protos, "arena", "v1"))
	}
	for i, name := range names {
		names[i] = path.Join("arena", "v1", filepath.Base(name))
	}
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{protos}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	return &pluginpb.CodeGeneratorRequest{
		FileToGenerate: names,
		Parameter:      proto.String("paths=source_relative"),
		ProtoFile:      importsFirst(files),
	}, nil
}

// importsFirst gives the files in the order that plugins want: none before those it imports.
func importsFirst(files linker.Files) []*descriptorpb.FileDescriptorProto {
	var sorted []*descriptorpb.FileDescriptorProto
	seen := map[string]bool{}
	var visit func(file protoreflect.FileDescriptor)
	visit = func(file protoreflect.FileDescriptor) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		imports := file.Imports()
		for i := range imports.Len() {
			visit(imports.Get(i).FileDescriptor)
		}
		sorted = append(sorted, protoutil.ProtoFromFileDescriptor(file))
	}
	for _, file := range files {
		visit(file)
	}
	return sorted
}

// run asks a plugin for its files.
func run(
	plugin string, request *pluginpb.CodeGeneratorRequest,
) ([]*pluginpb.CodeGeneratorResponse_File, error) {
	input, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", "tool", plugin)
	command.Stdin = bytes.NewReader(input)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, err
	}
	response := &pluginpb.CodeGeneratorResponse{}
	if err := proto.Unmarshal(output, response); err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, errors.New(response.GetError())
	}
	return response.File, nil
}
