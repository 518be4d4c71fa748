"""The kinds of sources that can be taken back as a whole."""

from typing import Literal, TypeAlias

SourceKind: TypeAlias = Literal["session", "import", "file", "agent", "tool"]
"""A session, an import of sessions, a file, an agent by its name, or a tool by its name."""
