"""The database's state in the words of the wire."""

from intaglio.store.values import Checking, Closed, DatabaseState, Degraded, Opening, Ready
from intaglio.wire.status import State as WireState


def state_word(state: DatabaseState) -> tuple[WireState, str]:
    """Return the state's word and, where there is one, its reason."""
    match state:
        case Ready():
            return "ready", ""
        case Opening():
            return "checking", "the database is being opened"
        case Checking():
            return "checking", "the last stop was unclean; writes wait for the check"
        case Degraded(reason):
            return "degraded", reason
        case Closed():
            return "checking", "the daemon is stopping"
