"""What language models cost: a table that comes with Intaglio, and the user's own."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from intaglio.inference.completion.choice import PROVIDERS, ModelChoice

FILE_NAME: Final = "model-prices.toml"
"""The user's own table, in the workspace."""

_MILLION: Final = 1_000_000
_MAX_BYTES: Final = 200_000


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """US dollars per million tokens that are read and written."""

    read: float
    written: float

    def usd(self, tokens_read: int, tokens_written: int) -> float:
        """Return what so many tokens cost."""
        return (tokens_read * self.read + tokens_written * self.written) / _MILLION


_NOTHING: Final = ModelPrice(0.0, 0.0)


class PriceEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prices of some models; an empty list of providers is all of them."""

    models: tuple[str, ...]
    read: float = msgspec.field(default=0.0)
    written: float = msgspec.field(default=0.0)
    providers: tuple[str, ...] = ()


class PriceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file of prices; ``as_of`` is the month in which they held."""

    price: tuple[PriceEntry, ...] = ()
    as_of: str = ""


class PriceFileError(ValueError):
    """A file of prices can't be read; the message says why."""


def parse_prices(text: str) -> PriceTable:
    """Read a file of prices; raises PriceFileError."""
    try:
        table = msgspec.convert(tomllib.loads(text), PriceTable)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise PriceFileError(str(error)[:200]) from error
    for entry in table.price:
        # Not a number and infinity are floats in TOML.
        if not (0 <= entry.read < _MILLION and 0 <= entry.written < _MILLION):
            raise PriceFileError("a price must be a number of dollars from 0")
    return table


@cache
def _included() -> PriceTable:
    return parse_prices(files("intaglio.models").joinpath("prices.toml").read_text("utf-8"))


@dataclass(slots=True)
class Prices:
    """Looks prices up: the user's own file first, then the included table."""

    own_file: Path
    _own: PriceTable = field(default_factory=PriceTable)
    _seen: tuple[int, int] | None = None
    _problem: str = ""

    @property
    def as_of(self) -> str:
        """The month in which the included prices held, such as 2026-03."""
        return _included().as_of

    @property
    def problem(self) -> str:
        """What is wrong with the user's own file; empty if nothing is."""
        return self._problem

    def refresh(self) -> None:
        """Read the user's own file again if it has changed. Blocks."""
        try:
            found = self.own_file.stat()
            seen = (found.st_mtime_ns, found.st_size)
        except OSError:
            self._own, self._seen, self._problem = PriceTable(), None, ""
            return
        if seen == self._seen:
            return
        self._seen = seen
        try:
            if found.st_size > _MAX_BYTES:
                raise PriceFileError("it is too large")
            self._own = parse_prices(self.own_file.read_text("utf-8"))
            self._problem = ""
        except (OSError, ValueError) as error:
            # An earlier version holds: what was priced must not become free.
            self._problem = f"{self.own_file.name}: {error}"

    def of(self, choice: ModelChoice) -> ModelPrice | None:
        """Return the price of a model, nothing for one on this machine; None if unknown."""
        own = _find(self._own.price, choice.provider, choice.model)
        if own is not None:
            return own
        facts = PROVIDERS.get(choice.provider)
        if facts is not None and not facts.program and not choice.sends_text_away:
            return _NOTHING
        return _find(_included().price, choice.provider, choice.model)


def _find(entries: Sequence[PriceEntry], provider: str, model: str) -> ModelPrice | None:
    names = {model.lower(), model.lower().rpartition("/")[2]}
    best: PriceEntry | None = None
    length = -1
    for entry in entries:
        if entry.providers and provider not in entry.providers:
            continue
        for pattern in entry.models:
            fits = max((_fit(pattern.lower(), name) for name in names), default=-1)
            if fits > length:
                best, length = entry, fits
    return ModelPrice(best.read, best.written) if best else None


def _fit(pattern: str, name: str) -> int:
    """Return how well a name fits, by the length of what is given; -1 if it doesn't."""
    if pattern.endswith("*"):
        return len(pattern) - 1 if name.startswith(pattern[:-1]) else -1
    return len(pattern) * 2 if name == pattern else -1
