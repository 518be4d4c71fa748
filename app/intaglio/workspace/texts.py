"""Which text a target gets: the workspace's files, some of them replaced by an agent's own."""

from typing import Final

from intaglio.connect.instructions import INSTRUCTION_FILES
from intaglio.connect.managed_block import BlockSection, body_of, section_text, sections_of
from intaglio.redaction.redact import redact
from intaglio.workspace.files import AGENTS, OVERRIDES
from intaglio.workspace.values import WorkspaceTexts

_BOM: Final = b"\xef\xbb\xbf"


def body_for(texts: WorkspaceTexts, agent: str | None) -> str:
    """Return the body of a target's block; empty if the workspace has no such file.

    An agent's own ``SOUL.md`` and ``IDENTITY.md`` stand in place of the workspace's.
    """
    names = [_own_or_shared(texts, agent, name) for name in INSTRUCTION_FILES]
    return body_of(
        BlockSection(name, section_text(texts.contents[name].decode()))
        for name in names
        if name in texts.contents
    )


def _own_or_shared(texts: WorkspaceTexts, agent: str | None, name: str) -> str:
    own = f"{AGENTS}/{agent}/{name}"
    return own if agent and name in OVERRIDES and own in texts.contents else name


def file_with_secret(texts: WorkspaceTexts) -> str | None:
    """Return the first of the told files that holds a secret; None if none does."""
    told = (name for name in INSTRUCTION_FILES if name in texts.contents)
    return next((name for name in told if redact(texts.contents[name].decode()).found), None)


def edited_sections(base: str, edited: str) -> tuple[BlockSection, ...]:
    """Return the sections of a block's body that differ from those that were written.

    A section that was taken out is empty.
    """
    before = {each.file: each.text for each in sections_of(base)}
    after = sections_of(edited)
    changed = [each for each in after if before.get(each.file) != each.text]
    there = {each.file for each in after}
    return (*changed, *(BlockSection(file, "") for file in before if file not in there))


def is_known_file(name: str) -> bool:
    """Whether a section's file is one that is told, so that an edit may be written to it."""
    match name.split("/"):
        case [shared]:
            return shared in INSTRUCTION_FILES
        case [folder, agent, own]:
            return folder == AGENTS and bool(agent.strip(".")) and own in OVERRIDES
        case _:
            return False


def written_as(text: str, former: bytes | None) -> bytes:
    """Return a section's text as the content of its file.

    Byte order mark, line ends and the end of the last line are those of the former content.
    """
    if former is None:
        return (text.rstrip("\n") + "\n").encode("utf-8", "surrogateescape")
    plain = former.removeprefix(_BOM)
    line_end = b"\r\n" if b"\r\n" in plain else b"\n"
    last = plain[len(plain.rstrip(b"\r\n")) :]
    lines = text.rstrip("\n").encode("utf-8", "surrogateescape").replace(b"\n", line_end)
    return (_BOM if former.startswith(_BOM) else b"") + lines + last
