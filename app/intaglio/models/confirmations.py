"""Which language models the user has agreed to; none other is asked.

A provider may stand in ``agent.yaml`` by hand, or since an import: nothing is sent to it before the
user confirms it once. The file belongs to this installation, so a database or a workspace from
elsewhere brings no agreement along.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.clock import Clock, iso
from intaglio.base.log import get_logger
from intaglio.base.paths import write_private
from intaglio.base.settings.values import Settings
from intaglio.inference.completion.choice import PROVIDERS, ModelChoice
from intaglio.models.choices import choice_of
from intaglio.models.prompt import ROLES, ModelRole
from intaglio.models.settings import SAME_PROVIDER, SynthesisModelSettings

FILE_NAME: Final = "confirmed-models.json"
_KEYS: Final = {
    "extraction": "memory.pipelineV2.extraction.",
    "synthesis": "memory.pipelineV2.synthesis.",
}


class ConfirmedModel(msgspec.Struct, frozen=True):
    """A model that the user agreed to, where it is, and when."""

    provider: str
    model: str
    address: str
    at: str


@dataclass(slots=True)
class ConfirmedModels:
    """The models that the user agreed to, in a file."""

    file: Path
    clock: Clock
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _known: frozenset[tuple[str, str, str]] | None = None

    def includes(self, choice: ModelChoice) -> bool:
        """Whether the user agreed to a model of a provider at an address."""
        if self._known is None:
            self._known = frozenset(map(_key, self._read()))
        return _identity(choice) in self._known

    def confirm(self, *choices: ModelChoice) -> None:
        """Record that the user agreed; blocks. Raises OSError if the file can't be written."""
        with self._lock:
            listed = self._read()
            known = {*map(_key, listed)}
            wanted = dict.fromkeys(map(_identity, choices))
            added = [
                ConfirmedModel(*each, at=iso(self.clock())) for each in wanted if each not in known
            ]
            if added:
                write_private(self.file, msgspec.json.encode([*listed, *added]))
            self._known = frozenset((*known, *map(_key, added)))

    def follow_change(self, keys: Sequence[str], before: Settings, after: Settings) -> None:
        """Take a confirmed change of settings as an agreement to the model that it names.

        If only a detail was changed, the model before must have been agreed to.
        """
        agreed = [
            choice
            for role in ROLES
            if (choice := choice_of(after, role)) and self._is_agreed(role, keys, before, after)
        ]
        try:
            self.confirm(*agreed)
        except OSError as error:
            # The dashboard and `intaglio models` ask again.
            get_logger("models").warning("couldn't record an agreement", reason=str(error))

    def _is_agreed(
        self, role: ModelRole, keys: Sequence[str], before: Settings, after: Settings
    ) -> bool:
        own: list[ModelRole] = [role]
        if after.of(SynthesisModelSettings).provider == SAME_PROVIDER:
            own.append("extraction")
        changed = [key for key in keys if key.startswith(tuple(_KEYS[each] for each in own))]
        if any(key.endswith(".provider") for key in changed):
            return True
        former = choice_of(before, role)
        return bool(changed) and former is not None and self.includes(former)

    def _read(self) -> list[ConfirmedModel]:
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=list[ConfirmedModel])
        except (OSError, ValueError):
            # Without a readable file nothing is agreed to.
            return []


def _key(each: ConfirmedModel) -> tuple[str, str, str]:
    return each.provider, each.model, each.address


def _identity(choice: ModelChoice) -> tuple[str, str, str]:
    facts = PROVIDERS.get(choice.provider)
    return choice.provider, choice.model, choice.address or (facts.address if facts else "")
