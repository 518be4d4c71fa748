"""Carries out what the user decided about edits, in the workspace's files. Blocks."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from intaglio.base.errors import ConflictError
from intaglio.base.files.replacement import ContentEdit, replace_file
from intaglio.base.text import clip
from intaglio.workspace.files import MAX_BYTES, read_workspace_file
from intaglio.workspace.kept_texts import KeptTexts
from intaglio.workspace.texts import edited_sections, written_as
from intaglio.workspace.values import MOST_SHOWN, EditConflict, TakenFile, UnreadableFile


@dataclass(frozen=True, slots=True)
class CannotTake:
    """The edit couldn't be written to the workspace: why, and what the user can do."""

    reason: str
    hint: str


PreparedFiles: TypeAlias = tuple[TakenFile, ...] | CannotTake


@dataclass(frozen=True, slots=True)
class WorkspaceEdits:
    """Writes edits to the workspace's files, and takes them back."""

    workspace: Path
    kept: KeptTexts

    def prepare(self, conflict: EditConflict) -> PreparedFiles:
        """Keep what the files of an edit hold now and what they will hold; writes none of them."""
        theirs = self.kept.body(conflict.theirs)
        base = self.kept.body(conflict.base or conflict.ours)
        if theirs is None or base is None:
            return CannotTake("The edit's text is gone.", "Edit the file in the workspace.")
        taken: list[TakenFile] = []
        for section in edited_sections(base, theirs):
            former = read_workspace_file(self.workspace, section.file)
            if isinstance(former, UnreadableFile):
                return CannotTake(former.reason, former.hint)
            content = written_as(section.text, former)
            before = None if former is None else self.kept.keep(former)
            taken.append(TakenFile(section.file, before, self.kept.keep(content)))
        return tuple(taken)

    def write(self, conflict: EditConflict) -> EditConflict | CannotTake:
        """Write what was prepared; what is saved meanwhile is kept, and replaced.

        Return the conflict as applied, with what was in the files just before.
        """
        taken: list[TakenFile] = []
        for each in conflict.taken:
            after = self.kept.read(each.after)
            if after is None:
                continue
            found = self._replace(each.file, _always(after))
            if isinstance(found, CannotTake):
                return found
            before = each.before if found in {None, each.after} else found
            taken.append(replace(each, before=before))
        return replace(conflict, taken=tuple(taken), is_applied=True)

    def take_back(self, conflict: EditConflict) -> EditConflict:
        """Put back what the files held; of those that were changed since, it's kept and shown."""
        kept, shown = list(conflict.kept), conflict.shown
        for each in conflict.taken:
            after, before = self.kept.read(each.after), self.kept.read(each.before) or b""

            def restored(
                now: bytes | None, was: bytes | None = after, to: bytes = before
            ) -> bytes | None:
                return to if now == was else now

            held = self._replace(each.file, restored)
            if held not in {each.after, each.before} and each.before is not None:
                kept.append(each.before)
                text = before.decode("utf-8", "replace")
                shown = clip(f"{shown}\n\nWhat {each.file} held before:\n{text}", MOST_SHOWN)
        return replace(conflict, taken=(), kept=tuple(kept), shown=shown)

    def _replace(self, name: str, edit: ContentEdit) -> str | CannotTake | None:
        """Change a file; return the name of what it held, kept, or None if there was no file."""
        readable = read_workspace_file(self.workspace, name)
        if isinstance(readable, UnreadableFile):
            return CannotTake(readable.reason, readable.hint)
        held: str | None = None

        def edited(content: bytes | None) -> bytes | None:
            nonlocal held
            held = None if content is None else self.kept.keep(content)
            return edit(content)

        try:
            replace_file(self.workspace / name, edited, limit=MAX_BYTES + 1)
        except ConflictError as error:
            return CannotTake(f"{error.detail}.", error.hint or "It's tried again.")
        except OSError as error:
            return CannotTake(f"{name} of the workspace can't be written: {error}.", "Free it.")
        return held


def _always(content: bytes) -> ContentEdit:
    """Return the edit that replaces whatever is there."""
    return lambda _: content
