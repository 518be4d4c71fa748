"""Plans how our MCP program is added to a harness's list of MCP servers and removed from it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from typing import Final, cast

from intaglio.base.paths import Paths
from intaglio.connect.file_entries import EntryFormat, format_of
from intaglio.connect.json_edit import EditedText
from intaglio.connect.mcp_files import program_file
from intaglio.connect.plans import OpenedSettings, edit_file, open_settings, reduce_file
from intaglio.connect.values import (
    ConnectionRecord,
    ConnectionRefused,
    FileChange,
    ToolsChange,
    ToolsState,
)

SERVER_NAME: Final = "intaglio"
# An installation that moved may have left another folder in the settings.
_PROGRAM: Final = re.compile(r"intaglio[^\"']{0,200}[\\/]hooks[\\/]{1,4}mcp\.py$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServers:
    """A harness's list of stdio MCP servers: ``{key: {name: {"command": …, "args": […]}}}``.

    The file is TOML if its name says so, else JSON.
    ``add`` and ``remove`` are the commands of the harness's own program that add our server, given
    our command line as further arguments, and remove it; empty if it isn't installed. They run in
    ``folder`` with the variables ``env``.
    """

    harness: str
    file: Path
    key: str = "mcpServers"
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    folder: Path = Path()

    def state(
        self, paths: Paths, commands: Sequence[Sequence[str]]
    ) -> ToolsState | ConnectionRefused:
        """Return whether our server is registered with one of the commands."""
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        entry = self._format.find(opened.text, self.key, SERVER_NAME)
        if _is_ours(entry, paths):
            return "registered" if _runs(entry, commands) else "outdated"
        if _declined(opened):
            return "declined"
        if entry is not None:
            return "foreign"
        return self._format.check(opened.text, self.key, SERVER_NAME) or "missing"

    def plan(
        self, paths: Paths, commands: Sequence[Sequence[str]], *, wanted: bool | None
    ) -> ToolsChange | ConnectionRefused:
        """Plan to register our server, or to remove it and remember that it was declined.

        A server that runs one of the commands stays; otherwise the first one is registered. With
        ``wanted`` None, it is as the user chose last, or registered.
        """
        edit = partial(self._edit, paths, commands, wanted=wanted)
        return self._change(edit, paths, (*self.add, *commands[0]) if self.add else ())

    def plan_removal(self, paths: Paths) -> ToolsChange | ConnectionRefused:
        """Plan to remove our server, and the record of what the user chose."""
        return self._change(partial(self._removal, paths), paths, ())

    def _change(
        self,
        replan: Callable[[], FileChange | ConnectionRefused],
        paths: Paths,
        add: tuple[str, ...],
    ) -> ToolsChange | ConnectionRefused:
        edit = replan()
        if isinstance(edit, ConnectionRefused):
            return edit
        entries = [
            self._format.find((content or b"").decode("utf-8-sig"), self.key, SERVER_NAME)
            for content in (edit.before, edit.after)
        ]
        removes, adds = (_is_ours(entry, paths) for entry in entries)
        commands = (*((self.remove,) if removes else ()), *((add,) if adds else ()))
        # Where nothing but ours is left, its program would leave a file of its own.
        is_used = edit.changes_file and edit.after is not None and self.add
        return ToolsChange(
            edit=edit,
            commands=commands if is_used else (),
            env=self.env,
            folder=self.folder,
            replan=replan,
        )

    def _edit(
        self, paths: Paths, commands: Sequence[Sequence[str]], *, wanted: bool | None
    ) -> FileChange | ConnectionRefused:
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        entry = self._format.find(opened.text, self.key, SERVER_NAME)
        ours = _is_ours(entry, paths)
        if wanted is False or (wanted is None and _declined(opened) and not ours):
            return self._removal(paths, _record(opened, declined=True))
        if entry is not None and (not ours or _runs(entry, commands)):
            return edit_file(opened, opened.text, None if _declined(opened) else opened.record)
        refused = self._format.check(opened.text, self.key, SERVER_NAME)
        if refused:
            return refused
        added = self._format.add(
            self._without(opened, paths), self.key, SERVER_NAME, _entry(self.file, commands[0])
        )
        return edit_file(opened, added.text, _record(opened, added))

    def _removal(
        self, paths: Paths, record: ConnectionRecord | None = None
    ) -> FileChange | ConnectionRefused:
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        if _is_ours(self._format.find(opened.text, self.key, SERVER_NAME), paths):
            refused = self._format.check(opened.text, self.key, SERVER_NAME)
            if refused:
                return refused
        rest = self._without(opened, paths)
        return reduce_file(opened, rest, record, empty=rest.strip() in {"", "{}"})

    def _without(self, opened: OpenedSettings, paths: Paths) -> str:
        """Return the text without our server, byte for byte if nobody has rewritten it.

        `check` must have accepted a text that has it.
        """
        text, record = opened.text, opened.record
        if not _is_ours(self._format.find(text, self.key, SERVER_NAME), paths):
            return text
        made = record.containers if record else ()
        plain = self._format.remove(text, self.key, SERVER_NAME, made)
        return self._format.without_fragments(text, plain, record.fragments if record else ())

    @property
    def _format(self) -> EntryFormat:
        return format_of(self.file)

    def _open(self, paths: Paths) -> OpenedSettings | ConnectionRefused:
        # The lines around may be another server's variables, which often hold a token.
        return open_settings(f"{self.harness}.mcp", self.file, paths, context_lines=1)


def _declined(opened: OpenedSettings) -> bool:
    return opened.record is not None and opened.record.declined


def _record(
    opened: OpenedSettings, added: EditedText | None = None, *, declined: bool = False
) -> ConnectionRecord:
    former = opened.record.empty if opened.record else None
    holds_nothing = "".join(opened.text.split()) in {"", "{}"}
    return ConnectionRecord(
        settings=str(opened.settings.absolute()),
        created=opened.created and not declined,
        empty=opened.text if holds_nothing and not declined else former,
        fragments=added.fragments if added else (),
        containers=added.containers if added else (),
        declined=declined,
    )


def _entry(file: Path, command: Sequence[str]) -> dict[str, object]:
    run: dict[str, object] = {"command": command[0], "args": list(command[1:])}
    return run if file.suffix == ".toml" else {"type": "stdio", **run, "env": {}}


def _words(entry: object) -> list[object]:
    """Return a stdio server's command line."""
    if not isinstance(entry, dict):
        return []
    known = cast("dict[str, object]", entry)
    args = known.get("args")
    return [known.get("command"), *(cast("list[object]", args) if isinstance(args, list) else [])]


def _runs(entry: object, commands: Sequence[Sequence[str]]) -> bool:
    """Whether a server runs one of the commands; variables that the user added are ignored."""
    return _words(entry) in [list(command) for command in commands]


def _is_ours(entry: object, paths: Paths) -> bool:
    """Whether a server is Intaglio's: of this or an earlier installation, or added by hand."""
    words = [word for word in _words(entry) if isinstance(word, str)]
    if words[1:2] == ["mcp"] and PurePath(words[0]).stem == "intaglio":
        return True
    ours = str(program_file(paths.hooks))
    return any(word == ours or _PROGRAM.search(word) for word in words)
