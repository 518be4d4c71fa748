"""One user's machine for a case: the application, a home with projects, transcripts, and MCP."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import httpx

from fakes.api import Api
from fakes.mcp import checked_reply, text_of, tool_call
from fakes.waiting import PATIENCE_S, until
from intaglio.daemon.job_worker import JobWorker
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.lifecycle.projects.moved_projects import MovedProjects

Record: TypeAlias = dict[str, Any]

FOLDER: Final = Path(__file__).parent
NATIVE: Final = "/api/hooks/native/claude-code"
SAID: Final = "2026-11-25T10:00:00.000Z"
_COMMON: Final[Record] = {
    "parentUuid": None,
    "isSidechain": False,
    "userType": "external",
    "version": "2.1.330",
}
TYPED: Final[Record] = {
    "origin": {"kind": "human"},
    "promptSource": "typed",
    "turnOrigin": "human",
}
HEADLESS: Final[Record] = {
    "promptSource": "sdk",
    "turnOrigin": "sdk",
    "entrypoint": "sdk-cli",
}


@cache
def _file(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def shared(name: str) -> Record:
    """Read one of the cases that real users' reports gave, a file with fields."""
    found: Record = _file(f"shared/{name}.json")
    return found


def shared_lines(name: str) -> list[Record]:
    """Read one of those cases that is a transcript."""
    text = (FOLDER / "shared" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def further(name: str) -> list[Record]:
    """Read the further inputs of a kind; each has an ``id`` that says the behaviour."""
    found: list[Record] = _file(f"further/{name}.json")
    return found


def prompt(text: str | list[Record], at: str = SAID, **more: object) -> Record:
    """Return the record of a prompt; without more, one of a client that marks nothing."""
    message = {"role": "user", "content": text}
    return {"type": "user", **_COMMON, "timestamp": at, "message": message, **more}


def reply(text: str | list[Record] = "Understood.", at: str = SAID) -> Record:
    """Return the record of what the agent says."""
    content = [{"type": "text", "text": text}] if isinstance(text, str) else text
    message = {"role": "assistant", "model": "claude-opus-5-5", "content": content}
    return {"type": "assistant", **_COMMON, "timestamp": at, "message": message}


@dataclass
class Stage:
    """The application in this process, with an empty database and an empty home."""

    api: Api
    home: Path
    counted: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def hook_headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.api.install.hook_token}"}

    def folder(self, name: str = "shop") -> Path:
        """Return a plain folder below the home; makes it."""
        made = self.home / "work" / name
        made.mkdir(parents=True, exist_ok=True)
        return made

    def transcript(self, session: str) -> Path:
        file = self.home / ".claude" / "projects" / "-work" / f"{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    async def raw_hook(self, body: bytes) -> httpx.Response:
        """Post a hook's bytes as they are."""
        headers = {"content-type": "application/json", **self.hook_headers}
        found = await self.api.client.post(NATIVE, content=body, headers=headers)
        await self.api.kernel.session_writes.finish(PATIENCE_S)
        return found

    async def hook(self, event: str, session: str, folder: Path, **more: object) -> Record:
        """Report an event, and return what the client is answered."""
        body = {
            "hook_event_name": event,
            "session_id": session,
            "cwd": str(folder),
            "transcript_path": str(self.transcript(session)),
            **more,
        }
        found = await self.raw_hook(json.dumps(body).encode())
        assert found.status_code == 200, found.text
        told: Record = json.loads(found.content) if found.content else {}
        return told

    async def start(self, folder: Path, session: str | None = None) -> str:
        """Start a session; return what it and its user are told."""
        told = await self.hook(
            "SessionStart", session or self._new("start"), folder, source="startup"
        )
        return _context(told) + str(told.get("systemMessage", ""))

    async def ask(self, folder: Path, text: str, session: str | None = None) -> str:
        """Send a prompt; return what the session is told with it."""
        name = session or self._new("ask")
        return _context(await self.hook("UserPromptSubmit", name, folder, prompt=text))

    def write(
        self, session: str, folder: Path, lines: Iterable[Record | bytes | str], *, mode: str = "ab"
    ) -> None:
        """Append records, or lines as they are, to a session's transcript."""
        with self.transcript(session).open(mode) as stream:
            for line in lines:
                if isinstance(line, dict):
                    number = self._new(f"{session}-line")
                    own = {"uuid": number, "sessionId": session, "cwd": str(folder), **line}
                    stream.write(json.dumps(own).encode() + b"\n")
                else:
                    stream.write((line if isinstance(line, bytes) else line.encode()) + b"\n")

    async def finish(self, session: str, folder: Path) -> None:
        """End the turn and the session: what the user said is captured."""
        await self.hook("Stop", session, folder)
        await self.hook("SessionEnd", session, folder, reason="prompt_input_exit")
        await self.read_folders()

    async def say(
        self, folder: Path, *lines: Record | bytes | str, session: str | None = None
    ) -> str:
        """Hold a session whose transcript has these lines; return its name."""
        name = session or self._new("said")
        self.write(name, folder, lines)
        await self.finish(name, folder)
        return name

    async def remember(self, text: str, project: Path, kind: str = "rule") -> None:
        """Save a memory of a project, whose folder the daemon reads in the background."""
        await self.api.remember(text, project=str(project), type=kind)
        await self.read_folders()

    async def read_folders(self) -> None:
        """Record what identifies the projects' folders, as the daemon does in the background."""
        await self.api.kernel.get(MovedProjects).refresh()

    async def embed(self) -> None:
        """Embed all memories, as the daemon does in the background."""
        meaning = self.api.kernel.get(SemanticSearch)
        await meaning.embed.begin()
        working = asyncio.create_task(self.api.kernel.get(JobWorker).run())

        async def is_done() -> bool:
            return not (await meaning.embed.progress()).pending

        await until(is_done, "all vectors")
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    async def memories(self) -> list[Record]:
        """Return all live memories, newest first."""
        found = await self.api.client.get("/api/memories", headers=self.api.owner)
        listed: list[Record] = found.json()["memories"]
        return listed

    async def contents(self) -> list[str]:
        return [str(memory["content"]) for memory in await self.memories()]

    async def inbox(self) -> list[Record]:
        """Return what waits for the user's decision."""
        found = await self.api.client.get("/api/inbox", headers=self.api.owner)
        listed: list[Record] = found.json()["items"]
        return listed

    async def captured(self) -> list[Record]:
        """Return what is kept or suggested."""
        return [*await self.memories(), *await self.inbox()]

    async def tool(
        self, name: str, arguments: Mapping[str, object], workspace: Path | str, **more: str
    ) -> tuple[str, bool]:
        """Call a tool as an agent; return its text, and whether it failed."""
        found = await self.api.client.post(
            "/mcp",
            params={"harness": "claude-code", "workspace": str(workspace), **more},
            json=tool_call(name, arguments),
        )
        await self.api.kernel.session_writes.finish(PATIENCE_S)
        result = checked_reply(found, 1)
        assert "result" in result, result
        return text_of(result["result"]), bool(result["result"].get("isError"))

    def _new(self, kind: str) -> str:
        self.counted[kind] = self.counted.get(kind, 0) + 1
        return f"{kind}-{self.counted[kind]}"


