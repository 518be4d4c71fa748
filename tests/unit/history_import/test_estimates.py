"""How long an import is expected to take."""

import pytest

from intaglio.history_import.values import estimated_s, rate_of


def test_many_small_sessions_take_longer_than_one_of_their_size() -> None:
    assert estimated_s(10_000, 1_000_000, 1_000_000) > 100 * estimated_s(1, 1_000_000, 1_000_000)


def test_the_rate_of_an_import_foretells_its_own_time() -> None:
    rate = rate_of(800, 1_000_000_000, 480)
    assert rate is not None
    assert estimated_s(800, 1_000_000_000, rate) == pytest.approx(480)


def test_tiny_sessions_alone_say_nothing_about_the_rate() -> None:
    assert rate_of(1_000, 2_000_000, 30) is None
