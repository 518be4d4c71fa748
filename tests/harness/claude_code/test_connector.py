"""Connecting and disconnecting leaves a user's settings as they were, byte for byte."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.connect_home import PYTHON, Home, make_home
from intaglio.connect.plans import apply, connected_folders
from intaglio.connect.values import ConnectionApplied, ConnectionPlan, ConnectionRefused
from intaglio.harness.claude_code.connector import NAME, ClaudeCodeConnector

OWN_HOOKS: dict[str, Any] = {
    "Stop": [{"hooks": [{"type": "command", "command": "notify-send done"}]}],
    "PreToolUse": [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": "~/.claude/hooks/guard.py"}]}
    ],
}
# Without the file or the program, the hook ends silently; a path is never part of the script.
UNLESS_GONE = '[ -r "$0" ] && command -v "$1" >/dev/null || exit 0; exec "$@"'
BIG = {"permissions": {"allow": [f"Bash(command{n}:*)" for n in range(4_000)]}}

ROUND_TRIPS: dict[str, bytes | None] = {
    "absent": None,
    "empty": b"",
    "blank": b"\n\n",
    "empty object": b"{}",
    "empty object with a blank": b"{ }\n",
    "empty object on two lines": b"{\n}\n",
    "two spaces": b'{\n  "model": "opus"\n}\n',
    "four spaces, no newline at the end": b'{\n    "model": "opus"\n}',
    "tabs": b'{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
    "one line": b'{"model": "opus", "env": {"A": "1"}}\n',
    "one line, compact": b'{"model":"opus","env":{"A":"1"}}',
    "CRLF": b'{\r\n  "model": "opus"\r\n}\r\n',
    "byte order mark": b'\xef\xbb\xbf{\n  "model": "opus"\n}\n',
    "byte order mark alone": b"\xef\xbb\xbf",
    "own hooks": json.dumps({"hooks": OWN_HOOKS, "model": "opus"}, indent=2).encode(),
    "own hooks on one line": json.dumps({"hooks": OWN_HOOKS}).encode(),
    "own hooks, compact": json.dumps({"hooks": OWN_HOOKS}, separators=(",", ":")).encode(),
    "empty hooks": b'{\n  "hooks": {}\n}\n',
    "empty hooks on two lines": b'{\n  "hooks": {\n  },\n  "model": "opus"\n}\n',
    "an empty event": b'{\n  "hooks": {\n    "Stop": [],\n    "SessionEnd": [\n    ]\n  }\n}\n',
    "zero indentation": b'{\n"model": "opus",\n"hooks": {\n"Stop": []\n}\n}\n',
    "mixed and odd layout": b' {"a" :1\n,  "hooks"\n:{ "Stop":[ ]\n\n} ,\n\t"b":[ 1,2 ]}  \n\n',
    "commas first": b'{\n    "a": 1\n  , "b": 2\n}\n',
    "duplicate keys elsewhere": b'{\n  "model": "a",\n  "model": "b"\n}\n',
    "escapes and other scripts": '{\n  "ключ\\u0022}": "值 \\\\ {[,"\n}\n'.encode(),
    "huge": json.dumps(BIG, indent=2).encode(),
    "hooks are switched off": b'{\n  "disableAllHooks": true\n}\n',
}

REFUSALS: dict[str, tuple[bytes, str]] = {
    "a line comment": (b'{\n  // mine\n  "model": "opus"\n}\n', "line 2: a comment"),
    "a block comment": (b'{"model": "opus" /* mine */}', "a comment"),
    "a comma after the last entry": (b'{\n  "model": "opus",\n}\n', "a comma after the last"),
    "broken JSON": (b'{"model": "opus"', "unexpected end of file"),
    "two documents": (b"{}{}", "aren't valid JSON"),
    "NaN": (b'{"a": NaN}', "aren't valid JSON"),
    "an array": (b"[]\n", "aren't a JSON object"),
    "a word": (b'"x"\n', "aren't a JSON object"),
    "hooks as a list": (b'{"hooks": []}', '"hooks" isn\'t an object'),
    "hooks as null": (b'{"hooks": null}', '"hooks" isn\'t an object'),
    "an event as an object": (b'{"hooks": {"Stop": {}}}', "unknown format"),
    "a group as a string": (b'{"hooks": {"Stop": ["x"]}}', "unknown format"),
    "hooks twice": (b'{"hooks": {}, "hooks": {}}', "more than once"),
    "an event twice": (b'{"hooks": {"Stop": [], "Stop": []}}', '"Stop" twice'),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "isn't valid UTF-8"),
    "too deep": (b'{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}", "levels deep"),
    "too large": (b'{"a": "' + b"x" * 2_100_000 + b'"}', "larger than"),
}


def _wired(content: bytes | None) -> dict[str, Any]:
    return dict(json.loads((content or b"").decode("utf-8-sig"))["hooks"])


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_connect_then_disconnect_restores_every_byte(home: Home, name: str) -> None:
    before = ROUND_TRIPS[name]
    home.write(before)
    assert isinstance(home.connect(), ConnectionApplied)
    assert home.state() == "connected"
    assert isinstance(home.disconnect(), ConnectionApplied)
    assert home.read() == before
    assert home.state() == "not"


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_connecting_keeps_what_the_user_has_and_adds_its_hooks(home: Home, name: str) -> None:
    before = ROUND_TRIPS[name]
    home.write(before)
    home.connect()
    text = (before or b"").decode("utf-8-sig")
    tree: dict[str, Any] = json.loads(text) if text.strip() else {}
    after: dict[str, Any] = json.loads((home.read() or b"").decode("utf-8-sig"))
    added = after.pop("hooks")
    own = tree.pop("hooks", {})
    assert after == tree
    for event, groups in own.items():
        assert added[event][: len(groups)] == groups
    ours = {event: groups[-1] for event, groups in added.items() if groups != own.get(event)}
    assert sorted(ours) == [
        *("PostCompact", "PostToolUse", "PreCompact"),
        *("SessionEnd", "SessionStart", "Stop", "UserPromptSubmit"),
    ]


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_a_second_connect_changes_nothing(home: Home, name: str) -> None:
    home.write(ROUND_TRIPS[name])
    home.connect()
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    assert not plan.changed
    assert plan.settings.diff == ""


@pytest.mark.parametrize("name", REFUSALS)
def test_settings_that_cannot_be_merged_are_refused(home: Home, name: str) -> None:
    before, reason = REFUSALS[name]
    home.write(before)
    refused = home.connect()
    assert isinstance(refused, ConnectionRefused)
    assert reason in refused.reason
    assert refused.hint
    assert home.read() == before
    assert not home.paths.state.exists()


def test_the_hooks_are_written_in_the_files_own_style(home: Home) -> None:
    home.write(b'{\r\n\t"model": "opus"\r\n}\r\n')
    home.connect()
    content = home.read() or b""
    assert b'\r\n\t"hooks": {\r\n\t\t"SessionStart": [\r\n\t\t\t{\r\n' in content
    assert content.count(b"\n") == content.count(b"\r\n")


def test_the_entries_are_what_claude_code_runs(home: Home) -> None:
    home.connect()
    found = {event: groups[0]["hooks"][0] for event, groups in _wired(home.read()).items()}
    config, source = (str(home.paths.hooks / f"claude-code.{end}") for end in ("curl", "py"))
    by_curl = ["-c", UNLESS_GONE, config, "curl", "-q", "-K", config]
    by_program = ["-c", UNLESS_GONE, source, PYTHON, "-I", "-S", source]
    later = {
        "type": "command",
        "command": "/bin/sh",
        "args": by_program,
        "timeout": 10,
        "async": True,
    }
    assert found == {
        "SessionStart": {
            "type": "command",
            "command": "/bin/sh",
            "args": by_curl,
            "timeout": 5,
        },
        "UserPromptSubmit": {
            "type": "command",
            "command": "/bin/sh",
            "args": by_curl,
            "timeout": 3,
        },
        "PostToolUse": {
            "type": "command",
            "command": "/bin/sh",
            "args": by_curl,
            "timeout": 3,
        },
        "PreCompact": {
            "type": "command",
            "command": "/bin/sh",
            "args": by_curl,
            "timeout": 5,
        },
        "PostCompact": later,
        "Stop": later,
        "SessionEnd": {
            "type": "command",
            "command": "/bin/sh",
            "args": by_program,
            "timeout": 5,
        },
    }


def test_only_edits_are_reported(home: Home) -> None:
    home.connect()
    matchers = {event: groups[0].get("matcher") for event, groups in _wired(home.read()).items()}
    edits = matchers.pop("PostToolUse")
    assert not any(matchers.values())
    assert edits is not None
    for tool in ("Edit", "Write", "MultiEdit", "NotebookEdit"):
        assert re.fullmatch(edits, tool)
    for tool in ("Read", "Bash", "TodoWrite", "mcp__files__Edit"):
        assert not re.fullmatch(edits, tool)


def test_hooks_of_an_older_version_are_completed(home: Home) -> None:
    before = ROUND_TRIPS["own hooks"]
    home.write(before)
    home.connect()
    former = json.loads(home.read() or b"")
    del former["hooks"]["PostToolUse"]
    home.write(json.dumps(former, indent=2).encode())
    assert home.state() == "partly"
    home.connect()
    assert home.state() == "connected"
    home.disconnect()
    assert json.loads(home.read() or b"") == json.loads(before or b"")


@pytest.mark.parametrize("gone", ["nothing", "the program", "the hook files"])
@pytest.mark.parametrize("curl", [True, False])
def test_hooks_whose_program_is_gone_end_silently(tmp_path: Path, *, curl: bool, gone: str) -> None:
    folder = tmp_path / 'it\'s $(touch here) `id` "quoted" & more'
    folder.mkdir()
    home = make_home(folder, connector=ClaudeCodeConnector(curl=curl))
    python = folder / "python"
    python.symlink_to(sys.executable)
    home.connect(str(python))
    if gone == "the program":
        python.unlink()
    elif gone == "the hook files":
        shutil.rmtree(home.paths.state)
    for groups in _wired(home.read()).values():
        (handler,) = groups[0]["hooks"]
        done = subprocess.run(
            [handler["command"], *handler["args"]],
            input=b"{}",
            capture_output=True,
            check=False,
            cwd=tmp_path,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (tmp_path / "here").exists()
    assert home.paths.state.exists() == (gone != "the hook files")


@pytest.mark.skipif(sys.platform == "win32", reason="the form is another one there")
def test_hooks_of_the_former_form_are_replaced_and_removed(home: Home) -> None:
    before = b'{\n  "model": "opus"\n}\n'
    home.write(before)
    home.connect()
    former = json.loads(home.read() or b"")
    for groups in former["hooks"].values():
        (handler,) = groups[0]["hooks"]
        handler["command"], *handler["args"] = handler["args"][3:]
    home.write(json.dumps(former, indent=2).encode() + b"\n")
    assert home.state() == "partly"
    home.connect()
    assert home.state() == "connected"
    assert all(len(groups) == 1 for groups in _wired(home.read()).values())
    home.disconnect()
    assert home.read() == before


def test_neither_token_nor_port_is_written_into_the_users_settings(home: Home) -> None:
    home.connect()
    content = (home.read() or b"").decode()
    assert "3899" not in content
    assert home.install.token not in content
    assert home.install.hook_token not in content


def test_the_diff_shows_each_line_that_is_added(home: Home) -> None:
    home.write(b'{\n  "model": "opus"\n}\n')
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    assert '+  "hooks": {' in plan.settings.diff
    assert '-  "model": "opus"\n+  "model": "opus",' in plan.settings.diff
    assert home.read() == b'{\n  "model": "opus"\n}\n'


def test_edits_beside_our_hooks_survive_disconnect_byte_for_byte(home: Home) -> None:
    home.write(b'{\n    "model":   "opus",\n    "env": {"A":1}\n}\n')
    home.connect()
    content = (
        (home.read() or b"").replace(b'"opus"', b'"sonnet"').replace(b'"A":1', b'"A":1, "B":2')
    )
    home.write(content)
    home.disconnect()
    assert home.read() == b'{\n    "model":   "sonnet",\n    "env": {"A":1, "B":2}\n}\n'


def test_a_member_added_after_ours_survives(home: Home) -> None:
    home.write(b'{\n  "model": "opus"\n}\n')
    home.connect()
    content = (home.read() or b"").rstrip().removesuffix(b"}").rstrip()
    home.write(content + b',\n  "theme": "dark"\n}\n')
    home.disconnect()
    assert home.read() == b'{\n  "model": "opus",\n  "theme": "dark"\n}\n'


def test_a_member_added_after_ours_in_a_file_that_was_empty_survives(home: Home) -> None:
    home.write(b"{}")
    home.connect()
    content = (home.read() or b"").rstrip().removesuffix(b"}").rstrip()
    home.write(content + b',\n  "theme": "dark"\n}')
    home.disconnect()
    assert json.loads(home.read() or b"") == {"theme": "dark"}


def test_hooks_the_user_adds_between_ours_survive(home: Home) -> None:
    home.connect()
    tree = json.loads(home.read() or b"")
    tree["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "mine"})
    tree["hooks"]["Notification"] = OWN_HOOKS["Stop"]
    home.write(json.dumps(tree, indent=1).encode())
    home.disconnect()
    assert json.loads(home.read() or b"") == {
        "hooks": {
            "Stop": [{"hooks": [{"type": "command", "command": "mine"}]}],
            "Notification": OWN_HOOKS["Stop"],
        }
    }


@pytest.mark.parametrize("name", ["two spaces", "own hooks", "empty hooks", "an empty event"])
def test_a_file_that_claude_code_rewrote_loses_only_our_hooks(home: Home, name: str) -> None:
    before = ROUND_TRIPS[name]
    home.write(before)
    home.connect()
    home.write(json.dumps(json.loads(home.read() or b""), separators=(",", ":")).encode())
    home.disconnect()
    assert json.loads(home.read() or b"") == json.loads(before or b"")


def test_disconnect_without_the_record_takes_only_our_hooks(home: Home) -> None:
    home.write(json.dumps({"hooks": OWN_HOOKS}, indent=2).encode())
    home.connect()
    for record in (home.paths.state / "connect").glob("*.json"):
        record.unlink()
    home.disconnect()
    assert json.loads(home.read() or b"") == {"hooks": OWN_HOOKS}


def test_disconnect_twice_changes_nothing(home: Home) -> None:
    home.write(b'{"model": "opus"}')
    home.connect()
    home.disconnect()
    again = home.disconnect()
    assert isinstance(again, ConnectionApplied)
    assert not again.changed
    assert home.read() == b'{"model": "opus"}'


def test_hooks_of_another_interpreter_are_replaced_and_removed_exactly(home: Home) -> None:
    before = json.dumps({"hooks": OWN_HOOKS}, indent=3).encode()
    home.write(before)
    home.connect()
    assert isinstance(home.connect("/opt/python"), ConnectionApplied)
    content = home.read() or b""
    assert content.count(b"claude-code.py") == 6
    assert content.count(b"/opt/python") == 3
    home.disconnect()
    assert home.read() == before


def test_without_curl_the_hook_program_answers(home: Home) -> None:
    plan = ClaudeCodeConnector(curl=False).plan_connect(
        home.settings, home.paths, home.install, PYTHON
    )
    assert isinstance(plan, ConnectionPlan)
    wired = _wired(plan.settings.after)
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact"):
        (handler,) = wired[event][0]["hooks"]
        assert PYTHON in handler["args"]
        assert handler["args"][-1] == "--reply"


def test_a_partial_connection_is_completed(home: Home) -> None:
    home.connect()
    tree = json.loads(home.read() or b"")
    del tree["hooks"]["PreCompact"], tree["hooks"]["PostCompact"]
    home.write(json.dumps(tree, indent=2).encode())
    assert home.state() == "partly"
    plan = home.connector.plan_connect(home.settings, home.paths, home.install, PYTHON)
    assert isinstance(plan, ConnectionPlan)
    assert [note.partition(".")[0] for note in plan.notes] == [
        "New hooks are added for: PreCompact, PostCompact"
    ]
    home.connect()
    assert home.state() == "connected"
    assert all(len(groups) == 1 for groups in _wired(home.read()).values())


def test_hooks_of_an_installation_that_moved_are_replaced(home: Home) -> None:
    old = {
        "type": "command",
        "command": "/old/python",
        "args": ["-I", "-S", "/old/share/intaglio/hooks/claude-code.py"],
    }
    url = {"type": "http", "url": "http://localhost:1/api/hooks/claude-code"}
    hooks = {"Stop": [{"hooks": [old]}], "UserPromptSubmit": [{"hooks": [url]}]}
    home.write(json.dumps({"hooks": hooks}, indent=2).encode())
    home.connect()
    content = (home.read() or b"").decode()
    assert "/old/" not in content
    assert "localhost:1" not in content
    assert home.state() == "connected"


def test_a_hook_without_a_command_has_no_probe(home: Home) -> None:
    url = {"type": "http", "url": "http://localhost:1/api/hooks/claude-code"}
    home.write(json.dumps({"hooks": {"SessionStart": [{"hooks": [url]}]}}).encode())
    assert home.connector.probe(home.settings, home.paths, "intaglio-probe-1") is None
    home.connect()
    probe = home.connector.probe(home.settings, home.paths, "intaglio-probe-1")
    assert probe is not None
    assert probe.argv[:2] == ("/bin/sh", "-c")
    assert json.loads(probe.stdin)["session_id"] == "intaglio-probe-1"


def test_a_users_own_hook_with_our_files_name_is_not_ours(home: Home) -> None:
    own = {"Stop": [{"hooks": [{"type": "command", "command": "~/.claude/hooks/claude-code.py"}]}]}
    before = json.dumps({"hooks": own}).encode()
    home.write(before)
    home.connect()
    assert len(_wired(home.read())["Stop"]) == 2
    home.disconnect()
    assert home.read() == before


def test_a_long_command_is_looked_through_once(home: Home) -> None:
    own = {"type": "command", "command": "intaglio/" * 20_000}
    home.write(json.dumps({"hooks": {"Stop": [{"hooks": [own]}]}}).encode())
    assert home.state() == "not"


def test_a_time_out_that_the_user_changed_is_kept(home: Home) -> None:
    home.connect()
    home.write((home.read() or b"").replace(b'"timeout": 3', b'"timeout": 2'))
    assert home.state() == "connected"


def test_a_symbolic_link_is_followed_and_kept(home: Home, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_bytes(b'{"model": "opus"}')
    home.write(None)
    home.settings.symlink_to(real)
    home.connect()
    assert home.settings.is_symlink()
    assert b"claude-code.curl" in real.read_bytes()
    home.disconnect()
    assert real.read_bytes() == b'{"model": "opus"}'


def test_a_link_to_nothing_is_refused(home: Home, tmp_path: Path) -> None:
    home.write(None)
    home.settings.symlink_to(tmp_path / "missing.json")
    refused = home.connect()
    assert isinstance(refused, ConnectionRefused)
    assert "doesn't exist" in refused.reason


def test_the_mode_of_the_file_is_kept(home: Home) -> None:
    home.write(b"{}")
    home.settings.chmod(0o640)
    home.connect()
    assert home.settings.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("what", ["file", "folder", "hard link", "directory"])
def test_a_file_that_cannot_be_replaced_safely_is_refused(home: Home, what: str) -> None:
    home.write(None if what == "directory" else b"{}")
    match what:
        case "file":
            home.settings.chmod(0o444)
        case "folder":
            home.settings.parent.chmod(0o555)
        case "hard link":
            os.link(home.settings, home.folder / "other")
        case _:
            home.settings.mkdir()
    refused = home.connect()
    home.settings.parent.chmod(0o755)
    assert isinstance(refused, ConnectionRefused)
    assert refused.hint
    assert not home.paths.state.exists()


def test_a_file_that_changed_since_the_plan_is_not_overwritten(home: Home) -> None:
    home.write(b'{"a": 1}')
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    home.write(b'{"a": 2}')
    refused = apply(plan)
    assert isinstance(refused, ConnectionRefused)
    assert "changed in the meantime" in refused.reason
    assert home.read() == b'{"a": 2}'


def test_a_backup_holds_the_settings_as_they_were(home: Home) -> None:
    home.write(b'{"model": "opus"}')
    done = home.connect()
    assert isinstance(done, ConnectionApplied)
    [backup] = done.backups
    assert backup.read_bytes() == b'{"model": "opus"}'
    assert backup.stat().st_mode & 0o777 == 0o600


def test_settings_made_by_connect_stay_when_the_user_put_something_in(home: Home) -> None:
    home.connect()
    tree = json.loads(home.read() or b"")
    home.write(json.dumps({**tree, "model": "opus"}).encode())
    home.disconnect()
    assert json.loads(home.read() or b"") == {"model": "opus"}


def test_settings_that_disable_hooks_are_reported(home: Home) -> None:
    home.write(b'{"disableAllHooks": true}')
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    assert [note.split()[0] for note in plan.notes] == ["disableAllHooks"]


def test_the_settings_lie_where_the_environment_says(tmp_path: Path) -> None:
    find = ClaudeCodeConnector().settings_file
    assert find(tmp_path, {}) == tmp_path / ".claude" / "settings.json"
    configured = {"CLAUDE_CONFIG_DIR": str(tmp_path / "x")}
    assert find(tmp_path, configured) == tmp_path / "x" / "settings.json"


SETTINGS = st.dictionaries(
    st.sampled_from(["model", "env", "hooks", "permissions"]),
    st.one_of(st.none(), st.text(max_size=3), st.dictionaries(st.text(max_size=3), st.integers())),
    max_size=4,
).map(lambda tree: {**tree, **({"hooks": OWN_HOOKS} if "hooks" in tree else {})})


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    tree=SETTINGS,
    indent=st.sampled_from([None, 0, 1, 2, 8, "\t"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    around=st.tuples(st.text(" \n\t", max_size=3), st.text(" \n\t", max_size=3)),
)
def test_any_settings_come_back_byte_for_byte(
    home: Home,
    tree: dict[str, Any],
    indent: int | str | None,
    newline: str,
    around: tuple[str, str],
) -> None:
    text = around[0] + json.dumps(tree, indent=indent) + around[1]
    before = text.replace("\n", newline).encode()
    home.write(before)
    home.connect()
    assert home.state() == "connected"
    home.disconnect()
    assert home.read() == before


def test_the_connected_folder_is_known_until_it_is_disconnected(home: Home) -> None:
    home.write(b'{"model": "opus"}')
    home.connect()
    assert connected_folders(NAME, home.paths) == [home.settings.parent]
    home.disconnect()
    assert connected_folders(NAME, home.paths) == []


def test_a_folder_whose_name_no_settings_can_hold_is_refused(home: Home) -> None:
    odd = replace(home.paths, state=home.folder / "state-\udcff")
    plan = ClaudeCodeConnector().plan_connect(home.settings, odd, home.install, PYTHON)
    assert isinstance(plan, ConnectionRefused)
    assert "INTAGLIO_STATE_DIR" in plan.hint
