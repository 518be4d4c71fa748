"""What can be wrong with an installation, as Health, `intaglio doctor` and the tray show it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

IssueLevel: TypeAlias = Literal["danger", "warn", "info"]
IssueAction: TypeAlias = Literal["", "confirm-clock", "restore", "repair"]


@dataclass(frozen=True, slots=True)
class Issue:
    """Something that is wrong, and what to do about it.

    ``id`` is stable, for programs; what precedes a hyphen in it is its kind, of which the user is
    notified at most once an hour. ``command`` is one for the user's shell that ends ``text``;
    ``page`` is an address of the dashboard, and ``action`` what a button there does; "repair" runs
    the repair named ``repair``, such as "check-fts". One that needs nobody is an "info".
    """

    id: str
    level: IssueLevel
    title: str
    text: str
    command: str = ""
    page: str = ""
    action: IssueAction = ""
    repair: str = ""
