# Perl bots. Of a bot's folder:
#
#   docker build -f docker/languages/perl.Dockerfile -t my-bot sample_bots/perl/starter
#
# BASE is the image of the arena (docker/arena.Dockerfile): it has the bridge.
# Empty RUN_PACKAGES install nothing, where it has Perl.
# Nothing is built, so there is no stage that builds.
ARG BASE=bid-euchre-arena:latest

FROM ${BASE} AS run
USER 0:0
ARG RUN_PACKAGES="perl"
# The newest of Debian's stable release is wanted.
# hadolint ignore=DL3008,SC2086
RUN if [ -n "${RUN_PACKAGES}" ]; then \
        apt-get update \
        && apt-get install --yes --no-install-recommends ${RUN_PACKAGES} \
        && rm -rf /var/lib/apt/lists/*; \
    fi
HEALTHCHECK NONE
WORKDIR /bot
USER 10002:10002
# ARENA_TOKEN_FILE names a file with the token, as secrets are given to containers.
ENTRYPOINT ["/bin/sh", "-c", "if [ -n \"${ARENA_TOKEN_FILE:-}\" ]; then ARENA_TOKEN=$(cat \"$ARENA_TOKEN_FILE\") || exit 2; export ARENA_TOKEN; fi; exec \"$@\"", "bot"]

FROM run AS bot
COPY . .
CMD ["arena", "bridge", "--", "./bot.pl"]
