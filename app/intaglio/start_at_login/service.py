"""Reads and switches start at login by `intaglio autostart`, which knows each operating system."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import msgspec

from intaglio.base.errors import ConflictError
from intaglio.base.installation import command
from intaglio.base.paths import home_folder
from intaglio.base.process.own_program import own_command
from intaglio.base.process.programs import ProgramOutput, run_program
from intaglio.base.text import clip

LoginAction: TypeAlias = Literal["on", "off", "status"]
RunAutostart: TypeAlias = Callable[[LoginAction], Awaitable[ProgramOutput]]

# It takes half a second; a home folder on a network may be slow.
_WITHIN_S: Final = 15.0
_MAX_REASON: Final = 300


class _State(msgspec.Struct):
    on: bool


async def run_autostart(action: LoginAction) -> ProgramOutput:
    """Run `intaglio autostart`; raises OSError or TimeoutError."""
    async with asyncio.timeout(_WITHIN_S):
        return await run_program(
            own_command("autostart", action, "--json"),
            stdin=b"",
            folder=home_folder(),
            environment=os.environ,
        )


@dataclass(frozen=True, slots=True)
class StartAtLogin:
    """Whether the tray app starts when the user logs in."""

    run: RunAutostart = run_autostart
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def is_on(self) -> bool:
        """Return whether it is on; raises ConflictError if that can't be told."""
        return await self._ask("status")

    async def switch(self, *, on: bool) -> bool:
        """Switch it, and return whether it is on now; raises ConflictError if that failed."""
        return await self._ask("on" if on else "off")

    async def _ask(self, action: LoginAction) -> bool:
        try:
            async with self._one_at_a_time:
                ended = await self.run(action)
        except TimeoutError:
            raise _failed(action, "it took too long") from None
        except OSError as error:
            raise _failed(action, str(error)) from error
        try:
            return msgspec.json.decode(ended.output or b"", type=_State).on
        except msgspec.DecodeError:
            said = ended.errors.decode(errors="replace").strip().removeprefix("Error: ")
            raise _failed(action, said or f"it ended with code {ended.code}") from None


def _failed(action: LoginAction, reason: str) -> ConflictError:
    return ConflictError(
        f"Start at login can't be {'read' if action == 'status' else 'changed'}: "
        f"{clip(reason, _MAX_REASON)}",
        hint=f"Run `{command(f'autostart {action}')}` in a terminal.",
    )
