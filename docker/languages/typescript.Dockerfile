# TypeScript and JavaScript bots. Of a bot's folder:
#
#   docker build -f docker/languages/typescript.Dockerfile -t my-bot sample_bots/typescript/starter
#
# Stages: build has the tools, run has none of them, bot is the bot.
ARG BUILD_BASE=node:20-bookworm-slim
ARG RUN_BASE=${BUILD_BASE}

FROM ${BUILD_BASE} AS build
WORKDIR /bot
COPY . .
RUN npm ci \
    && npm run build \
    && npm prune --omit=dev

FROM ${RUN_BASE} AS run
WORKDIR /bot
USER 10002:10002
# ARENA_TOKEN_FILE names a file with the token, as secrets are given to containers.
ENTRYPOINT ["/bin/sh", "-c", "if [ -n \"${ARENA_TOKEN_FILE:-}\" ]; then ARENA_TOKEN=$(cat \"$ARENA_TOKEN_FILE\") || exit 2; export ARENA_TOKEN; fi; exec \"$@\"", "bot"]

FROM run AS bot
COPY --from=build /bot/package.json package.json
COPY --from=build /bot/proto proto
COPY --from=build /bot/node_modules node_modules
COPY --from=build /bot/dist dist
CMD ["node", "dist/main.js"]
