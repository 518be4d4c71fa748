"""Keyboard shortcuts as people write them, such as Ctrl+Alt+M; pure."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.settings.declaration import SettingForm

Modifier: TypeAlias = Literal["Ctrl", "Alt", "Shift", "Super"]

MODIFIERS: Final[tuple[Modifier, ...]] = ("Ctrl", "Alt", "Shift", "Super")
LETTERS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS: Final = tuple("0123456789")
FUNCTION_KEYS: Final = tuple(f"F{number}" for number in range(1, 21))
OTHER_KEYS: Final = (
    "Space",
    "Enter",
    "Tab",
    "Insert",
    "Delete",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Up",
    "Down",
    "Left",
    "Right",
)
KEYS: Final = (*LETTERS, *DIGITS, *FUNCTION_KEYS, *OTHER_KEYS)

_MAX_CHARS: Final = 60
_ALLOWED: Final = "must be keys such as Ctrl+Alt+M, with Ctrl, Alt or Super"
_EDITING: Final = "must leave {} to all programs: add Alt or Shift"
# Select all, copy, save, paste, cut and undo; with Super, as the Command key, on macOS.
_EDITING_KEYS: Final = frozenset("ACSVXZ")
_EDITING_MODIFIERS: Final = (frozenset({"Ctrl"}), frozenset({"Super"}))
_MODIFIER_WORDS: Final[dict[str, Modifier]] = {
    "ctrl": "Ctrl",
    "control": "Ctrl",
    "alt": "Alt",
    "option": "Alt",
    "shift": "Shift",
    "super": "Super",
    "cmd": "Super",
    "command": "Super",
    "meta": "Super",
    "win": "Super",
    "windows": "Super",
}
_KEY_WORDS: Final = {key.lower(): key for key in KEYS} | {"return": "Enter", "del": "Delete"}


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A key with modifiers; ``key`` is one of `KEYS`."""

    modifiers: frozenset[Modifier]
    key: str

    @property
    def text(self) -> str:
        """The shortcut as people write it, with its modifiers in the usual order."""
        return "+".join((*(one for one in MODIFIERS if one in self.modifiers), self.key))


@dataclass(frozen=True, slots=True)
class InvalidShortcut:
    """A text that is no shortcut; ``reason`` says what would be one."""

    reason: str


def parse_shortcut(text: str) -> Shortcut | InvalidShortcut:
    """Parse a shortcut; any text may be given.

    Without Ctrl, Alt or Super, only a function key is one: other keys are for typing. Nor are the
    keys that copy or undo in every program.
    """
    if len(text) > _MAX_CHARS:
        return InvalidShortcut(_ALLOWED)
    *before, last = (part.strip().lower() for part in text.split("+"))
    words = _MODIFIER_WORDS
    held: frozenset[Modifier] = frozenset(words[word] for word in before if word in words)
    key = _KEY_WORDS.get(last)
    if key is None or len(held) < len(before):
        return InvalidShortcut(_ALLOWED)
    if held <= {"Shift"} and key not in FUNCTION_KEYS:
        return InvalidShortcut(_ALLOWED)
    found = Shortcut(held, key)
    if key in _EDITING_KEYS and held in _EDITING_MODIFIERS:
        return InvalidShortcut(_EDITING.format(found.text))
    return found


def _problem(text: str) -> str:
    """Return what is wrong with the value of a setting; an empty one switches it off."""
    parsed = parse_shortcut(text) if text.strip() else None
    return parsed.reason if isinstance(parsed, InvalidShortcut) else ""


SHORTCUT_FORM: Final = SettingForm("shortcut", _problem, "Ctrl+Alt+M")
"""The form of settings that hold a shortcut, or nothing."""
