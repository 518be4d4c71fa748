"""Connecting makes our plugin OpenClaw's memory, and disconnecting leaves no byte of it."""

import os
import shutil
from pathlib import Path

import pytest

from fakes.connect_home import Home
from intaglio.connect.json5_entries import value_at
from intaglio.connect.values import ConnectionApplied, ConnectionPlan, ConnectionRefused
from intaglio.harness.openclaw.connector import CONNECTOR, state_folder

SLOT = ("plugins", "slots", "memory")
SHAPES = {
    "comments": "// mine\n{\n  // one\n  a: 1, // two\n  /* three */\n}\n",
    "a comment at the end": "{\n  a: 1 // two\n}\n",
    "a byte order mark": '\ufeff{"a": 1}',
    "windows line ends": "{\r\n  // x\r\n  'a': 1,\r\n}\r\n",
    "one line": "{a: 1}",
    "an empty object with a comment": "{ // nothing yet\n}\n",
    "plugins of others": "{plugins: {entries: {other: {enabled: true}}}}\n",
    "an empty slot list": "{\n\tplugins: {\n\t\tslots: {},\n\t},\n}\n",
    "an allow list": "{plugins: {allow: ['other'], load: {paths: ['~/x',]}}}\n",
    "an empty allow list": '{"plugins": {"allow": []}}',
    "another engine's slot": "{plugins: {slots: {contextEngine: 'legacy'}}}",
    "strict JSON": '{\n    "agents": {\n        "list": []\n    }\n}\n',
    "no end of line": '{\n"a": [\n1]}',
    "odd keys": "{'a b': {\"plugins\": 1}, $c: 2}",
    "numbers": "{a: .5, b: 0xff, c: -Infinity}",
}


@pytest.fixture
def openclaw(home: Home) -> Home:
    return Home(home.folder, home.paths, home.install, CONNECTOR)


def _own(openclaw: Home) -> list[Path]:
    folder = openclaw.settings.parent / "extensions" / "intaglio"
    return [folder / "openclaw.plugin.json", folder / "index.mjs"]


@pytest.mark.parametrize("shape", SHAPES)
def test_connect_then_disconnect_restores_every_byte(openclaw: Home, shape: str) -> None:
    before = SHAPES[shape].encode()
    openclaw.write(before)
    assert isinstance(openclaw.connect(), ConnectionApplied)
    assert openclaw.state() == "connected"
    text = (openclaw.read() or b"").decode("utf-8-sig")
    assert value_at(text, SLOT) == "intaglio"
    allowed = value_at(text, ("plugins", "allow"))
    assert allowed in (None, [], ["other", "intaglio"])
    assert all(file.is_file() for file in _own(openclaw))
    assert isinstance(openclaw.disconnect(), ConnectionApplied)
    assert openclaw.read() == before
    assert not any(file.exists() for file in _own(openclaw))


@pytest.mark.parametrize("owner", ["memory-lancedb", "memory-core", "none"])
def test_a_slot_that_is_taken_is_left_to_its_plugin(openclaw: Home, owner: str) -> None:
    before = f"{{plugins: {{slots: {{memory: '{owner}'}}}}}}".encode()
    openclaw.write(before)
    refused = openclaw.connect()
    assert isinstance(refused, ConnectionRefused)
    assert owner in refused.reason
    assert openclaw.read() == before
    assert not any(file.exists() for file in _own(openclaw))


@pytest.mark.parametrize("text", ["{a: 1", "{$include: './base.json5'}", "[]"])
def test_settings_that_cannot_be_edited_are_left_alone(openclaw: Home, text: str) -> None:
    openclaw.write(text.encode())
    assert isinstance(openclaw.connect(), ConnectionRefused)
    assert openclaw.read() == text.encode()
    assert not any(file.exists() for file in _own(openclaw))


def test_a_linked_configuration_stays_a_link(openclaw: Home) -> None:
    kept = openclaw.folder / "dotfiles.json5"
    kept.write_text("{a: 1}")
    openclaw.settings.parent.mkdir()
    openclaw.settings.symlink_to(kept)
    openclaw.connect()
    openclaw.disconnect()
    assert openclaw.settings.is_symlink()
    assert kept.read_text() == "{a: 1}"


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_read_only_configuration_is_refused(openclaw: Home) -> None:
    openclaw.write(b"{}")
    openclaw.settings.chmod(0o400)
    assert isinstance(openclaw.connect(), ConnectionRefused)
    assert not any(file.exists() for file in _own(openclaw))


