"""Further inputs to the programs: MCP servers wherever a client starts them, and the commands."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

from cases.disk import make_repository
from cases.stage import NATIVE, shared
from fakes.daemon import NO_MODEL, Daemon, running_daemon, write_settings
from fakes.mcp import start_session, tool_call
from fakes.waiting import PATIENCE_S
from intaglio.__main__ import command
from intaglio.connect.mcp_files import program_file


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    home = tmp_path_factory.mktemp("home")
    write_settings(home, NO_MODEL)
    with running_daemon(home) as running:
        yield running


def store(daemon: Daemon, content: str, folder: Path, **env: str) -> dict[str, Any]:
    """Store a fact by an MCP server that a client started in a folder; return the tool's result."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(program_file(daemon.paths.hooks))],
        input=json.dumps(tool_call("memory_store", {"content": content, "type": "fact"})) + "\n",
        cwd=folder,
        env={**daemon.env, **env},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)["result"]
    return result


def project_of(daemon: Daemon, content: str) -> object:
    """Return the project that a memory has; fails if there is none with this content."""
    with daemon.client() as client:
        listed = client.get("/api/memories").json()["memories"]
    (found,) = [each["project"] for each in listed if each["content"] == content]
    return found


def test_c8_a_server_that_was_started_in_the_root_has_no_project(daemon: Daemon) -> None:
    content = str(shared("c8-mcp-started-in-root")["call"]["arguments"]["content"])
    if not store(daemon, content, Path("/")).get("isError"):
        assert project_of(daemon, content) is None


