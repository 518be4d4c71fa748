"""GET /api/uninstall: the preview that the dashboard shows."""

from fakes.api import Api


async def test_the_preview_says_what_would_go_and_what_to_run(api: Api) -> None:
    reply = await api.client.get("/api/uninstall", headers=api.owner)
    assert reply.status_code == 200, reply.text
    said = reply.json()
    assert said["done"] is False
    assert "uninstall --yes" in said["command"]
    assert said["nextStep"]