def test_a_plugin_of_our_name_that_is_not_ours_is_refused(openclaw: Home) -> None:
    manifest, _ = _own(openclaw)
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{}")
    assert isinstance(openclaw.connect(), ConnectionRefused)
    assert openclaw.read() is None


def test_what_openclaw_has_rewritten_is_disconnected_all_the_same(openclaw: Home) -> None:
    openclaw.write(b"{a: 1}")
    openclaw.connect()
    entry = '{"enabled": true, "hooks": {"allowConversationAccess": true, "timeoutMs": 9000}}'
    openclaw.write(
        b'{"a": 1, "plugins": {"slots": {"memory": "intaglio"}, "entries": {"intaglio": '
        + entry.encode()
        + b'}, "load": {"paths": ["'
        + bytes(_own(openclaw)[0].parent)
        + b'"]}}, "meta": {"lastTouchedVersion": "2026.9.6"}}'
    )
    assert openclaw.state() == "connected"
    openclaw.disconnect()
    text = (openclaw.read() or b"").decode()
    assert value_at(text, ()) == {"a": "1", "meta": {"lastTouchedVersion": "2026.9.6"}}


@pytest.mark.parametrize("shape", ["comments", "an allow list", "windows line ends"])
def test_what_a_deleted_installation_left_can_be_disconnected(openclaw: Home, shape: str) -> None:
    openclaw.write(SHAPES[shape].encode())
    openclaw.connect()
    shutil.rmtree(openclaw.paths.state)
    assert isinstance(openclaw.disconnect(), ConnectionApplied)
    text = (openclaw.read() or b"").decode()
    assert value_at(text, ()) == value_at(SHAPES[shape], ())
    assert not any(file.exists() for file in _own(openclaw))


def test_the_plugin_is_found_wherever_the_configuration_lies(openclaw: Home) -> None:
    openclaw.connect()
    text = (openclaw.read() or b"").decode()
    assert value_at(text, ("plugins", "load", "paths")) == [str(_own(openclaw)[0].parent)]


def test_the_configuration_is_the_one_that_openclaw_reads(tmp_path: Path) -> None:
    def of(**env: str) -> Path:
        return CONNECTOR.settings_file(tmp_path, {f"OPENCLAW_{key}": env[key] for key in env})

    assert of() == tmp_path / ".openclaw" / "openclaw.json"
    assert of(PROFILE="work") == tmp_path / ".openclaw-work" / "openclaw.json"
    assert of(STATE_DIR="~/state") == tmp_path / "state" / "openclaw.json"
    assert of(CONFIG_PATH="/etc/claw.json5", STATE_DIR="~/state") == Path("/etc/claw.json5")
    assert state_folder(tmp_path, {"OPENCLAW_HOME": "/srv"}) == Path("/srv/.openclaw")


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("plugins: {enabled: false}", "switched off"),
        ("plugins: {deny: ['intaglio']}", "refuse"),
        ("plugins: {entries: {intaglio: {hooks: {allowPromptInjection: false}}}}", "prompts"),
        ("gateway: {reload: {mode: 'off'}}", "gateway"),
    ],
)
def test_what_keeps_the_plugin_from_running_is_said(openclaw: Home, added: str, said: str) -> None:
    openclaw.write(f"{{{added}}}".encode())
    (concern,) = CONNECTOR.concerns(openclaw.settings, openclaw.paths, {})
    assert said in concern.text
    openclaw.write(b"{}")
    assert CONNECTOR.concerns(openclaw.settings, openclaw.paths, {}) == ()


def test_without_node_or_the_plugin_there_is_nothing_to_probe(
    openclaw: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert CONNECTOR.probe(openclaw.settings, openclaw.paths, "intaglio-probe-1") is None
    assert isinstance(openclaw.plan(), ConnectionPlan)
    openclaw.connect()
    monkeypatch.setenv("PATH", "")
    assert CONNECTOR.probe(openclaw.settings, openclaw.paths, "intaglio-probe-1") is None
