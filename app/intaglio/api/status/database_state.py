"""Maps the database's state to the state names of the API."""

from intaglio.store.values import Checking, Closed, DatabaseState, Degraded, Opening, Ready
from intaglio.wire.status import State as WireState


def state_word(state: DatabaseState) -> tuple[WireState, str]:
    """Return the name of the state and its reason, which may be empty."""
    match state:
        case Ready():
            return "ready", ""
        case Opening():
            return "checking", "opening the database"
        case Checking():
            return "checking", "checking the database after an unclean stop; writes are waiting"
        case Degraded(reason=reason):
            return "degraded", reason
        case Closed():
            return "checking", "the daemon is stopping"


def cause_and_hint(state: DatabaseState) -> tuple[str, str]:
    """Return why the database is read-only and what to do about it; both empty unless it is."""
    match state:
        case Degraded(cause=cause, hint=hint):
            return cause, hint
        case _:
            return "", ""
