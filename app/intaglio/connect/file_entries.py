"""What connecting writes into a user's file beside hooks: an entry of a table, or a whole file."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from intaglio.base.paths import Paths
from intaglio.connect import json_edit, json_entries, toml_entries
from intaglio.connect.json_edit import EditedText
from intaglio.connect.plans import OpenedSettings, edit_file, open_settings, reduce_file
from intaglio.connect.values import ConnectionRecord, ConnectionRefused, FileChange

# A path of ours in a quoted text: of a file in an installation's folder of hook files, or of one
# named after us in the harness's own folder.
_OUR_PATH: Final = re.compile(
    r"intaglio[^\"'\n]{0,200}[\\/]{1,4}hooks[\\/]{1,4}[\w-]|[\\/]intaglio(?:\.\w{1,9})?[\"']",
    re.IGNORECASE,
)
_NAME: Final = "intaglio"
_OUR_ENDPOINT: Final = "/api/hooks/native/"


def names_our_files(value: object) -> bool:
    """Whether an entry names a file of ours: of this or of an earlier installation."""
    return _OUR_PATH.search(json.dumps(value, default=str, ensure_ascii=False)) is not None


@dataclass(frozen=True, slots=True)
class EntryFormat:
    """How entries of a table (``key``) in a file's text are found, added and removed by name."""

    find: Callable[[str, str, str], object]
    check: Callable[[str, str, str], ConnectionRefused | None]
    add: Callable[[str, str, str, Mapping[str, Any]], EditedText]
    remove: Callable[[str, str, str, Collection[str]], str]
    without_fragments: Callable[[str, str, tuple[str, ...]], str]


_JSON = EntryFormat(
    json_entries.find_entry,
    json_entries.check_entries,
    json_entries.add_entry,
    json_entries.remove_entry,
    json_edit.without_fragments,
)
_TOML = EntryFormat(
    toml_entries.find_entry,
    toml_entries.check_entries,
    toml_entries.add_entry,
    toml_entries.remove_entry,
    toml_entries.without_fragments,
)


def format_of(file: Path) -> EntryFormat:
    """Return the format of a file, TOML if its name says so, else JSON."""
    return _TOML if file.suffix == ".toml" else _JSON


@dataclass(frozen=True, slots=True)
class FileEntry:
    """Our entry in a JSON or TOML file of the user: ``{key: {name: …}}``.

    ``record`` names the record of what was inserted: the harness's name for its settings file, and
    the name with a dot and a word for each further file. ``is_ours`` recognises the entry that an
    earlier installation has left, of which there is no record.
    """

    record: str
    file: Path
    key: str
    name: str
    is_ours: Callable[[object], bool] = names_our_files

    def plan(self, paths: Paths, value: Mapping[str, Any]) -> FileChange | ConnectionRefused:
        """Plan to have exactly this value under the name; another's entry is refused."""
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        found = format_of(self.file).find(opened.text, self.key, self.name)
        if found == dict(value):
            return edit_file(opened, opened.text, opened.record)
        if found is not None and opened.record is None:
            return ConnectionRefused(
                f"{opened.target} already has {self.key}.{self.name}, which isn't Intaglio's.",
                "Rename or remove it, then connect again.",
            )
        added = format_of(self.file).add(self._without(opened), self.key, self.name, value)
        return edit_file(opened, added.text, _record(opened, added.fragments, added.containers))

    def plan_removal(self, paths: Paths) -> FileChange | ConnectionRefused:
        """Plan to remove our entry; a file that connecting created goes when nothing is left."""
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        rest = self._without(opened)
        return reduce_file(opened, rest, empty=rest.strip() in {"", "{}"})

    def is_in(self, content: bytes | None) -> bool:
        """Whether a file's content has an entry of our name."""
        text = (content or b"").decode("utf-8-sig", "replace")
        return format_of(self.file).find(text, self.key, self.name) is not None

    def _open(self, paths: Paths) -> OpenedSettings | ConnectionRefused:
        opened = open_settings(self.record, self.file, paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        refused = format_of(self.file).check(opened.text, self.key, self.name)
        if refused or opened.record is not None:
            return refused or opened
        found = format_of(self.file).find(opened.text, self.key, self.name)
        is_left_over = found is not None and self.is_ours(found)
        return replace(opened, record=_record(opened, (), ())) if is_left_over else opened

    def _without(self, opened: OpenedSettings) -> str:
        """Return the text without our entry, byte for byte if nobody has rewritten it."""
        text, record, form = opened.text, opened.record, format_of(self.file)
        if record is None or form.find(text, self.key, self.name) is None:
            return text
        plain = form.remove(text, self.key, self.name, record.containers)
        return form.without_fragments(text, plain, record.fragments)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A whole file of ours in the harness's folder, such as a plugin.

    It names a file in the folder of hook files, or the harness's endpoint, or its name or folder is
    ours: an earlier installation's, of which there is no record, is recognised by that.
    """

    record: str
    file: Path

    def plan(self, paths: Paths, text: str) -> FileChange | ConnectionRefused:
        """Plan to write the file; one that isn't ours is refused."""
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        if opened.content is not None and opened.record is None:
            return ConnectionRefused(
                f"{opened.target} exists, and isn't Intaglio's.", "Move it out of the way."
            )
        return edit_file(opened, text, _record(opened, (text,), ()))

    def plan_removal(self, paths: Paths) -> FileChange | ConnectionRefused:
        """Plan to delete the file; one that the user has changed since is refused."""
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        record = opened.record
        if record is None:
            return edit_file(opened, opened.text, None)
        if opened.content is not None and opened.text not in record.fragments:
            return ConnectionRefused(
                f"{opened.target} was changed after Intaglio wrote it.",
                "Delete it, or move it out of the way, then disconnect again.",
            )
        return reduce_file(opened, "", empty=True)

    def is_in(self, content: bytes | None) -> bool:
        """Whether the file's content is ours, of this or of an earlier installation."""
        text = (content or b"").decode("utf-8", "replace")
        is_named = _NAME in {self.file.stem, self.file.parent.name} and _NAME in text.lower()
        return is_named or _OUR_ENDPOINT in text or _OUR_PATH.search(text) is not None

    def _open(self, paths: Paths) -> OpenedSettings | ConnectionRefused:
        opened = open_settings(self.record, self.file, paths)
        if isinstance(opened, ConnectionRefused) or opened.record is not None:
            return opened
        if not self.is_in(opened.content):
            return opened
        record = msgspec.structs.replace(_record(opened, (opened.text,), ()), created=True)
        return replace(opened, record=record)


def _record(
    opened: OpenedSettings, fragments: tuple[str, ...], containers: tuple[str, ...]
) -> ConnectionRecord:
    return ConnectionRecord(
        settings=str(opened.settings.absolute()),
        created=opened.created,
        fragments=fragments,
        containers=containers,
    )
