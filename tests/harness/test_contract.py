"""What every harness promises, held for each folder that there is and for a minimal one."""

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.connect_home import Home, make_home
from fakes.harness_folder import FOLDERS, on_the_path
from intaglio.base.errors import InvalidInputError
from intaglio.connect.connector import Connector
from intaglio.connect.plans import connected_folders
from intaglio.connect.values import ConnectionApplied, ConnectionPlan, ConnectionRefused
from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence
from intaglio.harness import registry
from intaglio.harness.dispatch import reply_to
from intaglio.harness.events import (
    CompactionEnd,
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    Prompt,
    SessionEnd,
    SessionStart,
    Transcript,
    TurnEnd,
)
from intaglio.harness.protocol import Harness, Reply
from intaglio.sessions.context import units

ORIGIN = EventOrigin(session="s-1")
MORE = tuple(folder.name.replace("_", "-") for folder in FOLDERS.iterdir() if folder.is_dir())
HARNESSES = (*registry.harness_names(), *MORE)
CONNECTORS = (*registry.connector_names(), *MORE)


@pytest.fixture(autouse=True)
def _all_found() -> Generator[None]:
    with on_the_path():
        yield


@pytest.fixture(params=HARNESSES)
def harness(request: pytest.FixtureRequest) -> Harness:
    return registry.harnesses()[request.param]


@pytest.fixture(params=CONNECTORS)
def connector(request: pytest.FixtureRequest) -> Connector:
    return registry.connectors()[request.param]


@pytest.fixture
def user(connector: Connector, tmp_path: Path) -> Home:
    return make_home(tmp_path, connector)


@pytest.mark.parametrize("event", [SessionStart(ORIGIN), Prompt(ORIGIN, "x")])
@pytest.mark.parametrize("unit", ["word ", "日本", "😀"])
def test_no_reply_exceeds_the_harnesss_limit(
    harness: Harness, event: SessionStart | Prompt, unit: str
) -> None:
    text = Fence().wrap(unit * harness.limits.reply_chars, {})
    reply = reply_to(harness, event, Reply(text)).decode()
    # What a reply needs around the text is not counted by harnesses.
    around = units(reply_to(harness, event, Reply("x")).decode()) - 1
    escapes = reply.count("\\n") + reply.count('\\"')
    assert units(reply) - around - escapes <= harness.limits.reply_chars


def test_a_session_is_told_at_its_start_or_with_its_prompts(harness: Harness) -> None:
    replies = [
        reply_to(harness, event, Reply("a fact"))
        for event in (SessionStart(ORIGIN), Prompt(ORIGIN, "x"))
    ]
    assert any(b"a fact" in reply for reply in replies)


@pytest.mark.parametrize("event", [SessionStart(ORIGIN), Prompt(ORIGIN, "x")])
def test_a_reply_that_is_cut_still_closes_its_fence(
    harness: Harness, event: SessionStart | Prompt
) -> None:
    whole = reply_to(harness, event, Reply(Fence().wrap("short", {}))).decode()
    if not whole:  # it takes no text with this event
        return
    long = Fence().wrap("word " * harness.limits.reply_chars, {})
    reply = reply_to(harness, event, Reply(long)).decode()
    assert reply[-18:] == whole[-18:]
    assert strip_injected(whole) != whole


@pytest.mark.parametrize(
    "event", [TurnEnd(ORIGIN), CompactionEnd(ORIGIN), SessionEnd(ORIGIN), IgnoredEvent("x")]
)
def test_an_event_that_takes_no_context_gets_none(harness: Harness, event: HarnessEvent) -> None:
    assert b"secret" not in reply_to(harness, event, Reply("secret", "secret"))


def test_a_notice_to_the_person_leaves_the_models_text_unchanged(harness: Harness) -> None:
    text, line = Fence().wrap("a fact", {}), "Intaglio: 2 memories for lantern"
    plain = reply_to(harness, SessionStart(ORIGIN), Reply(text)).decode()
    noticed = reply_to(harness, SessionStart(ORIGIN), Reply(text, f"\x1b[31m{line}\u202e")).decode()
    if noticed == plain:  # it can't show one
        return
    before, after = json.loads(plain), json.loads(noticed)
    assert after == {**before, **dict.fromkeys(after.keys() - before.keys(), line)}


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b"\xff", b'"x"', b"[" * 100_000])
def test_an_invalid_payload_is_refused(harness: Harness, body: bytes) -> None:
    with pytest.raises(InvalidInputError):
        harness.read_event(body)


def test_an_event_that_nobody_knows_is_unused(harness: Harness) -> None:
    assert harness.spooled_event("no-such-event", ORIGIN, "") == IgnoredEvent("no-such-event")


def test_transcripts_lie_in_folders_of_the_harness_alone(harness: Harness, tmp_path: Path) -> None:
    roots = harness.transcript_roots(tmp_path, {}, [tmp_path / "connected"])
    assert roots
    for root in roots:
        assert root.is_relative_to(tmp_path)
        assert root not in {tmp_path, tmp_path / "connected"}


def test_an_unreadable_transcript_has_no_messages(harness: Harness, tmp_path: Path) -> None:
    file = tmp_path / f"t{harness.transcript_suffix}"
    file.write_bytes(b"\xff\n{}\n[]\nnull\n{")
    assert harness.read_transcript(Transcript(file, "t"), "", 1_000).messages == ()


