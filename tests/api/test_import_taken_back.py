"""An import that is taken back: nothing of it returns, and undoing leaves the store as it was."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from api.test_history_import import get, run
from api.test_sources import contents, preview, take_back, undo
from fakes.api import Api
from fakes.past_history import PastHistory
from fakes.waiting import PATIENCE_S
from fakes.whole_store import whole_store

DATES: Final = "We decided to use Luxon for date handling from now on."
OTHER_DATES: Final = "we decided to use date-fns for date handling, not Luxon."
LIST: Final = "/api/sources/taken-back"


async def finished(api: Api, reply: dict[str, Any]) -> dict[str, Any]:
    """Return a removal once it is complete."""
    while True:
        await api.kernel.background.finish(PATIENCE_S)
        found = (await get(api, LIST))["removals"]
        (removal,) = (each for each in found if each["id"] == reply["id"])
        if not removal["running"]:
            return dict(removal)


def lately(days: int) -> datetime:
    """Return a time that transcripts are still kept of."""
    return datetime.now(UTC) - timedelta(days=days)


async def there_and_back(api: Api, least: int) -> None:
    """Import what history there is, take it back, import it again, and undo."""
    done = await run(api)
    before = await whole_store(api.kernel.database)
    assert len(before["memories"]) >= least
    assert (await run(api))["sessions"] == 0
    assert await whole_store(api.kernel.database) == before
    source = {"kind": "import", "id": done["id"]}
    shown = await preview(api, source)
    assert shown["sessions"] == done["done"]
    assert (shown["count"], shown["elsewhere"]) == (len(before["memories"]), 0)
    listed = (await get(api, "/api/sources"))["sources"]
    assert [(each["kind"], each["memories"]) for each in listed] == [("import", shown["count"])]
    removal = await finished(api, await take_back(api, source, waits=True))
    assert (removal["forgotten"], removal["dropped"]) == (shown["count"], shown["suggestions"])
    assert await contents(api) == []
    path = f"/api/imports/{done['id']}"
    assert (await get(api, path))["removed"] == removal["at"]
    left = await whole_store(api.kernel.database)
    again = await run(api)
    assert (again["sessions"], again["kept"], again["suggested"]) == (0, 0, 0)
    assert await whole_store(api.kernel.database) == left
    assert (await undo(api, removal["id"])).status_code == 200
    await finished(api, removal)
    assert (await get(api, path))["removed"] is None
    assert await whole_store(api.kernel.database) == before
    assert (await run(api))["sessions"] == 0
    assert await whole_store(api.kernel.database) == before


async def test_an_import_does_not_return_and_comes_back_when_undone(
    api: Api, tmp_path: Path
) -> None:
    history = PastHistory(Path.home(), tmp_path / "work", per_prompt=1_000)
    history.claude_code(lately(30), said=(DATES, "Never deploy on Fridays."))
    history.claude_code(lately(20), said=(f"No, {OTHER_DATES}", "I like the map view as it is."))
    history.codex(lately(10), said=("Never deploy on Fridays.", "Please fix the red build."))
    await there_and_back(api, 3)


@pytest.mark.slow
async def test_months_of_history_do_not_return_and_come_back(api: Api, tmp_path: Path) -> None:
    PastHistory(Path.home(), tmp_path / "work", per_prompt=10_000).write(20_000_000)
    await there_and_back(api, 50)