def _context(told: Record) -> str:
    return str(told.get("hookSpecificOutput", {}).get("additionalContext", ""))


def holds(texts: Iterable[str], words: Iterable[str]) -> bool:
    """Whether one of the texts has all the words."""
    wanted = list(words)
    return any(all(word in text for word in wanted) for text in texts)


async def check(stage: Stage, case: Record) -> None:
    """Check what a case says of memories and suggestions.

    ``saved``: memories with exactly these contents are there. ``captured``: each list of words
    stands in one memory or suggestion. ``not_saved``: no memory has the word. ``nowhere``: no
    memory and no suggestion has it.
    """
    kept = await stage.contents()
    offered = [str(item["content"]) for item in await stage.inbox()]
    seen = f"kept {kept}, offered {offered}"
    for content in case.get("saved", ()):
        assert content in kept, seen
    for words in case.get("captured", ()):
        assert holds([*kept, *offered], words), seen
    for word in case.get("not_saved", ()):
        assert not holds(kept, [word]), seen
    for word in case.get("nowhere", ()):
        assert not holds([*kept, *offered], [word]), seen


def records_of(case: Record) -> list[Record]:
    """Return the transcript of a case: its ``lines``, or its one ``prompt`` with its ``marks``."""
    if "lines" in case:
        lines: list[Record] = case["lines"]
        return [_expanded(line) for line in lines]
    return [prompt(case["prompt"], **marks_of(case)), reply("OK.")]


def marks_of(case: Record) -> Record:
    """Return the fields by which the client marks whose prompt it is."""
    marks: Record | str = case.get("marks", {})
    if isinstance(marks, str):
        return TYPED if marks == "typed" else HEADLESS
    return marks


def _expanded(line: Record) -> Record:
    """Fill in a record: what the client writes in every line is left out in the files."""
    match line:
        case {"user": content, **more}:
            return prompt(content, **more)
        case {"agent": content}:
            return reply(content)
        case _:
            return line
