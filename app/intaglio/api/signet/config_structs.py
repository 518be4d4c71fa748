"""Requests and replies about the workspace's files, as the client contract defines them."""

from msgspec import Struct


class ConfigFile(Struct, kw_only=True):
    """A file of the workspace; ``size`` is in bytes."""

    name: str
    content: str
    size: int


class ConfigFiles(Struct, kw_only=True):
    """The text files directly in the workspace."""

    files: list[ConfigFile]


class ConfigWrite(Struct, kw_only=True):
    """The new content of a file; both fields are texts, and the endpoint says so if they aren't."""

    file: object = None
    content: object = None


class ConfigWritten(Struct, kw_only=True):
    """The file was written."""

    success: bool = True


class WorkspaceIdentity(Struct, kw_only=True):
    """The agent's name and character, from ``IDENTITY.md``."""

    name: str
    creature: str
    vibe: str
