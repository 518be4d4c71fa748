"""A jump of the clock over HTTP: shown, confirmed, and no purge until then."""

import json

from fakes.api import Api
from intaglio.lifecycle.clock_guard import ClockGuard


async def test_a_jump_is_shown_until_the_user_confirms_the_clock(api: Api) -> None:
    # As a daemon left it that ran a thousand days after the present.
    mark = api.kernel.running.paths.clock_mark
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text(json.dumps({"trusted": "2100-01-01T00:00:00.000Z"}))
    assert api.kernel.get(ClockGuard).reason
    shown = (await api.client.get("/api/status")).json()["clock"]
    assert (shown["aheadS"] < 0, shown["resumesInS"]) == (True, 86_400)
    refused = await api.client.post("/api/repair/retention-sweep", headers=api.owner)
    assert "clock jumped" in refused.text

    assert (await api.client.post("/api/clock/confirm")).status_code == 401
    assert (await api.client.post("/api/clock/confirm", headers=api.owner)).json()["success"]
    assert (await api.client.get("/api/status")).json()["clock"] is None
