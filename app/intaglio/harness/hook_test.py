"""Tests a harness's hook: runs it as the harness would, and says whether it reaches the daemon."""

import asyncio
import os
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.base.process.programs import NO_HOOKS, ProgramOutput, run_program
from intaglio.base.text import clip
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.values import ProbeCommand
from intaglio.domain.hooks import HookTestOutcome
from intaglio.harness.probe_sessions import ProbeSession, ProbeSessions
from intaglio.harness.spool import remove_session
from intaglio.redaction.shown_text import without_secrets

_LIMIT_S: Final = 10.0
_MAX_LINES: Final = 5
_LINE_CHARS: Final = 200
_RENEW: Final = "Connect it again to renew its hooks."


@dataclass(frozen=True, slots=True, kw_only=True)
class HookTest:
    """What a test found.

    ``text`` says it, ``hint`` what to do; ``lines`` are the first that the hook wrote as errors,
    and ``ms`` is how long it ran, None if it didn't.
    """

    outcome: HookTestOutcome
    text: str
    hint: str = ""
    ms: int | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HookTester:
    """Runs one test at a time: the hook of a session's start, for a session of our own."""

    sessions: ProbeSessions
    spool: Path
    limit_s: float = _LIMIT_S
    _running: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def test(self, target: ConnectionTarget, *, is_connected: bool) -> HookTest:
        """Run the hook that the settings have, without a shell of ours and in an empty folder."""
        async with self._running:
            with self.sessions.open(target.connector.name) as session:
                probe = await asyncio.to_thread(target.probe, session.id)
                if probe is None:
                    return _not_run(target.connector.label, is_connected=is_connected)
                return await self._run(probe, session)

    async def _run(self, probe: ProbeCommand, session: ProbeSession) -> HookTest:
        kept = {name: value for name, value in os.environ.items() if name not in NO_HOOKS}
        started = monotonic_s()
        ended: ProgramOutput | None = None
        try:
            with tempfile.TemporaryDirectory(prefix="intaglio-test-") as folder:
                async with asyncio.timeout(self.limit_s):
                    ended = await run_program(
                        probe.argv,
                        stdin=probe.stdin,
                        folder=Path(folder),
                        environment={**kept, **probe.env},
                    )
        except TimeoutError:
            pass
        except (OSError, ValueError):
            return HookTest(
                outcome="missing",
                text=f"The hook's program can't be started: {probe.argv[0]}",
                hint=_RENEW,
            )
        ms = round((monotonic_s() - started) * 1_000)
        if not session.is_seen:
            gone = await asyncio.to_thread(remove_session, self.spool, session.id)
            session.is_spooled = session.is_spooled or gone
        if ended is None:
            return HookTest(
                outcome="slow",
                text=f"The hook didn't end within {self.limit_s:.0f} seconds.",
                hint=f"It was stopped. {_RENEW}",
                ms=ms,
            )
        return _judged(probe, session, ended, ms)


def _not_run(label: str, *, is_connected: bool) -> HookTest:
    if is_connected:
        return HookTest(
            outcome="untestable",
            text=f"{label}'s hook can't be run by itself.",
            hint=f"Start a new session in {label}: its first event appears here.",
        )
    return HookTest(outcome="absent", text="The settings have no hook to test.", hint=_RENEW)


def _judged(probe: ProbeCommand, session: ProbeSession, ended: ProgramOutput, ms: int) -> HookTest:
    if session.nonce.encode() in (ended.output or b""):
        return HookTest(outcome="works", text=f"The hook works: answered in {ms} ms.", ms=ms)
    outcome, text, hint = _failure(probe, session, ended)
    return HookTest(outcome=outcome, text=text, hint=hint, ms=ms, lines=_lines(ended.errors))


def _failure(
    probe: ProbeCommand, session: ProbeSession, ended: ProgramOutput
) -> tuple[HookTestOutcome, str, str]:
    """Return why a test failed, in words, and what to do about it."""
    if ended.code:
        return "failed", f"The hook ended with code {ended.code}.", _RENEW
    if session.is_seen:
        return "lost", "The event arrived, but the hook didn't pass the reply on.", _RENEW
    if session.is_spooled:
        hint = "Test again. If it stays like this, restart Intaglio."
        return "unreached", "The hook ran, but couldn't reach Intaglio in time.", hint
    missing = missing_files(probe.argv)
    if missing:
        return "missing", f"The hook does nothing, as a file is gone: {missing[0]}", _RENEW
    if ended.output:
        hint = f"It may be the hook of another installation. {_RENEW}"
        return "elsewhere", "The hook was answered, but not by this Intaglio.", hint
    return "silent", "The hook ended without reaching Intaglio.", _RENEW


def missing_files(argv: Sequence[str]) -> list[str]:
    """List the files that a command names, itself or in a script for a shell, but that are gone."""
    words = dict.fromkeys(word for part in argv for word in (part, *_shell_words(part)))
    return [word for word in words if Path(word).is_absolute() and not Path(word).exists()]


def _shell_words(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:
        return []


def _lines(errors: bytes) -> tuple[str, ...]:
    text = without_secrets(errors.decode("utf-8", "replace"))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(clip(line, _LINE_CHARS) for line in lines[:_MAX_LINES])
