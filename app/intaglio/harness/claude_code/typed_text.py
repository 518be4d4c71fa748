"""Returns what a user typed of a text in which Claude Code stands for them: its own tags and marks.

The client writes the words behind a slash command, and what the user asks it to remember with
``#``, between tags; and a placeholder for each image and each text that was pasted.
"""

import re
from fnmatch import fnmatchcase
from typing import Final

from intaglio.fence.marks import strip_injected
from intaglio.harness.claude_code.pastes import split_pastes
from intaglio.harness.claude_code.tags import TAGS

# Tags with which the client adds text to a user's message that the user didn't write. An opening
# tag without its end tag extends to the end of the text.
_WRAPPED: Final = re.compile(
    r"<(?P<tag>system-reminder|ide_[a-z_]{1,40}+|local-command-[a-z]{1,40}+|command-[a-z]{1,40}+"
    r"|bash-[a-z-]{1,40}+|task-notification|user-memory-input)\b[^<>]{0,400}+>",
)
_TAG: Final = re.compile(r"\s{0,8}<(?P<name>[a-z][\w-]{0,60})(?=[\s>/])")
_INTERRUPTED: Final = "[Request interrupted by user"

# Name and message of a command stand in either order.
_COMMAND: Final = re.compile(
    r"\s{0,8}(?:<command-message>[^<]{0,200}</command-message>\s{0,8})?"
    r"<command-name>/?(?P<name>[^<]{0,200})</command-name>"
)
_ARGUMENTS: Final = ("<command-args>", "</command-args>")
_REMEMBERED: Final = ("<user-memory-input>", "</user-memory-input>")
_SAYS_NOTHING: Final = frozenset(
    {
        *("add-dir", "agents", "bashes", "clear", "color", "compact", "config", "context", "copy"),
        *("cost", "doctor", "effort", "exit", "export", "fast", "feedback", "help", "hooks", "ide"),
        *("keybindings", "login", "logout", "mcp", "memory", "model", "output-style"),
        *("permissions", "plugin", "privacy-settings", "quit", "release-notes", "reload-plugins"),
        *("rename", "resume", "rewind", "sandbox", "skills", "status", "statusline", "tasks"),
        *("terminal-setup", "theme", "todos", "upgrade", "usage", "vim"),
    }
)
_TYPED_COMMAND: Final = re.compile(r"/[A-Za-z][\w:.-]{0,100}(?=\s|$)")

_PLACEHOLDER: Final = (
    r"\[(?:Image(?: #\d{1,9}|: [^\[\]\n]{1,1000})?|Pasted text #\d{1,9}(?: \+\d{1,9} lines?)?"
    r"|\.{3}Truncated text #\d{1,9} \+\d{1,9} lines\.{3}|✦ Team setup guide #\d{1,9})\]"
)
_PLACEHOLDERS: Final = re.compile(rf"{_PLACEHOLDER}|\({_PLACEHOLDER}\)")
_PUNCTUATION: Final = tuple(".,;:!?")
# "@docs/style.md", "@src/", "@README.md#L3-9"; but not "@types/node" and "@app.route".
_MENTION: Final = (
    r"@(?:\"[^\"\n]{1,400}\"|[\w.~+-]{0,100}/(?:[\w./~+-]{0,200}(?:\.\w{1,10}|/))?"
    r"|[\w.~+-]{1,100}\.(?:mdx?|txt|rst|adoc|json|ya?ml|toml|ini|cfg|conf|env|lock|csv|sql|xml|html?"
    r"|s?css|less|svg|png|jpe?g|gif|pdf|py|pyi|[cm]?[jt]sx?|vue|svelte|rs|go|java|kts?|cs|fs|rb|php"
    r"|swift|c|cc|cpp|h|hpp|sh|ps1|bat|tf|proto|graphql|gradle|lua|r|jl|ex|exs|hs|scala|clj|dart"
    r"|zig|nix|log|diff|patch))(?:#L?\d{1,7}(?:-L?\d{1,7})?)?"
)
# In front of a statement a file is attached to it; with a verb behind it, it is its subject.
_ATTACHED_BEFORE: Final = re.compile(
    rf"\s{{0,8}}{_MENTION}[:,]?[ \t\n]{{1,8}}(?!(?:is|are|was|has|have|had|says?|shows?|tells?|"
    r"contains?|describes?|defines?|explains?|lists?|holds?|covers?|must|should|can|cannot|can't|"
    r"will|won't|needs?|does|doesn't|isn't|and|or|ist|sind|war|hat|sagt|zeigt|enthält|beschreibt|"
    r"muss|soll|darf|kann|wird|und|oder|es|son|dice|contiene|debe|puede|y|est|sont|dit|contient|"
    r"doit|peut|et)\b)(?=\S)",
    re.IGNORECASE,
)
_ATTACHED_AFTER: Final = re.compile(
    rf"(?<=[.!?\u3002\uff01\uff1f\n])(?:[ \t]{{0,8}}{_MENTION}){{1,20}}\Z"
)
_MAX_MENTIONS: Final = 20
_MAX_ATTACHED: Final = 10_000


