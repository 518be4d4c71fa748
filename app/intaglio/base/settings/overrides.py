"""Settings with some values replaced, as if the file said so; nothing is written."""

from collections.abc import Collection, Mapping, Sequence

from intaglio.base.errors import InvalidInputError
from intaglio.base.settings.declaration import Scalar, SettingsSection
from intaglio.base.settings.validation import find_setting, settings_with
from intaglio.base.settings.values import Settings, harness_key


def tried_settings(
    settings: Settings,
    values: Mapping[str, Scalar | None],
    sections: Sequence[SettingsSection],
    harnesses: Collection[str],
) -> Settings:
    """Return the settings with these values, by dotted key; None is the default.

    ``harnesses`` are the known names. Raises InvalidInputError that names the first key that is
    unknown or secret, or whose value isn't valid.
    """
    spelled = {harness_key(name) for name in harnesses}
    for key in values:
        found = find_setting(key, sections)
        if found is None or (found.harness and found.harness not in spelled):
            raise InvalidInputError(
                f"There is no setting {key!r}", hint="`intaglio help settings` lists all keys."
            )
        if found.info.secret:
            raise InvalidInputError(
                f"{key} is a secret and can't be sent",
                hint="Leave it out: it changes nothing here.",
            )
    tried, problems = settings_with(settings, values, sections)
    for problem in problems:
        found = find_setting(problem.key, sections)
        hint = f"{found.info.help} The default is {found.info.default}." if found else ""
        raise InvalidInputError(f"{problem.key} {problem.message}", hint=hint)
    return tried
