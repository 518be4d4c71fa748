"""`intaglio update` and `intaglio whats-new`: what they say, and what they don't do unasked."""

import contextlib
from collections.abc import Generator
from dataclasses import dataclass, field

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from intaglio.cli import updates
from intaglio.wire.status import Acknowledged
from intaglio.wire.updates import (
    ChangeGroup,
    ChangelogReply,
    ChangeRow,
    ReleaseRow,
    UpdateCheckReply,
    UpdateRunReply,
)

KNOWN = UpdateCheckReply(
    current_version="0.1.0",
    latest_version="0.1.0",
    update_available=False,
    release_url=None,
    cached=False,
    checked_at="2026-11-27T12:00:00.000Z",
    check_error=None,
    obstacle="",
    installed_by="uv",
    source="Installed by uv",
    advice="uv installs it.",
    command="uv tool upgrade intaglio",
    can_run=True,
    update_in_progress=False,
    pending_version=None,
    restart_command="intaglio daemon restart",
)
NEWER = replace(KNOWN, latest_version="0.2.0", update_available=True)
PENDING = replace(KNOWN, pending_version="0.2.0")
FAILED = replace(KNOWN, check_error="uv failed: no route")


def release(version: str, *, is_new: bool = False) -> ReleaseRow:
    rows = [ChangeRow(title=f"Of {version}:", text="it works.")]
    group = ChangeGroup(title="Added", items=rows)
    return ReleaseRow(version=version, date="", is_new=is_new, groups=[group])


@dataclass
class FakeDaemon:
    """A daemon that answers as it is told and notes what it's asked to do."""

    known: UpdateCheckReply = field(default_factory=lambda: KNOWN)
    releases: list[ReleaseRow] = field(default_factory=list[ReleaseRow])
    done: list[str] = field(default_factory=list[str])

    def update_check(self, *, force: bool) -> UpdateCheckReply:
        self.done += ["check"] if force else []
        return self.known

    def run_update(self, *, confirmed: bool) -> UpdateRunReply:
        self.done += ["run"] if confirmed else []
        message = "Version 0.2.0 is installed." if confirmed else "apt installs it."
        return UpdateRunReply(
            success=confirmed, message=message, command="", restart_required=confirmed
        )

    def changelog(self) -> ChangelogReply:
        return ChangelogReply(current_version="0.2.0", releases=self.releases)

    def mark_changelog_seen(self) -> Acknowledged:
        self.done.append("seen")
        return Acknowledged()


@pytest.fixture
def daemon(monkeypatch: pytest.MonkeyPatch) -> FakeDaemon:
    fake = FakeDaemon()

    @contextlib.contextmanager
    def client() -> Generator[FakeDaemon]:
        yield fake

    monkeypatch.setattr(updates, "daemon_client", client)
    return fake


def invoked(*arguments: str, answer: str = "") -> Result:
    return CliRunner().invoke(updates.update, arguments, input=answer)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (KNOWN, "No newer version was found."),
        (NEWER, "0.2.0 is available; 0.1.0 is running."),
        (PENDING, "run `intaglio daemon restart`."),
        (FAILED, "uv failed: no route"),
        (replace(KNOWN, obstacle="This is a clone."), "This is a clone."),
        (replace(KNOWN, checked_at=None), "It hasn't looked"),
    ],
    ids=["newest", "newer", "pending", "failed", "obstacle", "unasked"],
)
def test_update_asks_once_and_says_what_is_known(
    daemon: FakeDaemon, known: UpdateCheckReply, said: str
) -> None:
    daemon.known = known
    done = invoked()
    assert (done.exit_code, daemon.done) == (0, ["check"])
    assert said in done.output


def test_known_asks_nobody(daemon: FakeDaemon) -> None:
    assert invoked("check", "--known").exit_code == 0
    assert daemon.done == []


def test_a_command_runs_only_after_it_was_confirmed(daemon: FakeDaemon) -> None:
    daemon.known = NEWER
    assert invoked("run", answer="n\n").exit_code == 1
    assert daemon.done == []
    done = invoked("run", answer="y\n")
    assert NEWER.command in done.output
    assert "run `intaglio daemon restart`" in done.output
    assert daemon.done == ["run"]


def test_what_needs_an_administrator_is_shown_without_a_question(daemon: FakeDaemon) -> None:
    daemon.known = replace(NEWER, can_run=False)
    done = invoked("run")
    assert (done.exit_code, daemon.done) == (0, [])
    assert "apt installs it." in done.output


def test_whats_new_shows_what_was_not_seen_and_marks_it(daemon: FakeDaemon) -> None:
    daemon.releases = [release("0.2.0", is_new=True), release("0.1.0")]
    done = CliRunner().invoke(updates.whats_new)
    assert "0.2.0 · new" in done.output
    assert "Of 0.2.0: it works." in done.output
    assert "Of 0.1.0" not in done.output
    assert daemon.done == ["seen"]


def test_whats_new_shows_the_newest_version_if_all_were_seen_and_all_on_request(
    daemon: FakeDaemon,
) -> None:
    daemon.releases = [release("0.2.0"), release("0.1.0")]
    assert "Of 0.1.0" not in CliRunner().invoke(updates.whats_new).output
    assert "Of 0.1.0" in CliRunner().invoke(updates.whats_new, ["--all"]).output