def typed_text(text: str, *, is_typed: bool) -> str:
    """Return the user's own words; empty if there are none.

    ``is_typed`` is set if the client says that the user wrote the text: otherwise one that begins
    with any tag isn't a prompt.
    """
    # Pastes first: a pasted text may contain any of the client's other tags, unclosed ones too.
    typed, _ = split_pastes(strip_injected(text))
    command = _COMMAND.match(typed)
    if command:
        said = "" if command["name"] in _SAYS_NOTHING else _between(typed, *_ARGUMENTS)
        return without_placeholders(said)
    if typed.lstrip().startswith(_REMEMBERED[0]):
        said = without_placeholders(_between(typed, *_REMEMBERED))
        return said and f"Remember: {said}"
    own = _without_wrapped(typed).strip()
    return "" if _is_no_prompt(own, is_typed=is_typed) else without_placeholders(own)


def words_of_command(prompt: str) -> str:
    """Return a prompt without the name of the slash command that it begins with."""
    command = _TYPED_COMMAND.match(prompt)
    return prompt[command.end() :].strip() if command else prompt


def without_placeholders(text: str) -> str:
    """Remove what stands for images and pasted texts, and files attached before or behind."""
    text = _joined(_PLACEHOLDERS.split(text)).strip()
    for _ in range(_MAX_MENTIONS):
        attached = _ATTACHED_BEFORE.match(text)
        if attached is None:
            break
        text = text[attached.end() :]
    # No more can be attached behind: twenty paths of 450 characters.
    end = max(0, len(text) - _MAX_ATTACHED)
    return (text[:end] + _ATTACHED_AFTER.sub("", text[end:])).strip()


def _joined(parts: list[str]) -> str:
    """Join the parts of a text by single blanks, and by none before punctuation."""
    joined = parts[:1]
    for part in parts[1:]:
        right = part.lstrip(" \t")
        joined[-1] = joined[-1].rstrip(" \t")
        joined.append(right if right.startswith(_PUNCTUATION) else f" {right}")
    return "".join(joined)


def _between(text: str, opening: str, closing: str) -> str:
    """Return what stands between two tags; the user's words may contain the tags too."""
    start = text.find(opening)
    if start < 0:
        return ""
    end = text.rfind(closing)
    return text[start + len(opening) : end if end >= start else len(text)].strip()


def _without_wrapped(text: str) -> str:
    kept: list[str] = []
    position = 0
    while opening := _WRAPPED.search(text, position):
        kept.append(text[position : opening.start()])
        closing = f"</{opening['tag']}>"
        end = text.find(closing, opening.end())
        position = len(text) if end < 0 else end + len(closing)
    kept.append(text[position:])
    return "".join(kept)


def _is_no_prompt(text: str, *, is_typed: bool) -> bool:
    """Whether the client wrote the text: by its own tag, or by any unless the user typed it."""
    if text.startswith(_INTERRUPTED):
        return True
    tag = _TAG.match(text)
    if tag is None:
        return False
    return not is_typed or any(fnmatchcase(tag["name"].replace("_", "-"), each) for each in TAGS)
