"""Reads an uploaded export once, conversation by conversation, into what the import reads."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

from intaglio.base.json.tolerant import REFUSED
from intaglio.history_import.exports.archive import (
    BrokenExportError,
    UnreadableExportError,
    conversation_files,
)
from intaglio.history_import.exports.chatgpt import read_chatgpt
from intaglio.history_import.exports.claude_ai import read_claude_ai
from intaglio.history_import.exports.conversations import ExportedConversation, ExportService
from intaglio.history_import.exports.json_elements import JsonElement, JsonElements
from intaglio.history_import.exports.stored_export import ExportTooLargeError, ExportWriter

_ReadConversation: TypeAlias = Callable[[bytes, datetime], ExportedConversation | None]

# Quotes in a text are escaped, so these are keys; either comes before what a message holds.
_SERVICE_KEY: Final = re.compile(rb'"(mapping|chat_messages)"\s*+:')
_SERVICES: Final[dict[bytes, ExportService]] = {
    b"mapping": "chatgpt",
    b"chat_messages": "claude-ai",
}
_READERS: Final[dict[ExportService, _ReadConversation]] = {
    "chatgpt": read_chatgpt,
    "claude-ai": read_claude_ai,
}
_MAX_PROBLEMS: Final = 200


@dataclass(frozen=True, slots=True)
class ReadExport:
    """What an export turned out to be."""

    service: ExportService
    conversations: int


@dataclass(slots=True)
class ExportReader:
    """Reads one export.

    ``check`` is called again and again: it raises an exception to end the reading.
    """

    now: datetime
    check: Callable[[], None]
    _service: ExportService | None = None
    _problems: int = 0

    def read(self, path: Path, folder: Path) -> ReadExport:
        """Read the export in ``path`` into files in ``folder``, and return what it is.

        A conversation that can't be read is noted, and so is where a broken file ends. Raises
        UnreadableExportError if there is nothing to read, OSError, and what ``check`` raises.
        """
        with ExportWriter(folder, self.now) as writer:
            try:
                for name, element in _elements(path):
                    self._take(writer, name, element)
            except BrokenExportError as error:
                if not writer.conversations:
                    raise
                self._note(writer, "the end of the file", error.detail)
            except ExportTooLargeError:
                raise UnreadableExportError(
                    "The export has more conversations than can be imported at once.",
                    hint="Unpack it, and import its files of conversations one by one.",
                ) from None
            if self._service is None:
                raise UnreadableExportError(
                    "There are no conversations in it.",
                    hint="Choose the export of ChatGPT or Claude as you downloaded it.",
                )
            return ReadExport(self._service, writer.conversations)

    def _take(self, writer: ExportWriter, name: str, element: JsonElement) -> None:
        self.check()
        place = ", ".join(filter(None, (name, f"conversation {element.number}")))
        if element.text is None:
            self._note(writer, place, "It is too large.")
            return
        if self._service is None:
            found = _SERVICE_KEY.search(element.text)
            self._service = _SERVICES[found[1]] if found else None
        if self._service is None:
            return
        try:
            conversation = _READERS[self._service](element.text, self.now)
        except REFUSED:
            reason = "It isn't valid." if element.is_complete else "The file ends within it."
            self._note(writer, place, reason)
            return
        if conversation is not None:
            writer.add(conversation)

    def _note(self, writer: ExportWriter, place: str, reason: str) -> None:
        self._problems += 1
        if self._problems <= _MAX_PROBLEMS:
            writer.add_problem(place, reason)


def _elements(path: Path) -> Iterator[tuple[str, JsonElement]]:
    for file in conversation_files(path):
        for element in JsonElements().read(file.parts):
            yield file.name, element
