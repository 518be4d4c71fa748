"""Writes a value as YAML: quoted only if needed, never read back as another type."""

import json
import math
import re
from typing import Any, Final, TypeAlias

import yaml

from intaglio.base.agent_yaml.document import TEXT

ScalarValue: TypeAlias = bool | int | float | str

# Such texts are plain in block and flow style. The colon and "#" mean nothing inside a word.
_PLAIN: Final = re.compile(r"[^\W\d_][\w./:@+%#-]*(?: [\w./@+%-]+)*|[./][\w./@+%-]*")
# Texts that some readers of YAML take for a switch, although ours doesn't.
_SWITCHES: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_INVISIBLE: Final = re.compile(r"[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def tag_of(text: str) -> str:
    """Return the tag that a plain scalar has."""
    resolver: Any = yaml.resolver.Resolver()
    return str(resolver.resolve(yaml.ScalarNode, text, (True, False)))


def write_scalar(value: ScalarValue, quote: str = "") -> str:
    """Write a value in one line; text is quoted by ``quote`` if given, or if it must be.

    Raises ValueError for a number that is infinite or none.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _number(value)
        case str():
            return _text(value, quote)


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("not a finite number")
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    # Without a point, YAML 1.1 reads "1e-05" as text.
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}e{exponent}"


def _text(value: str, quote: str) -> str:
    if not quote and _is_plain(value):
        return value
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    # JSON's strings are YAML's; what readers of YAML refuse is escaped.
    return _INVISIBLE.sub(_escaped, json.dumps(value, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _is_plain(value: str) -> bool:
    return (
        _PLAIN.fullmatch(value) is not None
        and ": " not in f"{value} "
        and value.lower() not in _SWITCHES
        and tag_of(value) == TEXT
    )
