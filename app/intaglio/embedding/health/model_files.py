"""Whether the included model's files are all there; a model in memory doesn't need them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.installed_by import how_to_reinstall
from intaglio.domain.health import Checked, Figure, HealthCheck
from intaglio.domain.issues import Issue
from intaglio.inference.manifest import CROSS_ENCODER_FILE, MANIFEST_FILE, MODEL_FILES
from intaglio.inference.ports import EmbedderState

FOLLOW_EVERY_S: Final = 30.0
_FRESH_S: Final = 10.0
_UNUSABLE: Final = ("damaged", "failing")


@dataclass(slots=True, kw_only=True)
class ModelFiles:
    """Looks at the files in ``folder``.

    ``state`` is that of the included model, None while another one is configured. ``recheck`` has a
    model that couldn't be loaded tried again.
    """

    folder: Path
    state: Callable[[], EmbedderState | None]
    recheck: Callable[[], Awaitable[None]]
    _were_missing: bool = False

    def declare(self) -> HealthCheck:
        """Return the check."""
        return HealthCheck(
            name="model_files",
            domain="models",
            title="Files of the included model",
            reads="Whether all files of the included model are there, also while it is in memory.",
            run=self.check,
            fresh_s=_FRESH_S,
        )

    async def check(self) -> Checked:
        """Return which files are missing; a model that couldn't be loaded says so itself."""
        missing = await asyncio.to_thread(self._missing)
        now = self.state()
        is_said = now is not None and now.phase in _UNUSABLE
        issue = Issue(
            "model_files",
            "warn",
            "Files of the included model are missing",
            f"{_names(missing)} in {self.folder}. {_price(missing)} {how_to_reinstall()}.",
        )
        return Checked(
            issues=(issue,) if missing and not is_said else (),
            figures=(Figure("modelFilesMissing", "Missing files of the model", len(missing)),),
            penalty=0.5 if missing else 0.0,
        )

    async def follow(self) -> None:
        """Have the model tried again once its files are back."""
        missing, before = await asyncio.to_thread(self._missing), self._were_missing
        self._were_missing = bool(missing)
        now = self.state()
        if before and not missing and now is not None and now.phase in _UNUSABLE:
            await self.recheck()

    def _missing(self) -> list[str]:
        every = (MANIFEST_FILE, *MODEL_FILES)
        return [name for name in every if not (self.folder / name).is_file()]


def _names(missing: Sequence[str]) -> str:
    *others, last = missing or ("",)
    return f"{', '.join(others)} and {last} aren't" if others else f"{last} isn't"


def _price(missing: Sequence[str]) -> str:
    if missing == [CROSS_ENCODER_FILE]:
        return "Fewer changes of mind are noticed."
    return "Once the model is loaded again, search finds keywords only, and less is captured."
