"""One-time links and session cookies."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.api import INSTALL
from intaglio.api.gate.sign_in import COOKIE_LIFE_S, LINK_LIFE_S, SignIn, own_page
from intaglio.base.installation import Installation


@dataclass
class Times:
    """A clock that a test moves."""

    seconds: float = 0.0

    def now(self) -> datetime:
        return datetime(2026, 1, 31, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


def sign_in(times: Times, installation: Installation = INSTALL) -> SignIn:
    return SignIn(installation, times.now, times.monotonic)


def cookie(gate: SignIn) -> str:
    value = gate.redeem(gate.new_key())
    assert value is not None
    return value


def test_a_link_signs_in() -> None:
    gate = sign_in(Times())
    assert gate.accepts(cookie(gate))


def test_a_link_works_once() -> None:
    gate = sign_in(Times())
    key = gate.new_key()
    assert gate.redeem(key) is not None
    assert gate.redeem(key) is None


def test_a_link_dies_after_a_minute() -> None:
    times = Times()
    gate = sign_in(times)
    key = gate.new_key()
    times.seconds = LINK_LIFE_S
    assert gate.redeem(key) is None


def test_many_open_links_push_the_oldest_out() -> None:
    gate = sign_in(Times())
    first = gate.new_key()
    for _ in range(32):
        gate.new_key()
    assert gate.redeem(first) is None


def test_a_cookie_outlives_a_restart() -> None:
    times = Times()
    assert sign_in(times).accepts(cookie(sign_in(times)))


def test_a_cookie_expires() -> None:
    times = Times()
    gate = sign_in(times)
    value = cookie(gate)
    times.seconds = COOKIE_LIFE_S
    assert not gate.accepts(value)


def test_a_cookie_of_another_token_is_refused() -> None:
    times = Times()
    other = msgspec.structs.replace(INSTALL, token="another")  # noqa: S106 - not a secret
    assert not sign_in(times).accepts(cookie(sign_in(times, other)))


def test_the_name_of_the_cookie_holds_the_installation() -> None:
    assert sign_in(Times()).cookie_name == "intaglio_0123456789ab"


@given(st.text(max_size=300))
def test_no_invented_cookie_is_accepted(value: str) -> None:
    assert not sign_in(Times()).accepts(value)


@given(st.integers(0, 400))
def test_a_cookie_with_one_changed_letter_is_refused(place: int) -> None:
    gate = sign_in(Times())
    value = cookie(gate)
    place %= len(value)
    changed = value[:place] + ("0" if value[place] != "0" else "1") + value[place + 1 :]
    assert not gate.accepts(changed)


@pytest.mark.parametrize(
    "page", ["/", "/memories", "/memories/01J-x_y", "/quick-search?q=a%20b&type=decision"]
)
def test_a_link_leads_to_a_page_of_the_dashboard(page: str) -> None:
    assert own_page(page) == page


@pytest.mark.parametrize(
    "address",
    [
        "",
        "//evil.example",
        "/\\evil.example",
        "https://evil.example/",
        "memories",
        "/a\r\nset-cookie: x",
        "/\t/evil.example",
    ],
)
def test_a_link_never_leads_to_another_site(address: str) -> None:
    assert own_page(address) == "/"
