"""Codex runs the hooks that its user trusts: what its settings say of ours."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.connect_home import Home, make_home
from intaglio.connect.values import ConnectionPlan
from intaglio.harness.codex.connector import CONNECTOR
from intaglio.harness.codex.trust import hook_hashes

EVENTS: Final = (
    ("SessionStart", "session_start"),
    ("UserPromptSubmit", "user_prompt_submit"),
    ("PostToolUse", "post_tool_use"),
    ("PreCompact", "pre_compact"),
    ("PostCompact", "post_compact"),
    ("Stop", "stop"),
    ("SessionEnd", "session_end"),
)


@pytest.fixture
def user(tmp_path: Path) -> Home:
    home = make_home(tmp_path, CONNECTOR)
    home.connect()
    return home


def _groups(user: Home) -> dict[str, list[dict[str, Any]]]:
    return dict(json.loads(user.read() or b"{}")["hooks"])


def _review(user: Home, **left_out: str) -> None:
    """Trust the hooks as they are now, as the user does with /hooks."""
    text = (user.read_servers() or b"").decode()
    for event, key in EVENTS:
        for at, group in enumerate(_groups(user)[event]):
            (handler,) = group["hooks"]
            trusted = hook_hashes(event, group.get("matcher"), handler)[0]
            name = json.dumps(f"{user.settings}:{key}:{at}:0")
            value = left_out.get(event, f'trusted_hash = "{trusted}"')
            text += f"\n[hooks.state.{name}]\n{value}\n"
    user.write_servers(text.encode())


def _texts(user: Home) -> list[str]:
    return [each.text for each in CONNECTOR.concerns(user.settings, user.paths, {})]


# What `hooks/list` of version 0.171.0 said of these definitions.
@pytest.mark.parametrize(
    ("event", "matcher", "more", "digest"),
    [
        ("PostToolUse", "apply_patch", {"timeout": 3}, "e04028b177"),
        ("SessionStart", None, {"timeout": 3, "additionalContextLimit": 0}, "1d03adfc4a"),
        ("SessionStart", None, {"timeout": 3, "commandWindows": "y"}, "343dcc2a23"),
        ("SessionStart", None, {"timeout": 0}, "b850cbbec3"),
        ("SessionStart", "", {"timeout": 3}, "d7db906f7e"),
        ("SessionEnd", None, {}, "f3041eae9d"),
        ("SessionEnd", None, {"timeout": 10}, "b1aa6329f3"),
        ("Stop", None, {}, "6f14477468"),
        ("Stop", None, {"command": "xé \"'", "timeout": 3}, "aef122cb42"),
        ("Stop", None, {"timeout": 3, "async": True}, "dc2e6fe66d"),
        ("Stop", None, {"timeout": 3, "statusMessage": "hi"}, "6ef8cdc16a"),
        ("Stop", "foo", {"timeout": 3}, "d01ee585ac"),
    ],
)
def test_the_hash_is_the_one_that_codex_takes(
    event: str, matcher: str | None, more: dict[str, object], digest: str
) -> None:
    found = hook_hashes(event, matcher, {"type": "command", "command": "x", **more})
    assert f"sha256:{digest}" in [each[:17] for each in found]


def test_hooks_that_nobody_has_reviewed_are_a_concern(user: Home) -> None:
    (concern,) = CONNECTOR.concerns(user.settings, user.paths, {})
    assert concern.text == "Codex doesn't run Intaglio's hooks until you trust them."
    assert "/hooks" in concern.hint


def test_reviewed_hooks_are_fine(user: Home) -> None:
    _review(user)
    assert _texts(user) == []


def test_one_hook_that_is_not_trusted_is_named(user: Home) -> None:
    _review(user, Stop="enabled = true")
    assert _texts(user) == ["Codex skips hooks of Intaglio that you haven't trusted: Stop."]


def test_a_hook_that_changed_since_is_named(user: Home) -> None:
    _review(user)
    user.write((user.read() or b"").replace(b'"timeout": 3,', b'"timeout": 9,', 1))
    (text,) = _texts(user)
    assert "have changed since you trusted them" in text
    assert text.endswith(": UserPromptSubmit.")


def test_hooks_that_all_seem_changed_only_may_be(user: Home) -> None:
    _review(user, **dict.fromkeys((event for event, _ in EVENTS), 'trusted_hash = "sha256:new"'))
    (text,) = _texts(user)
    assert "may have changed" in text


def test_a_hook_that_was_switched_off_is_named(user: Home) -> None:
    (group,) = _groups(user)["Stop"]
    (trusted,) = hook_hashes("Stop", None, group["hooks"][0])
    _review(user, Stop=f'trusted_hash = "{trusted}"\nenabled = false')
    assert _texts(user) == ["You switched off hooks of Intaglio in Codex: Stop."]


@pytest.mark.parametrize("key", ["hooks", "codex_hooks"])
def test_hooks_that_are_switched_off_altogether_are_a_concern(user: Home, key: str) -> None:
    _review(user)
    settings = f"[features]\n{key} = false\n".encode() + (user.read_servers() or b"")
    user.write_servers(settings)
    (text,) = _texts(user)
    assert text.startswith(f"features.{key} is false in ")


def test_a_users_hook_before_ours_moves_its_place(user: Home) -> None:
    user.disconnect()
    own = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}
    user.write(json.dumps(own).encode())
    user.connect()
    _review(user)
    assert _texts(user) == []


def test_a_folder_behind_a_link_is_the_same(user: Home, tmp_path: Path) -> None:
    _review(user)
    (tmp_path / "link").symlink_to(user.settings.parent)
    linked = replace(user, env={"CODEX_HOME": str(tmp_path / "link")})
    assert _texts(linked) == []


@pytest.mark.parametrize("config", [b"= broken", b"\xff", b"[hooks]\nstate = 3", b"features = 1"])
def test_settings_of_another_shape_are_no_failure(user: Home, config: bytes) -> None:
    user.write_servers(config)
    assert len(_texts(user)) == (0 if config in {b"= broken", b"\xff"} else 1)


@pytest.mark.parametrize("hooks", [b"{", b"[]", b'{"hooks": 3}', b'{"hooks": {"Stop": [3]}}'])
def test_hooks_of_another_shape_are_no_failure(user: Home, hooks: bytes) -> None:
    user.write(hooks)
    assert _texts(user) == []


def test_connecting_says_that_the_hooks_want_trust(tmp_path: Path) -> None:
    home = make_home(tmp_path, CONNECTOR)
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    (note,) = plan.notes
    assert note.startswith("Codex doesn't run Intaglio's hooks until you trust them. Start `codex`")


def test_completing_a_connection_names_the_added_hooks(user: Home) -> None:
    former = json.loads(user.read() or b"")
    del former["hooks"]["PreCompact"]
    user.write(json.dumps(former).encode())
    plan = user.plan()
    assert isinstance(plan, ConnectionPlan)
    added, untrusted = plan.notes
    assert added.startswith("New hooks are added for: PreCompact.")
    assert "trust" in untrusted


def test_trust_is_never_written(user: Home) -> None:
    assert b"trusted_hash" not in (user.read_servers() or b"")


def test_disconnecting_keeps_what_codex_wrote_since(user: Home) -> None:
    _review(user)
    user.disconnect()
    rest = (user.read_servers() or b"").decode()
    assert rest.count("trusted_hash") == len(EVENTS)
    assert "mcp_servers" not in rest
