"""Prices of language models: the included table, the user's own, and models on this machine."""

from pathlib import Path

import pytest

from intaglio.inference.completion.choice import ModelChoice, ModelProvider
from intaglio.models.prices import ModelPrice, Prices


def prices(tmp_path: Path, own: str | None = None) -> Prices:
    file = tmp_path / "model-prices.toml"
    if own is not None:
        file.write_text(own, encoding="utf-8")
    found = Prices(file)
    found.refresh()
    return found


@pytest.mark.parametrize(
    ("provider", "model", "price"),
    [
        ("anthropic", "claude-haiku-4-5-20251001", (1.0, 5.0)),
        ("anthropic", "claude-3-haiku-20240307", (0.25, 1.25)),
        ("anthropic", "claude-opus-4-5", (5.0, 25.0)),
        ("anthropic", "claude-opus-4-1", (15.0, 75.0)),
        ("openrouter", "anthropic/claude-haiku-4.5", (1.0, 5.0)),
        ("claude-code", "haiku", (1.0, 5.0)),
        ("openai", "gpt-5-mini-2025-08-07", (0.25, 2.0)),
        ("openai", "GPT-5", (1.25, 10.0)),
        ("openai", "gpt-4o-mini", (0.15, 0.6)),
        ("openai", "gpt-9", None),
        ("codex", "", None),
        ("opencode", "haiku", None),
        ("anthropic", "", None),
    ],
)
def test_the_longest_name_that_fits_counts(
    tmp_path: Path, provider: ModelProvider, model: str, price: tuple[float, float] | None
) -> None:
    found = prices(tmp_path).of(ModelChoice(provider=provider, model=model))
    assert found == (ModelPrice(*price) if price else None)


@pytest.mark.parametrize(
    ("provider", "address", "is_free"),
    [
        ("ollama", "", True),
        ("openai", "http://127.0.0.1:8080/v1", True),
        ("openai", "http://localhost:1234", True),
        ("openai", "http://[::1]:1234", True),
        ("ollama", "http://192.168.1.20:11434", False),
        ("openai", "https://example.com", False),
        ("openai", "http://localhost.example.com", False),
        ("openai", "http://127.0.0.1.example.com", False),
    ],
)
def test_a_server_on_this_machine_costs_nothing(
    tmp_path: Path, provider: ModelProvider, address: str, is_free: bool
) -> None:
    choice = ModelChoice(provider=provider, model="qwen3:4b", address=address)
    assert prices(tmp_path).of(choice) == (ModelPrice(0, 0) if is_free else None)


def test_the_users_own_prices_come_first(tmp_path: Path) -> None:
    own = '[[price]]\nproviders = ["openai"]\nmodels = ["*"]\nread = 2\nwritten = 4.5\n'
    found = prices(tmp_path, own)
    assert found.of(ModelChoice(provider="openai", model="gpt-5")) == ModelPrice(2, 4.5)
    local = ModelChoice(provider="openai", model="m", address="http://127.0.0.1:1")
    assert found.of(local) == ModelPrice(2, 4.5)
    haiku = ModelChoice(provider="anthropic", model="claude-haiku-4-5")
    assert found.of(haiku) == ModelPrice(1, 5)
    assert ModelPrice(2, 4.5).usd(1_000_000, 2_000_000) == 11


@pytest.mark.parametrize(
    "bad",
    [
        "nonsense",
        '[[price]]\nmodels = ["*"]\nread = -1\n',
        '[[price]]\nmodels = ["*"]\nread = nan\n',
        '[[price]]\nmodels = ["*"]\nread = inf\n',
        '[[price]]\nmodels = "*"\n',
        "[[price]]\nread = 1\n",
        '[[price]]\nmodels = ["*"]\nreed = 1\n',
        "\x00",
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_changes_nothing(tmp_path: Path, bad: str) -> None:
    found = prices(tmp_path, '[[price]]\nmodels = ["gpt*"]\nread = 7\n')
    found.own_file.write_text(bad * 2, encoding="utf-8")
    found.refresh()
    assert found.problem.startswith("model-prices.toml: ")
    assert found.of(ModelChoice(provider="openai", model="gpt-5")) == ModelPrice(7, 0)
    found.own_file.unlink()
    found.refresh()
    assert found.problem == ""
    assert found.of(ModelChoice(provider="openai", model="gpt-5")) == ModelPrice(1.25, 10)


def test_the_included_prices_say_when_they_held(tmp_path: Path) -> None:
    assert prices(tmp_path).as_of == "2026-03"
