"""Our entries in OpenClaw's configuration: the memory slot, and what the plugin is allowed."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from intaglio.base.paths import Paths
from intaglio.connect import json5_entries
from intaglio.connect.json5_entries import Placement, is_placed, value_at
from intaglio.connect.json_edit import EditedText
from intaglio.connect.plans import OpenedSettings, edit_file, open_settings, reduce_file
from intaglio.connect.values import ConnectionRecord, ConnectionRefused, FileChange

PLUGIN: Final = "intaglio"
_SLOT: Final = ("plugins", "slots", "memory")
_ALLOWED: Final = ("plugins", "allow")
_LOADED: Final = ("plugins", "load", "paths")


@dataclass(frozen=True, slots=True)
class SlotEntries:
    """The configuration file, JSON5; ``record`` names the record of what was inserted."""

    record: str
    file: Path

    def plan(self, paths: Paths) -> FileChange | ConnectionRefused:
        """Plan to make our plugin the one of the memory slot; another plugin keeps it."""
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        owner = value_at(opened.text, _SLOT)
        if owner not in {None, PLUGIN}:
            return ConnectionRefused(
                f"OpenClaw's memory slot is taken: plugins.slots.memory is {owner!r}.",
                "Only one plugin can be OpenClaw's memory. To use Intaglio, remove "
                f"plugins.slots.memory from {opened.target}, then connect again.",
            )
        placements = self._placements(opened.text)
        if all(is_placed(opened.text, each) for each in placements):
            return edit_file(opened, opened.text, opened.record)
        rest = self._without(opened)
        added = json5_entries.add(rest, [one for one in placements if not is_placed(rest, one)])
        return edit_file(opened, added.text, _record(opened, added))

    def plan_removal(self, paths: Paths) -> FileChange | ConnectionRefused:
        """Plan to remove our entries; a file that connecting created goes when nothing is left."""
        opened = self._open(paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        rest = self._without(opened)
        return reduce_file(opened, rest, empty=value_at(rest, ()) == {} or not rest.strip())

    def is_in(self, content: bytes | None) -> bool:
        """Whether a file's content makes our plugin the one of the slot."""
        return value_at((content or b"").decode("utf-8-sig", "replace"), _SLOT) == PLUGIN

    def _open(self, paths: Paths) -> OpenedSettings | ConnectionRefused:
        opened = open_settings(self.record, self.file, paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        placements = self._placements(opened.text)
        refused = json5_entries.check(opened.text, placements)
        if refused or opened.record is not None or value_at(opened.text, _SLOT) != PLUGIN:
            return refused or opened
        # An earlier installation's, of which there is no record.
        paths_made = {"/".join(each.path[:length]) for each in placements for length in (1, 2)}
        made = (*paths_made, *(each.item_path for each in placements if each.item))
        return replace(opened, record=_record(opened, EditedText(opened.text, (), made)))

    def _placements(self, text: str) -> tuple[Placement, ...]:
        """Return what the plugin needs.

        OpenClaw finds it in the extension folder of its state; the path is for a configuration that
        is kept elsewhere. Lists are only added to: without one, every plugin is allowed.
        """
        entry = {"enabled": True, "hooks": {"allowConversationAccess": True}}
        folder = str(self.file.parent / "extensions" / PLUGIN)
        is_own_list = value_at(text, _LOADED) in (None, [folder])
        load = (
            Placement(_LOADED, [folder]) if is_own_list else Placement(_LOADED, folder, item=True)
        )
        allow = (Placement(_ALLOWED, PLUGIN, item=True),) if value_at(text, _ALLOWED) else ()
        return (
            Placement(_SLOT, PLUGIN),
            Placement(("plugins", "entries", PLUGIN), entry),
            load,
            *allow,
        )

    def _without(self, opened: OpenedSettings) -> str:
        """Return the text without our entries, byte for byte if nobody has rewritten it."""
        text, record = opened.text, opened.record
        if record is None:
            return text
        plain = json5_entries.remove(text, self._placements(text), record.containers)
        return json5_entries.without_fragments(text, plain, record.fragments)


def _record(opened: OpenedSettings, added: EditedText) -> ConnectionRecord:
    return ConnectionRecord(
        settings=str(opened.settings.absolute()),
        created=opened.created,
        fragments=added.fragments,
        containers=added.containers,
    )
