"""Plans changes of hooks in a harness's JSON settings: adding ours and removing them."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

from intaglio.base.paths import Paths
from intaglio.connect.hook_files import curl_file, program_file
from intaglio.connect.hook_settings import (
    COMMANDS,
    GROUPED,
    Handler,
    HooksForm,
    IsOurs,
    WantedHook,
    add_ours,
    check,
    find_ours,
    is_wired,
    undo,
)
from intaglio.connect.json_edit import EditedText
from intaglio.connect.plans import OpenedSettings, open_settings, plan_connection, plan_removal
from intaglio.connect.values import (
    ConnectionPlan,
    ConnectionRecord,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
)

_COMPLETED: Final = "New hooks are added for: {}. The others stay connected as they are."


@dataclass(frozen=True, slots=True)
class JsonHooks:
    """The hooks of one harness in settings such as ``{"hooks": {"Stop": [{"hooks": […]}]}}``.

    ``endpoints`` are the paths of HTTP hooks, written by hand or by older versions.
    """

    harness: str
    endpoints: tuple[str, ...] = ()
    form: HooksForm = GROUPED

    def plan_connect(
        self,
        settings: Path,
        paths: Paths,
        wanted: Mapping[str, WantedHook],
        files: tuple[FileToWrite, ...],
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to give each event exactly the hook in ``wanted``, besides the user's own."""
        opened = self._open(settings, paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        record = opened.record
        added = EditedText(opened.text)
        if not is_wired(opened.text, wanted, self._ours(paths)):
            added = add_ours(self._undone(opened, paths), wanted, self.form)
            record = ConnectionRecord(
                settings=str(settings.absolute()),
                created=opened.created,
                fragments=added.fragments,
                containers=added.containers,
            )
        plan = plan_connection(opened, added.text, record, files)
        known = {event for event, _ in find_ours(opened.text, self._ours(paths))}
        missing = [event for event in wanted if event not in known]
        if known and missing and isinstance(plan, ConnectionPlan):
            return replace(plan, notes=(_COMPLETED.format(", ".join(missing)), *plan.notes))
        return plan

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove our handlers."""
        opened = self._open(settings, paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        rest = self._undone(opened, paths)
        return plan_removal(opened, rest, empty=rest.strip() in {"", "{}"})

    def state(
        self, plan: ConnectionPlan | ConnectionRefused, paths: Paths
    ) -> ConnectionState | ConnectionRefused:
        """Return how much of a connection plan made now is already in place."""
        if isinstance(plan, ConnectionRefused):
            return plan
        if not plan.changed:
            return "connected"
        text = (plan.settings.before or b"").decode("utf-8-sig")
        return "partly" if find_ours(text, self._ours(paths)) else "not"

    def handler_of(self, settings: Path, paths: Paths, event: str) -> Handler | None:
        """Return our handler of an event as the settings have it; None if there is none."""
        opened = self._open(settings, paths)
        if isinstance(opened, ConnectionRefused):
            return None
        found = find_ours(opened.text, self._ours(paths))
        return next((handler for of, handler in found if of == event), None)

    def is_ours(self, handler: object, hooks: Path) -> bool:
        """Whether a handler belongs to Intaglio: this or an earlier installation, or handmade."""
        if not isinstance(handler, dict):
            return False
        known = cast("dict[str, object]", handler)
        url = known.get("url")
        if isinstance(url, str):
            return _path_of(url) in self.endpoints
        args = known.get("args")
        others = cast("list[object]", args) if isinstance(args, list) else []
        files = (str(curl_file(hooks, self.harness)), str(program_file(hooks, self.harness)))
        ours = (*files, *map(shlex.quote, files))
        # An installation that moved may have left another folder in the settings; a user's own hook
        # that merely has the same file name isn't ours.
        name = re.escape(self.harness)
        pattern = rf"intaglio[^\"']{{0,200}}[\\/]hooks[\\/]{{1,4}}{name}\.(?:py|curl)\b"
        return any(
            isinstance(word, str)
            and (
                re.search(pattern, word, re.IGNORECASE) is not None
                or any(path in word for path in ours)
            )
            for word in [*map(known.get, COMMANDS), *others]
        )

    def _open(self, settings: Path, paths: Paths) -> OpenedSettings | ConnectionRefused:
        opened = open_settings(self.harness, settings, paths)
        if isinstance(opened, ConnectionRefused):
            return opened
        root = check(opened.text, self.form)
        return root if isinstance(root, ConnectionRefused) else opened

    def _ours(self, paths: Paths) -> IsOurs:
        return partial(self.is_ours, hooks=paths.hooks)

    def _undone(self, opened: OpenedSettings, paths: Paths) -> str:
        ours = self._ours(paths)
        if not find_ours(opened.text, ours):
            return opened.text
        if opened.record is None:
            return undo(opened.text, ours, (), None)
        return undo(opened.text, ours, opened.record.fragments, opened.record.containers)


def _path_of(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
