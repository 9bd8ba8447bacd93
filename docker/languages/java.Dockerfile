# Java and Kotlin bots. Of a bot's folder:
#
#   docker build -f docker/languages/java.Dockerfile -t my-bot sample_bots/java/starter
#
# Stages: build has the tools, run has none of them, bot is the bot.
ARG BUILD_BASE=maven:3.9-eclipse-temurin-17
ARG RUN_BASE=eclipse-temurin:17-jre

FROM ${BUILD_BASE} AS build
WORKDIR /bot
COPY . .
RUN mvn -B -ntp -DskipTests package

FROM ${RUN_BASE} AS run
WORKDIR /bot
USER 10002:10002
# ARENA_TOKEN_FILE names a file with the token, as secrets are given to containers.
ENTRYPOINT ["/bin/sh", "-c", "if [ -n \"${ARENA_TOKEN_FILE:-}\" ]; then ARENA_TOKEN=$(cat \"$ARENA_TOKEN_FILE\") || exit 2; export ARENA_TOKEN; fi; exec \"$@\"", "bot"]

FROM run AS bot
COPY --from=build /bot/target/bot.jar target/bot.jar
CMD ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx256m", \
    "-XX:-UsePerfData", "-jar", "target/bot.jar"]
