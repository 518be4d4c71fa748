"""The kinds of what a search over everything finds: one list for the search and the API."""

from typing import Literal, TypeAlias

FoundKind: TypeAlias = Literal["memory", "entity", "session", "inbox", "project", "commit"]
