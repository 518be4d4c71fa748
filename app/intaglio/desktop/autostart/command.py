"""`intaglio autostart`: switches start at login for this user, and says whether it is on."""

import json
import os
import sys
from typing import Final, Literal, TypeAlias

from intaglio.base.errors import IntaglioError
from intaglio.base.installation import command, kept_variables
from intaglio.base.paths import home_folder
from intaglio.base.process.own_program import own_command
from intaglio.desktop.autostart.launcher import Launcher
from intaglio.desktop.autostart.switch import Autostart, autostart_for
from intaglio.desktop.tray.icons import app_icon

AutostartAction: TypeAlias = Literal["on", "off", "status"]

_EXIT_REFUSED: Final = 1


def own_autostart() -> Autostart:
    """Return this user's switch, which starts this installation."""
    launcher = Launcher(own_command(), kept_variables(os.environ), str(app_icon()))
    return autostart_for(sys.platform, home_folder(), os.environ, launcher)


def switch_autostart(action: AutostartAction, *, as_json: bool = False) -> int:
    """Switch it or leave it, and print whether it is on; returns the exit code."""
    try:
        autostart = own_autostart()
        if action != "status":
            autostart.switch(on=action == "on")
        on = autostart.is_on()
        is_stale = on and autostart.is_stale()
    except (IntaglioError, OSError) as error:
        sys.stderr.write(f"Error: {error}\n")
        return _EXIT_REFUSED
    if as_json:
        sys.stdout.write(json.dumps({"on": on, "moved": is_stale}) + "\n")
        return 0
    sys.stdout.write(
        "Intaglio starts when you log in and opens intaglio:// links.\n"
        if on
        else "Intaglio doesn't start when you log in.\n"
    )
    if is_stale:
        again = command("autostart on")
        sys.stdout.write(f"Intaglio has moved. Run `{again}` to update the entry.\n")
    return 0
