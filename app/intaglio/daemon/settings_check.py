"""Judges the settings: those that are invalid."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from intaglio.base.settings.reading import SettingProblem
from intaglio.domain.health import Checked
from intaglio.domain.issues import Issue
from intaglio.redaction.shown_text import without_secrets


def judge_settings(problems: Sequence[SettingProblem]) -> Checked:
    """Name each invalid setting; a key may have several problems."""
    return Checked(issues=tuple(_issue(number, each) for number, each in enumerate(problems)))


def _issue(number: int, problem: SettingProblem) -> Issue:
    key, message = without_secrets(problem.key), without_secrets(problem.message)
    # No key has a slash; where the file itself can't be read, it is its path.
    is_file = Path(key).is_absolute()
    name = Path(key).name if is_file else f"Setting {key}"
    return Issue(
        f"setting-{number}-{key}",
        "warn",
        f"{name} {message}",
        "Until this is fixed, the last valid settings apply."
        if is_file
        else "Until this is fixed, the default or the last valid value applies.",
        page="/settings" if is_file else f"/settings/{quote(key, safe='')}",
    )
