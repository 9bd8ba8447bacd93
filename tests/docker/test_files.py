"""What the Dockerfiles and the compose file promise, read from them: no container is needed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.hosting.command import sample_folders
from arena.hosting.manifest import read_manifest

ROOT = Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
LANGUAGES = {path.name.partition(".")[0]: path for path in DOCKER.glob("languages/*.Dockerfile")}
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())
BOTS = {name: one for name, one in COMPOSE["services"].items() if name != "arena"}

FILE_OF = {name: "java" if name == "kotlin" else name for name in ("kotlin", *LANGUAGES)}
"""By language: the Dockerfile for it."""

STARTERS = {
    name.partition("/")[0]: folder
    for name, folder in sample_folders().items()
    if name.endswith("/starter")
}


def instructions(language: str) -> list[str]:
    """The Dockerfile for a language, without comments, an instruction a line."""
    text = LANGUAGES[FILE_OF[language]].read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\s*\\\n\s*", " ", text).splitlines()


def last(language: str, word: str) -> Any:
    """What the last instruction of a kind says, in its JSON form."""
    lines = [line for line in instructions(language) if line.startswith(f"{word} [")]
    return json.loads(lines[-1].removeprefix(word))


def test_every_language_has_a_dockerfile() -> None:
    assert set(STARTERS) == set(FILE_OF)


@pytest.mark.parametrize("language", STARTERS)
def test_a_dockerfile_builds_as_the_starter_says(language: str) -> None:
    built = " && ".join(line for line in instructions(language) if line.startswith("RUN "))
    for words in read_manifest(STARTERS[language]).build:
        assert " ".join(words) in built


@pytest.mark.parametrize("language", STARTERS)
def test_a_dockerfile_runs_what_the_starter_runs(language: str) -> None:
    command, run = last(language, "CMD"), list(read_manifest(STARTERS[language]).run)
    if command == ["./bot"]:
        (program,) = run
        assert f"ARG PROGRAM={program.removeprefix('./')}" in instructions(language)
    else:
        assert command == run


def test_all_bots_take_their_token_from_a_file_in_the_same_way() -> None:
    assert len({str(last(language, "ENTRYPOINT")) for language in LANGUAGES}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_bot_runs_as_root(language: str) -> None:
    users = [line for line in instructions(language) if line.startswith("USER ")]
    assert users[-1] == "USER 10002:10002"


def test_no_container_is_given_what_rules_the_others() -> None:
    text = (DOCKER / "compose.yaml").read_text()
    assert re.findall(r"docker\.sock|podman\.sock|privileged: *true|pid: *host", text) == []


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_every_container_has_only_what_it_needs(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit"} <= set(service)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_has_no_network_and_cannot_write(name: str) -> None:
    service = BOTS[name]
    assert service["network_mode"] == "none"
    assert service["volumes"] == ["sockets:/sockets:ro"]
    assert service["depends_on"] == {"arena": {"condition": "service_healthy"}}


@pytest.mark.parametrize("name", BOTS)
def test_a_bots_token_is_its_own_secret(name: str) -> None:
    service = BOTS[name]
    (secret,) = service["secrets"]
    assert name == f"{secret}-{service['environment']['ARENA_CHAIR']}"
    assert COMPOSE["secrets"][secret] == {"file": f"${{ARENA_SECRETS:-./secrets}}/{secret}.token"}
    assert service["environment"]["ARENA_TOKEN_FILE"] == f"/run/secrets/{secret}"
    assert "ARENA_TOKEN" not in service["environment"]


def test_only_this_machine_reaches_the_pages() -> None:
    assert COMPOSE["services"]["arena"]["ports"] == ["127.0.0.1:${ARENA_HTTP_PORT:-8080}:8080"]


def test_the_image_is_given_only_what_it_is_made_of() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert next(line for line in ignored if not line.startswith("#")) == "*"
    let_in = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", (DOCKER / "arena.Dockerfile").read_text(), re.M)
    assert let_in == {name for line in copied for name in line.split()}
