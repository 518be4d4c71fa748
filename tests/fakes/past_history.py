"""Months of transcripts as Claude Code and Codex leave them: generated, the same for a seed.

As in real ones, most bytes are tools' results, which Claude Code writes twice. A prompt of about
240 characters comes with about 120 kB, so that the user's words are about 0.2 % of all, the agent's
about 2 %; a sixth of the prompts states something lasting.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

_BEGAN: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)
_PROJECTS: Final = ("lantern", "harbor", "orchard", "quarry", "meadow")
_AREAS: Final = (
    *("invoice export", "login page", "search index", "billing worker", "image upload"),
    *("audit log", "mail queue", "report builder", "session cache", "payment gateway"),
    *("feature flags", "rate limiter", "map view", "calendar sync", "backup job"),
)
_TOOLS: Final = (
    *("Postgres", "SQLite", "Redis", "Kafka", "RabbitMQ", "DuckDB", "MySQL", "MongoDB"),
    *("Celery", "Temporal", "nginx", "Caddy", "Vite", "esbuild", "pytest", "Playwright"),
)
_LASTING: Final = (
    "We decided to use {tool} for the {area} from now on.",
    "From now on the {area} uses {tool}.",
    "Always run the tests of the {area} before you commit anything.",
    "Never touch the {area} without asking me first.",
    "I prefer {tool} over {other} for the {area}.",
    "The {area} must stay below {number} ms, that is a hard limit.",
    "Our {area} is deployed with {tool} on port {number}.",
    "Remember that the {area} of this project is owned by the team of {person}.",
)
_TASKS: Final = (
    "Can you look at the {area}? It fails with an error after the last change.",
    "Please add a test for the {area} that covers the empty case.",
    "Why does the {area} take so long when there are {number} rows?",
    "ok, go on with the second part and show me the diff when you are done",
    "The build is red again, here is what it says about the {area}. Fix it please.",
    "Rename the function in the {area} so that it says what it returns.",
    "What does this code in the {area} do? I don't understand the loop.",
    "yes",
    "Looks good. Now do the same for the {other_area}.",
)
_PEOPLE: Final = ("Mara", "Jonas", "Priya", "Tomás", "Aiko", "Lena")
_LINES: Final = (
    "    {name} = await self.{other}(request, timeout={number})\n",
    "def {name}_{other}(value: str, limit: int = {number}) -> list[str]:\n",
    "{number:>6}\tif {name} is None or len({other}) > {number}:\n",
    "src/{name}/{other}.py:{number}: error: Incompatible return value\n",
    "-rw-r--r-- 1 dev dev {number} Jan 12 10:02 {name}_{other}.json\n",
    '  "{name}": {{"{other}": {number}, "enabled": true}},\n',
)
_NAMES: Final = ("load", "parse", "store", "fetch", "merge", "render", "count", "batch", "token")


@dataclass
class PastHistory:
    """Writes sessions below a home; ``folder`` is where the projects are."""

    home: Path
    folder: Path
    seed: int = 1
    per_prompt: int = 100_000
    days: int = 300
    _random: random.Random = field(init=False)
    _number: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)  # noqa: S311 - data for tests
        # Choosing each line anew would take longer than reading them.
        lines = [self._line() for _ in range(4_000)]
        length = max(2, min(60, self.per_prompt // 1_000))
        self._blocks = ["".join(self._random.choices(lines, k=length)) for _ in range(200)]

    def write(self, size: int) -> int:
        """Write sessions until they have so many bytes; return how many there are."""
        written, sessions = 0, 0
        while written < size:
            share = written / size
            started = _BEGAN + timedelta(days=share * self.days, minutes=sessions % 50)
            is_codex = self._random.random() < 0.25
            file = (self.codex if is_codex else self.claude_code)(
                started, prompts=min(60, 1 + int(self._random.expovariate(1 / 9)))
            )
            written += file.stat().st_size
            sessions += 1
        return sessions

    def claude_code(self, started: datetime, prompts: int = 3, said: tuple[str, ...] = ()) -> Path:
        """Write a session of Claude Code; ``said`` are its first prompts."""
        session, project = self._uuid(), self._random.choice(_PROJECTS)
        cwd = str(self.folder / project)
        base = {"sessionId": session, "cwd": cwd, "version": "2.1.0", "gitBranch": "main"}
        file = self.home / ".claude/projects" / cwd.replace("/", "-") / f"{session}.jsonl"

        def records() -> Iterator[dict[str, Any]]:
            now = started
            for number in range(max(prompts, len(said))):
                now += timedelta(minutes=self._random.randint(1, 20))
                text = said[number] if number < len(said) else self._prompt()
                message: dict[str, Any] = {"role": "user", "content": text}
                yield {**base, **self._stamp("user", now), "message": message}
                left = int(self.per_prompt * self._random.uniform(0.3, 1.7))
                while left > 0:
                    now += timedelta(seconds=self._random.randint(2, 30))
                    call, result = self._uuid(), self._result()
                    left -= 2 * len(result)
                    content: list[dict[str, Any]] = [
                        {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls"}}
                    ]
                    if self._random.random() < 0.6:
                        content.insert(0, {"type": "text", "text": self._answer()})
                    message = {"role": "assistant", "model": "claude", "content": content}
                    yield {**base, **self._stamp("assistant", now), "message": message}
                    block = {"type": "tool_result", "tool_use_id": call, "content": result}
                    yield {
                        **base,
                        **self._stamp("user", now),
                        "message": {"role": "user", "content": [block]},
                        "toolUseResult": {"stdout": result, "stderr": "", "interrupted": False},
                    }
                message = {
                    "role": "assistant",
                    "model": "claude",
                    "content": [{"type": "text", "text": self._answer()}],
                }
                yield {**base, **self._stamp("assistant", now), "message": message}

        return _write(file, records())

    def codex(self, started: datetime, prompts: int = 3, said: tuple[str, ...] = ()) -> Path:
        """Write a session of Codex; ``said`` are its first prompts."""
        session = self._uuid()
        cwd = str(self.folder / self._random.choice(_PROJECTS))
        day = self.home / ".codex/sessions" / started.strftime("%Y/%m/%d")
        file = day / f"rollout-{started:%Y-%m-%dT%H-%M-%S}-{session}.jsonl"

        def records() -> Iterator[dict[str, Any]]:
            now = started
            meta = {"id": session, "timestamp": _iso(now), "cwd": cwd, "source": "cli"}
            yield {"timestamp": _iso(now), "type": "session_meta", "payload": meta}
            for number in range(max(prompts, len(said))):
                now += timedelta(minutes=self._random.randint(1, 20))
                text = said[number] if number < len(said) else self._prompt()
                event = {"type": "user_message", "message": text, "kind": "plain"}
                yield {"timestamp": _iso(now), "type": "event_msg", "payload": event}
                left = int(self.per_prompt * self._random.uniform(0.3, 1.7))
                while left > 0:
                    now += timedelta(seconds=self._random.randint(2, 30))
                    result = self._result() + self._result()
                    left -= len(result)
                    output = {"type": "function_call_output", "call_id": "c", "output": result}
                    yield {"timestamp": _iso(now), "type": "response_item", "payload": output}
                event = {"type": "agent_message", "message": self._answer()}
                yield {"timestamp": _iso(now), "type": "event_msg", "payload": event}

        return _write(file, records())

    def _stamp(self, kind: str, now: datetime) -> dict[str, Any]:
        return {"type": kind, "uuid": self._uuid(), "timestamp": _iso(now), "userType": "external"}

    def _prompt(self) -> str:
        sentences = [self._filled(self._random.choice(_TASKS))]
        if self._random.random() < 1 / 6:
            sentences.append(self._filled(self._random.choice(_LASTING)))
        while self._random.random() < 0.75:
            sentences.append(self._filled(self._random.choice(_TASKS)))
        self._random.shuffle(sentences)
        return " ".join(sentences)

    def _answer(self) -> str:
        some = self._random.randint(4, 14)
        return " ".join(
            self._filled("I changed the {area} and checked it with {tool}; {number} tests pass.")
            for _ in range(some)
        )

    def _filled(self, text: str) -> str:
        pick = self._random.choice
        return text.format(
            tool=pick(_TOOLS),
            other=pick(_TOOLS),
            area=pick(_AREAS),
            other_area=pick(_AREAS),
            number=self._random.randint(20, 9_000),
            person=pick(_PEOPLE),
        )

    def _line(self) -> str:
        pick = self._random.choice
        number = self._random.randint(1, 9_999)
        return pick(_LINES).format(name=pick(_NAMES), other=pick(_NAMES), number=number)

    def _result(self) -> str:
        return "".join(self._random.choices(self._blocks, k=self._random.randint(1, 4)))

    def _uuid(self) -> str:
        self._number += 1
        digits = f"{self._random.getrandbits(96):024x}{self._number:08x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _write(file: Path, records: Iterator[dict[str, Any]]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as stream:
        for record in records:
            stream.write(json.dumps(record, ensure_ascii=False))
            stream.write("\n")
    return file
