"""A connector by a description: the shapes of hook settings that harnesses have."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.connect_home import Home, make_home
from intaglio.connect.hook_json import (
    EventHook,
    HandlerKeys,
    HookJsonConnector,
    McpList,
    OffSwitch,
    SettingsFolder,
)
from intaglio.connect.hook_settings import HooksForm
from intaglio.connect.values import ConnectionApplied, ConnectionPlan

GROUPED: Final = HookJsonConnector(
    name="agent",
    label="Agent",
    program="no-such-agent",
    folder=SettingsFolder(name=".agent", variable="AGENT_HOME"),
    settings="settings.json",
    hooks={
        "SessionStart": EventHook(task="reply", timeout_s=5),
        "PostToolUse": EventHook(task="ask", timeout_s=3, matcher="Edit|Write"),
        "Stop": EventHook(task="report", timeout_s=10, keys={"async": True}),
    },
    handler=HandlerKeys(per_second=1_000, keys={"type": "command", "name": "intaglio"}),
    mcp=McpList(file="settings.json"),
    off=(
        OffSwitch(keys=("hooksConfig", "enabled"), value=False),
        OffSwitch(keys=("hooksConfig", "disabled"), value="intaglio"),
    ),
    curl=False,
)
PLAIN: Final = replace(
    GROUPED,
    settings="hooks.json",
    form=HooksForm(grouped=False, version=1),
    handler=HandlerKeys(command="bash", windows="powershell", timeout="timeoutSec"),
    mcp=McpList(file="mcp.json"),
)
OWN: Final[dict[str, Any]] = {
    "version": 1,
    "hooks": {"Stop": [{"type": "command", "bash": "say done"}]},
}
BEFORE: Final[dict[str, bytes | None]] = {
    "absent": None,
    "empty": b"",
    "empty object": b"{}\n",
    "byte order mark": b'\xef\xbb\xbf{\r\n\t"version": 1,\r\n\t"hooks": {}\r\n}\r\n',
    "a version": b'{\n  "version": 1\n}\n',
    "own hooks": json.dumps(OWN, indent=2).encode(),
    "own hooks on one line": json.dumps(OWN).encode(),
    "an event without a version": b'{"hooks":{"Stop":[]}}',
    "own hooks without a version": b'{"hooks":{"Stop":[{"bash":"say done"}]}}',
}


def _written(home: Home) -> dict[str, Any]:
    return dict(json.loads((home.read() or b"").decode("utf-8-sig")))


@pytest.mark.parametrize("before", BEFORE)
def test_plain_hooks_are_added_and_removed_byte_for_byte(tmp_path: Path, before: str) -> None:
    home = make_home(tmp_path, PLAIN)
    home.write(BEFORE[before])
    assert isinstance(home.connect(), ConnectionApplied)
    after = _written(home)
    assert after["version"] == 1
    assert [len(handlers) for handlers in after["hooks"].values()].count(1) >= 2
    assert home.state() == "connected"
    home.disconnect()
    assert home.read() == BEFORE[before]


def test_another_programs_plain_hooks_stay_when_the_file_was_rewritten(tmp_path: Path) -> None:
    home = make_home(tmp_path, PLAIN)
    home.connect()
    rewritten = _written(home)
    rewritten["hooks"]["Stop"].insert(0, OWN["hooks"]["Stop"][0])
    home.write(json.dumps(rewritten).encode())
    assert home.state() == "connected"
    home.disconnect()
    assert _written(home) == OWN


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are others there")
def test_handlers_have_the_keys_and_units_of_their_harness(tmp_path: Path) -> None:
    home = make_home(tmp_path, GROUPED)
    home.connect()
    (group,) = _written(home)["hooks"]["PostToolUse"]
    (handler,) = group["hooks"]
    command = shlex.split(handler.pop("command"))
    assert group["matcher"] == "Edit|Write"
    assert handler == {"type": "command", "name": "intaglio", "timeout": 3_000}
    assert command[-2:] == [str(home.paths.hooks / "agent.py"), "--ask"]


def test_a_timeout_that_the_user_changed_is_kept(tmp_path: Path) -> None:
    home = make_home(tmp_path, PLAIN)
    home.connect()
    changed = _written(home)
    changed["hooks"]["Stop"][0]["timeoutSec"] = 60
    home.write(json.dumps(changed).encode())
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    assert not plan.changed


def test_the_environment_can_name_the_folder(tmp_path: Path) -> None:
    home = make_home(tmp_path, GROUPED)
    moved = replace(home, env={"AGENT_HOME": str(tmp_path / "else")})
    assert moved.settings == tmp_path / "else" / "settings.json"
    assert moved.servers == tmp_path / "else" / "settings.json"


@pytest.mark.parametrize(
    ("config", "said", "hint"),
    [
        ({"enabled": False}, "hooksConfig.enabled is false", "hooksConfig.enabled from "),
        (
            {"disabled": ["other", "intaglio"]},
            'hooksConfig.disabled contains "intaglio"',
            '"intaglio" from hooksConfig.disabled in ',
        ),
    ],
)
def test_hooks_that_are_switched_off_are_a_concern(
    tmp_path: Path, config: dict[str, object], said: str, hint: str
) -> None:
    home = make_home(tmp_path, GROUPED)
    home.write(json.dumps({"hooksConfig": config}).encode())
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    assert plan.notes == (f"{said} in these settings, so Agent doesn't run Intaglio's hooks.",)
    (concern,) = GROUPED.concerns(home.settings, home.paths, {})
    assert concern.text == plan.notes[0]
    assert concern.hint == f"Remove {hint}{home.settings}."


def test_completing_a_connection_names_the_added_hooks_and_what_is_off(tmp_path: Path) -> None:
    home = make_home(tmp_path, GROUPED)
    home.connect()
    former = _written(home)
    del former["hooks"]["PostToolUse"]
    home.write(json.dumps({**former, "hooksConfig": {"enabled": False}}).encode())
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    added, off = plan.notes
    assert added.startswith("New hooks are added for: PostToolUse.")
    assert off.startswith("hooksConfig.enabled is false")


@pytest.mark.parametrize(
    "fine",
    [b'{"hooksConfig": {"enabled": true, "disabled": []}}', b"{", b"[]", b'{"hooksConfig": 3}'],
)
def test_settings_that_leave_hooks_on_are_no_concern(tmp_path: Path, fine: bytes) -> None:
    home = make_home(tmp_path, GROUPED)
    home.write(fine)
    assert GROUPED.concerns(home.settings, home.paths, {}) == ()


@pytest.mark.parametrize("gone", ["nothing", "the program", "the hook files"])
@pytest.mark.parametrize("connector", [GROUPED, PLAIN, replace(PLAIN, curl=True)])
def test_a_hook_whose_program_is_gone_ends_silently(
    tmp_path: Path, connector: HookJsonConnector, gone: str
) -> None:
    folder = tmp_path / 'it\'s $(touch here) `id` "quoted" & more'
    folder.mkdir()
    home = make_home(folder, connector)
    python = folder / "python"
    python.symlink_to(sys.executable)
    home.connect(str(python))
    probe = connector.probe(home.settings, home.paths, "intaglio-probe-1")
    assert probe is not None
    assert json.loads(probe.stdin) == {
        "hook_event_name": "SessionStart",
        "session_id": "intaglio-probe-1",
        "source": "startup",
    }
    if gone == "the program":
        python.unlink()
    elif gone == "the hook files":
        shutil.rmtree(home.paths.state)
    done = subprocess.run(
        probe.argv,
        input=probe.stdin,
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, **probe.env},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (tmp_path / "here").exists()
    assert home.paths.state.exists() == (gone != "the hook files")
    home.disconnect()
    assert b"agent.py" not in (home.read() or b"")


def test_hooks_that_are_not_there_have_no_probe(tmp_path: Path) -> None:
    home = make_home(tmp_path, GROUPED)
    assert GROUPED.probe(home.settings, home.paths, "intaglio-probe-1") is None
