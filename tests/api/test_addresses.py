"""Every parameter in every address: what is no text is refused, and says what to send."""

import re

import pytest

from fakes.api import Api
from intaglio.api.app import Application
from intaglio.api.gate.declaration import Access

BAD = ("%00", "a%00b", "%ed%a0%80", "%ff", "%c3", "%zz", "100%", "%u00e4")


def addresses() -> list[tuple[str, str, str]]:
    """List (method, path with one parameter to fill, other) of every operation's parameters."""
    found: list[tuple[str, str, str]] = []
    for method, path, route in Application().routes.all():
        if route.declaration.access in {Access.FILE, Access.LINK}:
            continue
        plain = re.sub(r"\{[^}]*\}", "x", path)
        found += [(method, f"{plain}?{name}=", path) for name in sorted(route.parameters.all())]
        if "{" in path:
            found.append((method, re.sub(r"\{[^}]*\}", "\0", path), path))
    return found


ADDRESSES = addresses()


@pytest.mark.parametrize("bad", BAD)
async def test_every_parameter_refuses_bytes_that_are_no_text(api: Api, bad: str) -> None:
    assert len(ADDRESSES) > 100
    for method, address, path in ADDRESSES:
        target = address.replace("\0", bad) if "\0" in address else address + bad
        reply = await api.client.request(
            method, f"http://127.0.0.1:4850{target}", headers=api.owner
        )
        assert reply.status_code == 400, (method, path, reply.text)
        problem = reply.json()
        assert problem["title"]
        assert problem["hint"] in {
            "Leave out %00.",
            "Percent-encode the text's UTF-8 bytes.",
            "Write a percent sign as %25.",
        }


async def test_encoded_text_of_any_script_is_accepted(api: Api) -> None:
    for text in ("%25", "caf%C3%A9", "%F0%9F%A6%84", "%E6%97%A5", "a+b", "%0A"):
        reply = await api.client.get(f"http://127.0.0.1:4850/api/knowledge/entities?q={text}")
        assert reply.status_code == 200, text