def test_what_no_session_can_be_is_no_kept_session(harness: Harness, tmp_path: Path) -> None:
    roots = harness.transcript_roots(tmp_path, {}, [tmp_path / "connected"])
    assert list(harness.past_sessions(roots)) == []
    for root in roots:
        (root / f"folder{harness.transcript_suffix}").mkdir(parents=True)
    assert list(harness.past_sessions(roots)) == []


def test_declared_tags_are_neutralised(harness: Harness) -> None:
    fence = Fence(registry.meaningful_tags([harness]))
    assert harness.tags
    for tag in harness.tags:
        text = f"x <{tag.replace('*', 'any')}>y"
        assert fence.sanitize(text) == text.replace("<", "&lt;")


def test_a_cut_reply_ends_with_no_joiner(harness: Harness) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for length in range(harness.limits.reply_chars - 9, harness.limits.reply_chars):
        reply = reply_to(harness, Prompt(ORIGIN, "x"), Reply("a" * length + family)).decode()
        assert "\u200d\u2026" not in reply


def test_older_paths_are_paths_of_hooks(harness: Harness) -> None:
    taken = {f"/api/hooks/{name}" for name in ("native", "remember", "recall", "session-start")}
    for path in harness.older_paths:
        assert path.startswith("/api/hooks/")
        assert path.count("/") == 3
        assert path not in taken


def _in_format(file: Path, content: bytes | None) -> bytes | None:
    """Return settings in JSON, or the like in TOML if the file's name says so."""
    toml = {b"{}": b"# mine", b"{\n}\n": b"[b]\n", b'{"a": 1}\n': b"a = 1  # one\r\n[b]\r\n"}
    return toml.get(content or b"", content) if file.suffix == ".toml" else content


@pytest.mark.parametrize(
    "before", [None, b"", b"\xef\xbb\xbf", b"\n\n", b"{}", b"{\n}\n", b'{"a": 1}\n']
)
def test_connect_then_disconnect_restores_every_byte(user: Home, before: bytes | None) -> None:
    settings, servers = (_in_format(file, before) for file in (user.settings, user.servers))
    user.write(settings)
    user.write_servers(servers)
    if user.is_whole_file and before is not None:
        assert isinstance(user.connect(), ConnectionRefused)
        assert user.read() == before
        return
    assert isinstance(user.connect(), ConnectionApplied)
    assert (user.state(), user.tools()) == ("connected", user.tools_if_listed("registered"))
    assert connected_folders(user.connector.name, user.paths) == [user.settings.parent]
    assert isinstance(user.disconnect(), ConnectionApplied)
    assert (user.read(), user.read_servers()) == (settings, servers)
    assert (user.state(), user.tools()) == ("not", user.tools_if_listed("missing"))
    assert connected_folders(user.connector.name, user.paths) == []


def test_a_second_connect_or_disconnect_changes_nothing(user: Home) -> None:
    empty = b"" if user.settings.suffix == ".toml" else None if user.is_whole_file else b"{}"
    user.write(empty)
    user.connect()
    plan = user.plan()
    assert isinstance(plan, ConnectionPlan)
    assert not plan.changed
    user.disconnect()
    again = user.disconnect()
    assert isinstance(again, ConnectionApplied)
    assert not again.changed
    assert user.read() == empty


@pytest.mark.parametrize("content", ['{"a": 1}'.encode("utf-16"), b"x" * 2_100_000])
def test_settings_that_cannot_be_read_are_left_alone(user: Home, content: bytes) -> None:
    user.write(content)
    assert not isinstance(user.connect(), ConnectionApplied)
    assert user.read() == content
    assert not user.paths.state.exists()


def test_neither_token_nor_port_is_written_into_the_users_settings(user: Home) -> None:
    user.connect()
    content = b"".join({user.read() or b"", user.read_servers() or b""}).decode()
    assert content.count("mcp.py") == (user.has_servers or user.is_whole_file)
    for secret in (user.install.token, user.install.hook_token, str(user.install.port)):
        assert secret not in content


def test_the_settings_lie_below_the_home(user: Home) -> None:
    assert user.settings.is_relative_to(user.folder)
    assert user.servers.is_relative_to(user.folder)


def test_a_harness_is_installed_where_its_folder_is(user: Home, tmp_path: Path) -> None:
    assert not user.connector.is_installed(tmp_path / "nobody", {})
    user.settings.parent.mkdir(parents=True, exist_ok=True)
    assert user.connector.is_installed(user.folder, {})


def test_the_hook_files_are_ours_and_written_once(user: Home) -> None:
    assert user.refresh()
    assert not user.refresh()
    assert all(
        file.path.is_relative_to(user.paths.hooks)
        for file in user.connector.hook_files(user.paths, user.install)
    )


def test_a_folder_without_its_export_is_named(tmp_path: Path) -> None:
    for text, why in (("", "HARNESS is missing"), ("HARNESS = 3\n", "lacks"), ("import", "import")):
        name = f"broken{len(text)}"
        folder = tmp_path / name / "lonely"
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        (folder / "harness.py").write_text(text)
        with on_the_path(tmp_path / name), pytest.raises(registry.BrokenHarnessError) as failed:
            registry.harnesses()
        assert f"lonely{os.sep}harness.py" in failed.value.detail
        assert why in failed.value.detail


def test_a_folder_with_another_harness_name_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "__init__.py").touch()
    source = (FOLDERS / "minimal" / "harness.py").read_text()
    (folder / "harness.py").write_text(source)
    with on_the_path(tmp_path), pytest.raises(registry.BrokenHarnessError) as failed:
        registry.harnesses()
    assert "is named 'minimal'" in failed.value.detail