PLACES: Final = {
    "the home": ("{home}", "", None),
    "the root with a project": ("/", "{shop}", "{shop}"),
    "the home with a project": ("{home}", "{shop}", "{shop}"),
    "a folder with another project": ("{blog}", "{shop}", "{shop}"),
    "a folder of the project": ("{shop}/src", "{shop}", "{shop}"),
    "a folder of a project alone": ("{shop}/src", "", "{shop}"),
    "the root with a variable that nobody filled in": ("/", "$workspaceFolder", None),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_servers_project_is_where_there_is_evidence(daemon: Daemon, name: str) -> None:
    folders = {"home": Path(daemon.env["HOME"])}
    folders |= {each: folders["home"] / "work" / each for each in ("shop", "blog")}
    for each in ("shop", "blog"):
        if not folders[each].exists():
            make_repository(folders[each])
            (folders[each] / "src").mkdir()
    env = dict[str, str]()
    place, claimed, expected = PLACES[name]
    if claimed:
        env["CLAUDE_PROJECT_DIR"] = claimed.format(**folders)
    content = f"The cluster of {name} runs Kubernetes 1.31."
    result = store(daemon, content, Path(place.format(**folders)), **env)
    if expected is None and result.get("isError"):
        return
    wanted = None if expected is None else expected.format(**folders)
    assert project_of(daemon, content) == wanted


@pytest.mark.parametrize("place", ["/", "{home}"])
def test_the_session_that_the_hooks_reported_is_evidence(daemon: Daemon, place: str) -> None:
    home = daemon.env["HOME"]
    shop = Path(home) / "work" / "evident"
    shop.mkdir(parents=True, exist_ok=True)
    start_session(daemon, f"evident {place}", str(shop))
    content = f"The gateway seen from {place} listens on port 2525."
    store(daemon, content, Path(place.format(home=home)))
    # What follows is not of this session.
    with daemon.client() as client:
        ended = {"hook_event_name": "SessionEnd", "session_id": f"evident {place}"}
        headers = {"authorization": f"Bearer {daemon.identity['hook_token']}"}
        client.post(NATIVE, json=ended, headers=headers).raise_for_status()
    assert project_of(daemon, content) == str(shop)


class Terminal:
    """Runs commands in this process, as a terminal with some encoding would."""

    def __init__(self, patch: pytest.MonkeyPatch, daemon: Daemon) -> None:
        self.patch = patch
        for name, value in daemon.env.items():
            patch.setenv(name, value)

    def run(self, *args: str, encoding: str = "utf-8") -> tuple[int, str]:
        """Return a command's exit code and all that it printed."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
        self.patch.setattr(sys, "argv", ["intaglio", *args])
        self.patch.setattr(sys, "stdout", out)
        self.patch.setattr(sys, "stderr", err)
        try:
            code = command()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        said = list[str]()
        for stream in (out, err):
            stream.flush()
            said.append(stream.buffer.getvalue().decode(encoding, "replace"))
        return code, "".join(said)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, daemon: Daemon) -> Terminal:
    return Terminal(monkeypatch, daemon)


ODD: Final = os.fsdecode(b"caf\xe9")
ODD_COMMANDS: Final = (
    ("remember", "--project", f"/work/{ODD}", "The menu of the odd folder is in menu.yaml."),
    ("remember", f"The file {ODD} holds the menu."),
    ("recall", ODD),
    ("recall", "menu", "--project", f"/work/{ODD}"),
    ("list", "--project", ODD),
    ("show", ODD),
    ("sessions", "list", "--project", f"/work/{ODD}"),
    ("entities", "list", ODD),
    ("forget", ODD, "--yes"),
    (ODD,),
)


@pytest.mark.parametrize(
    "args", ODD_COMMANDS, ids=lambda args: ascii(args[0] if len(args) < 2 else args[:2])
)
def test_an_argument_that_is_no_utf8_is_no_crash(terminal: Terminal, args: tuple[str, ...]) -> None:
    # What isn't handled leaves `main` as an exception, which fails here.
    code, said = terminal.run(*args)
    assert code in {0, 1, 2}
    assert "Traceback" not in said
    assert said


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437", "gb2312", "shift_jis"])
def test_an_output_that_is_no_utf8_is_no_crash(terminal: Terminal, encoding: str) -> None:
    content = f"Déjà vu 🦊 naïve 文档 שלום — {encoding} ships on time."
    assert terminal.run("remember", content)[0] == 0
    for args in (("list",), ("recall", f"{encoding} ships on time"), ("remember", content)):
        code, said = terminal.run(*args, encoding=encoding)
        assert code == 0, said
        assert f"{encoding} ships on time" in said


def test_the_status_command_shows_the_state(terminal: Terminal) -> None:
    code, said = terminal.run("status")
    assert code == 0, said
    assert said.strip()


def test_the_command_inbox_lists(terminal: Terminal) -> None:
    code, said = terminal.run("inbox")
    assert (code, "Usage:" in said) == (0, False), said


def test_doctor_says_that_no_agent_is_connected(terminal: Terminal) -> None:
    _, said = terminal.run("doctor")
    warned = [line for line in said.splitlines() if line.lstrip().startswith(("warn", "FAIL"))]
    assert any("connect" in line.lower() for line in warned), said


def test_status_says_that_no_agent_is_connected(terminal: Terminal) -> None:
    code, said = terminal.run("status")
    assert code == 0, said
    assert "connect" in said.lower()


def test_connect_connects_the_one_agent_that_is_there(
    terminal: Terminal, daemon: Daemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del daemon
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    code, said = terminal.run("connect", "--yes")
    assert code == 0, said
    assert "hooks" in json.loads((tmp_path / ".claude" / "settings.json").read_text())


MOVES: Final = (
    ("/work/before", "/work/after"),
    ("/work/bef ore", "/work/af ter"),
    ("/work/日誌", "/work/記録"),
    ("old name", "/work/new-name"),
    ("/work/a", "/work/a/b"),
)


@pytest.mark.parametrize(("old", "new"), MOVES)
def test_the_memories_of_a_project_can_be_moved(
    terminal: Terminal, daemon: Daemon, old: str, new: str
) -> None:
    content = f"Releases of {old} are signed."
    assert terminal.run("remember", "--project", old, content)[0] == 0
    code, said = terminal.run("projects", "move", old, new)
    assert code == 0, said
    assert project_of(daemon, content) == new


def test_a_project_that_is_not_there_is_not_moved(terminal: Terminal) -> None:
    code, said = terminal.run("projects", "move", "/work/never", "/work/ever")
    assert code in {1, 2}, said
    assert "/work/never" in said
