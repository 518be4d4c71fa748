"""A session that a real daemon has read by a model server once it is over."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from fakes.agent_sessions import RULE, talk
from fakes.daemon import NO_MODEL, daemon_env, run_command, running_daemon, write_settings
from fakes.model_server import Say, model_server
from fakes.waiting import wait_for

NOTED: Final = "Run the linter before each push."
SUMMARY: Final = "The linter was settled."
TALK: Final = (RULE, "The build of main fails since noon. " * 8)


@dataclass(frozen=True, slots=True)
class _Host:
    """What a session speaks to."""

    home: Path
    http: httpx.Client


def reply() -> str:
    note = {"type": "rule", "message": 1, "evidence": RULE, "accepted": "", "reason": ""}
    return json.dumps(
        {
            "notes": [{**note, "content": NOTED}],
            "one_off": [],
            "summary": {"text": SUMMARY, "topics": [], "decisions": []},
        }
    )


def test_a_session_is_read_once_by_the_model_that_the_user_chose(tmp_path: Path) -> None:
    write_settings(tmp_path, NO_MODEL + "memory: {pipelineV2: {enabled: false}}\n")
    with model_server() as server, running_daemon(tmp_path) as daemon, daemon.client() as http:
        server.plays(Say(f"Here it is:\n```json\n{reply()}\n```"))
        env = daemon_env(tmp_path, daemon.port)

        def intaglio(*args: str) -> str:
            done = run_command(*args, env=env, folder=tmp_path)
            assert done.returncode == 0, done.stderr
            return done.stdout

        def summarised() -> list[dict[str, Any]]:
            listed: list[dict[str, Any]] = http.get("/api/sessions").json()["sessions"]
            return [each for each in listed if each["summary"] == SUMMARY]

        talk(_Host(tmp_path, http), "s1", *TALK)
        for name, value in (("endpoint", server.url), ("model", "m"), ("provider", "ollama")):
            intaglio("config", "set", f"memory.pipelineV2.extraction.{name}", value, "--yes")
        assert server.asked == []
        redo = ("pipeline", "redo", "--stage", "notes", "--since", "2020-01-01", "--yes")
        wait_for(lambda: "1" in intaglio(*redo), "the session in the queue")
        wait_for(summarised, "the summary")
        assert RULE in json.dumps(server.bodies[0])

        def contents() -> list[str]:
            return [each["content"] for each in http.get("/api/memories").json()["memories"]]

        # A reply and how far it reaches are stored first, then its notes, one by one.
        wait_for(lambda: NOTED in contents(), "the note")
