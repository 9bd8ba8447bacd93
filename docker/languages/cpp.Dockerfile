# C++ bots. Of a bot's folder:
#
#   docker build -f docker/languages/cpp.Dockerfile -t my-bot sample_bots/cpp/starter
#
# Stages: build has the tools, run has none of them, bot is the bot. PROGRAM is what the build makes.
# Empty BUILD_PACKAGES and RUN_PACKAGES install nothing, where the bases have it all.
ARG BUILD_BASE=debian:bookworm-slim
ARG RUN_BASE=debian:bookworm-slim

FROM ${BUILD_BASE} AS build
ARG BUILD_PACKAGES="cmake doctest-dev g++ libgrpc++-dev libprotobuf-dev libssl-dev make pkg-config protobuf-compiler-grpc"
# The newest of Debian's stable release is wanted.
# hadolint ignore=DL3008,SC2086
RUN if [ -n "${BUILD_PACKAGES}" ]; then \
        apt-get update \
        && apt-get install --yes --no-install-recommends ${BUILD_PACKAGES} \
        && rm -rf /var/lib/apt/lists/*; \
    fi
WORKDIR /bot
COPY . .
RUN rm -rf build \
    && cmake -S . -B build \
    && cmake --build build -j2

FROM ${RUN_BASE} AS run
ARG RUN_PACKAGES="libgrpc++1.51 libprotobuf32 libssl3"
# The newest of Debian's stable release is wanted.
# hadolint ignore=DL3008,SC2086
RUN if [ -n "${RUN_PACKAGES}" ]; then \
        apt-get update \
        && apt-get install --yes --no-install-recommends ${RUN_PACKAGES} \
        && rm -rf /var/lib/apt/lists/*; \
    fi
WORKDIR /bot
USER 10002:10002
# ARENA_TOKEN_FILE names a file with the token, as secrets are given to containers.
ENTRYPOINT ["/bin/sh", "-c", "if [ -n \"${ARENA_TOKEN_FILE:-}\" ]; then ARENA_TOKEN=$(cat \"$ARENA_TOKEN_FILE\") || exit 2; export ARENA_TOKEN; fi; exec \"$@\"", "bot"]

FROM run AS bot
ARG PROGRAM=build/cpp-starter
COPY --from=build /bot/${PROGRAM} bot
CMD ["./bot"]
