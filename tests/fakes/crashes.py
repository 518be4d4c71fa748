"""Lets the process seem to end at the boundary of a stage: before it, or once it is done."""

import inspect

import pytest


class CrashedError(Exception):
    """The process ends here."""


def crash_before(patch: pytest.MonkeyPatch, owner: object, name: str) -> list[int]:
    """Let the first call of a function crash before it does anything."""
    return _crash(patch, owner, name, after=False)


def crash_after(patch: pytest.MonkeyPatch, owner: object, name: str) -> list[int]:
    """Let the first call of a function crash when it has done its work."""
    return _crash(patch, owner, name, after=True)


def _crash(patch: pytest.MonkeyPatch, owner: object, name: str, *, after: bool) -> list[int]:
    real, crashes = getattr(owner, name), list[int]()

    def due() -> bool:
        if crashes:
            return False
        crashes.append(1)
        return True

    if inspect.iscoroutinefunction(real):

        async def crashing_later(*args: object, **named: object) -> object:
            if not after and due():
                raise CrashedError
            result = await real(*args, **named)
            if after and due():
                raise CrashedError
            return result

        patch.setattr(owner, name, crashing_later)
    else:

        def crashing(*args: object, **named: object) -> object:
            if not after and due():
                raise CrashedError
            result = real(*args, **named)
            if after and due():
                raise CrashedError
            return result

        patch.setattr(owner, name, crashing)
    return crashes
