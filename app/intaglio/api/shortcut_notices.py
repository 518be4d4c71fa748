"""Why keyboard shortcuts that the settings name don't work at the moment."""

from collections.abc import Mapping

from intaglio.base.installation import command
from intaglio.base.settings.editing import SettingsView
from intaglio.base.shortcut import SHORTCUT_FORM
from intaglio.base.shortcut_record import ShortcutState


def shortcut_notices(
    view: SettingsView, shortcuts: Mapping[str, ShortcutState] | None
) -> dict[str, str]:
    """Return the notices by the keys of the settings; ``shortcuts`` is None without a tray app.

    A shortcut that the tray app hasn't taken up yet has none.
    """
    found: dict[str, str] = {}
    for each in view.states:
        key = each.setting.key
        if each.setting.info.form is not SHORTCUT_FORM or not each.value:
            continue
        if shortcuts is None:
            found[key] = f"The tray app isn't running. To start it, run `{command('tray')}`."
        elif key in shortcuts and shortcuts[key].problem:
            found[key] = shortcuts[key].problem
    return found
