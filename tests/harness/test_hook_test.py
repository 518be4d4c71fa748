"""What a test of a harness's hook says, by how the hook ends."""

import json
import random
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fakes.connect_home import Home, make_home
from fakes.planted_secrets import made_up_key
from fakes.waiting import PATIENCE_S
from intaglio.connect.program_versions import ProgramVersions
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.values import ProbeCommand
from intaglio.harness.claude_code.connector import NAME, ClaudeCodeConnector
from intaglio.harness.events import EventOrigin, IgnoredEvent, SessionStart, TurnEnd
from intaglio.harness.hook_test import HookTest, HookTester
from intaglio.harness.probe_sessions import ProbeSessions


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedConnector(ClaudeCodeConnector):
    """A harness whose hook is a command of the test's; the session's id is its last argument."""

    argv: tuple[str, ...] = ()

    def probe(self, settings: Path, paths: object, session: str) -> ProbeCommand:
        del settings, paths
        return ProbeCommand(argv=(*self.argv, session), stdin=b"{}", env={"GIVEN": "given"})


async def found_by(home: Home, *argv: str, limit_s: float = PATIENCE_S) -> HookTest:
    target = replace(home.target(), connector=ScriptedConnector(argv=argv))
    tester = HookTester(sessions=ProbeSessions(), spool=home.paths.spool, limit_s=limit_s)
    return await tester.test(target, is_connected=True)


def python(script: str) -> tuple[str, ...]:
    return sys.executable, "-I", "-S", "-c", script


async def test_a_hook_that_fails_is_shown_with_its_first_errors(home: Home) -> None:
    key = made_up_key(random.Random(7))  # noqa: S311 - a test's key
    script = (
        f"import sys; print('x' * 999, '{key}', *range(9), sep='\\n', file=sys.stderr); sys.exit(3)"
    )
    found = await found_by(home, *python(script))
    assert (found.outcome, found.text) == ("failed", "The hook ended with code 3.")
    assert [len(line) for line in found.lines][::4] == [200, 1]
    assert len(found.lines) == 5
    assert key not in "".join(found.lines)


async def test_a_hook_that_never_ends_is_stopped(home: Home) -> None:
    found = await found_by(home, *python("import time; time.sleep(600)"), limit_s=0.2)
    assert found.outcome == "slow"


@pytest.mark.parametrize(
    ("argv", "outcome", "said"),
    [
        (("/gone/python3", "-V"), "missing", "can't be started: /gone/python3"),
        (("/bin/sh", "-c", '[ -r "/gone/hook.py" ] || exit 0'), "missing", "gone/hook.py"),
        (("/bin/sh", "-c", "echo '{}'"), "elsewhere", "not by this Intaglio"),
        (("/bin/sh", "-c", ":"), "silent", "without reaching"),
        (("/bin/sh", "-c", 'test "$GIVEN" = given; exit $?'), "silent", "without reaching"),
        (("/bin/sh", "-c", '[ -z "$(ls)" ] || exit 9'), "silent", "without reaching"),
    ],
)
async def test_a_hook_that_does_not_arrive_is_told_why(
    home: Home, argv: tuple[str, ...], outcome: str, said: str
) -> None:
    found = await found_by(home, *argv)
    assert found.outcome == outcome
    assert said in found.text
    assert found.hint


async def test_the_event_that_a_failed_test_has_spooled_is_removed(home: Home) -> None:
    home.paths.spool.mkdir(parents=True)
    other = home.paths.spool / "0-other.json"
    other.write_text(json.dumps({"session": "someone's"}))
    script = f"import sys; open({str(home.paths.spool / '1-test.json')!r}, 'w').write(sys.argv[-1])"
    assert (await found_by(home, *python(script))).outcome == "unreached"
    assert list(home.paths.spool.iterdir()) == [other]


async def test_without_a_hook_it_is_said_what_to_do(home: Home) -> None:
    tester = HookTester(sessions=ProbeSessions(), spool=home.paths.spool)
    absent = await tester.test(home.target(), is_connected=False)
    assert (absent.outcome, absent.ms) == ("absent", None)
    alone = await tester.test(home.target(), is_connected=True)
    assert alone.outcome == "untestable"
    assert "new session" in alone.hint


def test_only_a_session_that_was_handed_out_is_a_test() -> None:
    sessions = ProbeSessions()
    with sessions.open(NAME) as session:
        start = SessionStart(EventOrigin(session=session.id))
        reply = sessions.reply(NAME, start)
        assert reply is not None
        assert session.nonce in reply.text
        assert session.nonce not in session.id
        assert sessions.reply("another-harness", start) is None
        assert sessions.reply(NAME, IgnoredEvent(session.id)) is None
        assert sessions.reply(NAME, SessionStart(EventOrigin(session="intaglio-probe-1"))) is None
        ends = sessions.reply(NAME, TurnEnd(start.origin))
        assert ends is not None
        assert not ends.text
    assert sessions.reply(NAME, start) is None


async def test_a_program_is_asked_for_its_version_once_until_it_changes(tmp_path: Path) -> None:
    asked, program = tmp_path / "asked", tmp_path / "agent"

    def says(text: str) -> None:
        program.write_text(f"#!/bin/sh\necho x >> '{asked}'\n{text}\n")
        program.chmod(0o755)

    versions = ProgramVersions(find=lambda name: str(tmp_path / name), limit_s=PATIENCE_S)
    for text, version in (
        ("echo 'agent-cli 1.20.3-beta.1 (Agent)'; echo 9.9.9", "1.20.3-beta.1"),
        ("echo 2026.11.2", "2026.11.2"),
        ("echo 1.2.3; exit 1", ""),
        ("echo no version", ""),
    ):
        asked.unlink(missing_ok=True)
        says(text)
        for _ in range(2):
            found = await versions.read(["agent", "gone", "agent"])
            assert found == {"agent": version, "gone": ""}
        assert asked.read_text() == "x\n"


def test_what_an_earlier_installation_left_is_recognised(tmp_path: Path) -> None:
    old = make_home(tmp_path)
    old.connect()
    new = replace(old, paths=replace(old.paths, state=old.folder / ".local/state/intaglio"))
    assert _is_left_over(new.target(), new)
    assert not _is_left_over(old.target(), old)
    new.connect()
    assert not _is_left_over(new.target(), new)


def _is_left_over(target: ConnectionTarget, home: Home) -> bool:
    state, tools = target.state(home.install), target.tools_state(home.install)
    return target.is_left_over(state, tools)


async def test_a_version_that_was_not_said_in_time_is_asked_for_again(tmp_path: Path) -> None:
    program, busy = tmp_path / "agent", tmp_path / "busy"
    busy.touch()
    program.write_text(f"#!/bin/sh\n[ -e '{busy}' ] && exec sleep 600\necho 1.2.3\n")
    program.chmod(0o755)
    versions = ProgramVersions(find=lambda name: str(tmp_path / name), limit_s=0.2)
    assert await versions.read(["agent"]) == {"agent": ""}
    busy.unlink()
    patient = replace(versions, limit_s=PATIENCE_S)
    assert await patient.read(["agent"]) == {"agent": "1.2.3"}
