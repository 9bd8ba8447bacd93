# Go bots, linked statically. Of a bot's folder:
#
#   docker build -f docker/languages/go.Dockerfile -t my-bot sample_bots/go/starter
#
# Stages: build has the tools, run has none of them, bot is the bot. PROGRAM is what the build makes.
ARG BUILD_BASE=golang:1.26-bookworm
ARG RUN_BASE=debian:bookworm-slim

FROM ${BUILD_BASE} AS build
ENV CGO_ENABLED=0 GOFLAGS="-buildvcs=false -trimpath -ldflags=-s"
WORKDIR /bot
COPY . .
RUN go build -o bin/bot .

FROM ${RUN_BASE} AS run
WORKDIR /bot
USER 10002:10002
# ARENA_TOKEN_FILE names a file with the token, as secrets are given to containers.
ENTRYPOINT ["/bin/sh", "-c", "if [ -n \"${ARENA_TOKEN_FILE:-}\" ]; then ARENA_TOKEN=$(cat \"$ARENA_TOKEN_FILE\") || exit 2; export ARENA_TOKEN; fi; exec \"$@\"", "bot"]

FROM run AS bot
ARG PROGRAM=bin/bot
COPY --from=build /bot/${PROGRAM} bot
CMD ["./bot"]
