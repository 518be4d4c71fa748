"""A connector that changes several files of the user: TOML, JSON, and a file of its own."""

import os
import stat
from pathlib import Path

import pytest

from fakes.connect_home import Home, make_home
from fakes.harness_folder import on_the_path
from intaglio.connect.plans import apply
from intaglio.connect.toml_entries import add_entry, find_entry, remove_entry, without_fragments
from intaglio.connect.values import ConnectionApplied, ConnectionPlan, ConnectionRefused
from intaglio.harness import registry

TOML = """\
# My settings
model = "m1"    # the fast one

[mcp_servers.weather]
command = "weather"

[hooks]
# Rings a bell.
bell = { command = ["bell"] }
"""
JSON = '{\n  "enabled": {"other": {"path": "x"}}\n}\n'
ENTRY = {"command": "python", "args": ["-I", "a b"]}


@pytest.fixture
def user(tmp_path: Path) -> Home:
    with on_the_path():
        connector = registry.connectors()["sqlite-agent"]
    home = make_home(tmp_path, connector)
    home.write(TOML.encode())
    plugins(home).write_text(JSON)
    return home


def plugins(user: Home) -> Path:
    return user.settings.with_name("plugins.json")


def plugin(user: Home) -> Path:
    return user.settings.parent / "plugins" / "intaglio.txt"


def planned(user: Home) -> ConnectionPlan:
    plan = user.plan()
    assert isinstance(plan, ConnectionPlan)
    return plan


def test_the_plan_shows_each_file(user: Home) -> None:
    diff = planned(user).diff
    for file in (user.settings, plugins(user), plugin(user)):
        assert f"+++ {file}" in diff


def test_connect_keeps_comments_and_order_and_disconnect_restores_every_byte(user: Home) -> None:
    done = user.connect()
    assert isinstance(done, ConnectionApplied)
    assert {each.read_text() for each in done.backups} == {TOML, JSON}
    text = user.settings.read_text()
    assert text.startswith(TOML)
    assert find_entry(text, "hooks", "intaglio") is not None
    assert find_entry(text, "mcp_servers", "intaglio") is not None
    assert plugin(user).is_file()
    assert (user.state(), user.tools()) == ("connected", "registered")
    assert isinstance(user.disconnect(), ConnectionApplied)
    assert (user.settings.read_text(), plugins(user).read_text()) == (TOML, JSON)
    assert not plugin(user).exists()


def test_what_the_user_has_rewritten_since_loses_only_our_entries(user: Home) -> None:
    user.connect()
    text = user.settings.read_text().replace('command = ["/usr', 'command  =  ["/usr')
    user.settings.write_text(text + "# later\n")
    assert isinstance(user.disconnect(), ConnectionApplied)
    rest = user.settings.read_text()
    assert rest.startswith(TOML.rstrip())
    assert "# later" in rest
    assert "intaglio" not in rest


@pytest.mark.skipif(os.name == "nt", reason="needs links and modes")
def test_links_and_modes_stay(user: Home) -> None:
    real = user.folder / "dotfiles.toml"
    user.settings.rename(real)
    user.settings.symlink_to(real)
    real.chmod(0o640)
    plugins(user).chmod(0o600)
    assert isinstance(user.connect(), ConnectionApplied)
    assert user.settings.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert stat.S_IMODE(plugins(user).stat().st_mode) == 0o600


def test_a_file_that_changes_meanwhile_rolls_the_others_back(user: Home) -> None:
    plan = planned(user)
    plugin(user).parent.mkdir()
    plugin(user).write_text("mine")
    refused = apply(plan)
    assert isinstance(refused, ConnectionRefused)
    assert str(plugin(user)) in refused.reason
    assert (user.settings.read_text(), plugins(user).read_text()) == (TOML, JSON)
    assert plugin(user).read_text() == "mine"
    assert not list((user.paths.state / "connect").glob("sqlite-agent*.json"))


def test_disconnect_puts_everything_back_if_a_record_cannot_be_removed(user: Home) -> None:
    user.connect()
    connected = (user.settings.read_text(), plugins(user).read_text(), plugin(user).read_text())
    plan = user.target().plan_disconnect()
    assert isinstance(plan, ConnectionPlan)
    last = plan.connection[-1].record_file
    last.unlink()
    last.mkdir()
    refused = apply(plan)
    assert isinstance(refused, ConnectionRefused)
    assert "backup" not in refused.hint
    now = (user.settings.read_text(), plugins(user).read_text(), plugin(user).read_text())
    assert now == connected


def test_a_file_of_somebody_else_is_left_alone(user: Home) -> None:
    plugin(user).parent.mkdir()
    plugin(user).write_text("mine")
    refused = user.connect()
    assert isinstance(refused, ConnectionRefused)
    assert "isn't Intaglio's" in refused.reason
    assert user.settings.read_text() == TOML


def test_a_file_of_ours_that_was_edited_is_not_deleted(user: Home) -> None:
    user.connect()
    plugin(user).write_text("mine now")
    assert isinstance(user.disconnect(), ConnectionRefused)
    assert plugin(user).read_text() == "mine now"


@pytest.mark.parametrize("text", ["hooks = 3\n", "a = \n", "[hooks]\n[hooks]\n"])
def test_toml_that_cannot_be_edited_is_refused(user: Home, text: str) -> None:
    user.settings.write_text(text)
    assert isinstance(user.connect(), ConnectionRefused)
    assert user.settings.read_text() == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a = 1",
        TOML,
        TOML.replace("\n", "\r\n"),
        "mcp_servers = {o = {a = 1}} # inline\nb = 2\n",
        "mcp_servers.o.a = 1\n",
        "[[list]]\na = 1\n",
    ],
)
def test_an_entry_of_any_toml_is_added_and_removed(text: str) -> None:
    added = add_entry(text, "mcp_servers", "intaglio", ENTRY)
    assert find_entry(added.text, "mcp_servers", "intaglio") == ENTRY
    plain = remove_entry(added.text, "mcp_servers", "intaglio", added.containers)
    assert find_entry(plain, "mcp_servers", "intaglio") is None
    assert without_fragments(added.text, plain, added.fragments) == text
