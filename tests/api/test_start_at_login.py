"""Start at login, switched from the dashboard by the command that the tray app has, too."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.api import Api
from intaglio.base.errors import ConflictError
from intaglio.base.process.programs import ProgramOutput
from intaglio.start_at_login.service import LoginAction, StartAtLogin

PATH = "/api/start-at-login"


@pytest.fixture
def entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The entry in the autostart folder of a user of a Linux desktop."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "config" / "autostart" / "intaglio.desktop"


def is_written(entry: Path) -> bool:
    return entry.exists()


def block(folder: Path) -> None:
    folder.write_text("a file where the folder belongs")


async def test_it_is_off_until_the_user_switches_it_on_and_off_again(api: Api, entry: Path) -> None:
    assert (await api.client.get(PATH, headers=api.owner)).json() == {"on": False}
    assert not is_written(entry)
    for on in (True, False):
        switched = await api.client.put(PATH, json={"on": on}, headers=api.owner)
        assert switched.json() == {"on": on}
        assert is_written(entry) is on


async def test_only_the_user_may_ask_or_switch(api: Api, entry: Path) -> None:
    assert (await api.client.get(PATH)).status_code == 401
    assert (await api.client.put(PATH, json={"on": True})).status_code == 401
    assert not is_written(entry)


async def test_entries_that_cannot_be_written_are_a_conflict_with_the_reason(
    api: Api, entry: Path
) -> None:
    block(entry.parent.parent)
    reply = await api.client.put(PATH, json={"on": True}, headers=api.owner)
    assert reply.status_code == 409
    assert "Not a directory" in reply.json()["detail"]
    assert "autostart on" in reply.json()["hint"]


def ends(code: int, output: bytes, errors: bytes = b"") -> Callable[[], ProgramOutput]:
    return lambda: ProgramOutput(code=code, output=output, errors=errors)


def fails(error: Exception) -> Callable[[], ProgramOutput]:
    def run() -> ProgramOutput:
        raise error

    return run


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (ends(1, b"", b"Error: no home folder\n"), "no home folder"),
        (ends(3, b"nonsense"), "it ended with code 3"),
        (fails(TimeoutError()), "it took too long"),
        (fails(FileNotFoundError("no such program")), "no such program"),
    ],
)
async def test_what_keeps_it_from_being_told_is_said(
    run: Callable[[], ProgramOutput], reason: str
) -> None:
    async def answer(_: LoginAction) -> ProgramOutput:
        return run()

    with pytest.raises(ConflictError, match=reason):
        await StartAtLogin(answer).is_on()
