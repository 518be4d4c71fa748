"""Edits our line in the user's list of default applications (mimeapps.list); pure."""

from typing import Final

_SECTION: Final = "[Default Applications]"


def _section(lines: list[str]) -> tuple[int, int] | None:
    """Return the range of the section's lines after its heading, None without one."""
    for start, line in enumerate(lines):
        if line.strip() == _SECTION:
            rest = range(start + 1, len(lines))
            end = next((at for at in rest if lines[at].lstrip().startswith("[")), len(lines))
            return start + 1, end
    return None


def _key(line: str) -> str:
    return line.partition("=")[0].strip()


def default_for(text: str, mime: str) -> str | None:
    """Return the first application listed for a type, None without one."""
    lines = text.splitlines()
    found = _section(lines)
    for line in lines[slice(*found)] if found else ():
        if _key(line) == mime:
            return line.partition("=")[2].split(";")[0].strip() or None
    return None


def with_default(text: str, mime: str, application: str) -> str:
    """Make the application the default for a type, replacing any other."""
    if default_for(text, mime) == application:
        return text
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    ours = f"{mime}={application}\n"
    found = _section(lines)
    if found is None:
        return "".join([*lines, f"{_SECTION}\n", ours])
    start, end = found
    others = [line for line in lines[start:end] if _key(line) != mime]
    return "".join([*lines[:start], ours, *others, *lines[end:]])


def without_default(text: str, mime: str, application: str) -> str:
    """Remove the line if it is still ours, and the section if that leaves it empty."""
    if default_for(text, mime) != application:
        return text
    lines = text.splitlines(keepends=True)
    found = _section(lines)
    if found is None:
        return text
    start, end = found
    others = [line for line in lines[start:end] if _key(line) != mime]
    heading = [] if not any(line.strip() for line in others) else [lines[start - 1]]
    return "".join([*lines[: start - 1], *heading, *others, *lines[end:]])
