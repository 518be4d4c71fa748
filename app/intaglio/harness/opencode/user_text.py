"""The user's own words in OpenCode's messages."""

_QUOTE = '"'


def unquoted(text: str) -> str:
    r"""Return a text without the quotes that ``opencode run "a b"`` puts around its argument.

    Quotes inside are then escaped; a text with plain ones, such as ``"a" and "b"``, is typed so.
    """
    inside = text.strip()
    if len(inside) < 2 or inside[0] != _QUOTE or inside[-1] != _QUOTE:  # noqa: PLR2004 - a pair
        return text
    inside = inside[1:-1]
    escaped = inside.replace(rf"\{_QUOTE}", "")
    return text if _QUOTE in escaped or inside.endswith("\\") else inside.replace(r"\"", _QUOTE)
