"""What the tray draws of what the daemon said, as time goes on."""

from dataclasses import replace
from datetime import UTC, datetime

from intaglio.desktop.facts import Facts
from intaglio.desktop.snapshot import snapshot_of
from intaglio.desktop.supervise.known import Supervisor, begin
from intaglio.desktop.supervise.values import Moment, Rules, Running

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
PAUSED = Facts(7, 3850, "1.0", "ready", paused=True, paused_until=NOON)


def at(wall_s: float) -> Supervisor:
    begun = begin("1.0", Moment(100.0, wall_s), Rules())
    return replace(begun, state=Running("spawned", 7, "1.0"), answered_at=100.0)


def test_a_pause_is_shown_up_to_its_end() -> None:
    shown = snapshot_of(at(NOON.timestamp() - 1), PAUSED, 3850)
    assert (shown.look, shown.paused, shown.paused_until) == ("paused", True, NOON)


def test_a_pause_whose_time_is_over_is_not_shown_though_the_daemon_said_so_last() -> None:
    shown = snapshot_of(at(NOON.timestamp()), PAUSED, 3850)
    assert (shown.look, shown.paused, shown.paused_until) == ("idle", False, None)


def test_a_pause_without_an_end_is_shown() -> None:
    shown = snapshot_of(at(NOON.timestamp()), replace(PAUSED, paused_until=None), 3850)
    assert (shown.look, shown.paused) == ("paused", True)
