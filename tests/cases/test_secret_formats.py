"""Further inputs: secrets of seven services, as people and their files show them."""

import random
import re
import string
import uuid
from typing import Final

import pytest

from cases.stage import Record, Stage, further
from intaglio.redaction.redact import redact

_HEX: Final = "0123456789abcdef"
_WORD: Final = string.ascii_letters + string.digits
_LETTERS: Final = {
    "hex": _HEX,
    "digits": string.digits,
    "alnum": _WORD,
    "secret": _WORD + "+/",
    "django": string.ascii_lowercase + string.digits + "!@#%^&*(-_=+)",
}
_GAP: Final = re.compile(r"\{(hex|digits|alnum|secret|django|uuid)(\d*)\}")


def filled(case: Record) -> tuple[str, list[str]]:
    """Return a text with made-up secrets, and what must not be left of it."""
    source, parts = random.Random(str(case["id"])), list[str]()  # noqa: S311 - nothing is secret

    def made(gap: re.Match[str]) -> str:
        if gap[1] == "uuid":
            parts.append(str(uuid.UUID(int=source.getrandbits(128), version=4)))
        else:
            parts.append("".join(source.choices(_LETTERS[gap[1]], k=int(gap[2]))))
        return parts[-1]

    text = _GAP.sub(made, str(case["text"]))
    hidden = [part for part in parts if len(part) >= 20]
    if "Private-Lines" in text:
        # What stands before the private part is public.
        private = text.partition("Private-Lines")[2].partition("Private-MAC")[0]
        hidden = [part for part in hidden if part in private]
    return text, hidden


@pytest.mark.parametrize("case", further("secrets"), ids=lambda case: str(case["id"]))
def test_a_secret_of_a_known_service_is_removed(case: Record) -> None:
    text, hidden = filled(case)
    assert hidden
    left = redact(text).text
    assert [part for part in hidden if part in left] == []


@pytest.mark.parametrize("case", further("no_secrets"), ids=lambda case: str(case["id"]))
def test_text_that_resembles_a_secret_is_kept(case: Record) -> None:
    assert redact(str(case["text"])).text == case["text"]


@pytest.mark.parametrize(
    "service", sorted({str(c["id"]).partition(":")[0] for c in further("secrets")})
)
async def test_no_secret_of_a_service_is_kept_by_any_way_in(stage: Stage, service: str) -> None:
    case = next(each for each in further("secrets") if str(each["id"]).startswith(service))
    text, hidden = filled(case)
    await stage.api.remember(f"The deploy job needs this. {text}")
    await stage.tool("memory_store", {"content": f"The nightly job has this. {text}"}, "/work/shop")
    kept = "\n".join(await stage.contents())
    assert kept
    assert [part for part in hidden if part in kept] == []
