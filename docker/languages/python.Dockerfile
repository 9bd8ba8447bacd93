# Python bots. Of a bot's folder:
#
#   docker build -f docker/languages/python.Dockerfile -t my-bot sample_bots/python/starter
#
# BASE is the image of the arena (docker/arena.Dockerfile): it has the kit for Python.
# Nothing is built, so there is no stage that builds.
ARG BASE=bid-euchre-arena:latest

FROM ${BASE} AS run
HEALTHCHECK NONE
WORKDIR /bot
USER 10002:10002
# ARENA_TOKEN_FILE names a file with the token, as secrets are given to containers.
ENTRYPOINT ["/bin/sh", "-c", "if [ -n \"${ARENA_TOKEN_FILE:-}\" ]; then ARENA_TOKEN=$(cat \"$ARENA_TOKEN_FILE\") || exit 2; export ARENA_TOKEN; fi; exec \"$@\"", "bot"]

FROM run AS bot
COPY . .
CMD ["python", "bot.py"]
