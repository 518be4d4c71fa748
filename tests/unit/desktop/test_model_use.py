"""What a language model used today, in the tray's tooltip."""

import pytest

from intaglio.desktop.daemon_cache import model_use_text


@pytest.mark.parametrize(
    ("tokens", "usd", "text"),
    [
        (0, 0.0, ""),
        (12_345, 0.0, "12,345 tokens today"),
        (12_345, 0.004, "12,345 tokens today"),
        (1_200_000, 1.239, "1,200,000 tokens today, $1.24"),
    ],
)
def test_use_is_told_in_a_few_words(tokens: int, usd: float, text: str) -> None:
    assert model_use_text(tokens, usd) == text
