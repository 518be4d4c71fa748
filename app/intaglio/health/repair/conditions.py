"""Whether the computer has time and power for heavy work."""

import os
from typing import Final

import psutil

# The share of the processors that others may use.
_BUSY: Final = 0.75


def reason_to_wait() -> str:
    """Return why heavy work should wait, empty if it needn't: on battery, or under load.

    The load is the mean of the last five minutes, as the system counts it.
    """
    battery = psutil.sensors_battery()
    if battery is not None and battery.power_plugged is False:
        return "the computer runs on battery"
    load = psutil.getloadavg()[1] / (os.cpu_count() or 1)
    return "the computer is busy" if load > _BUSY else ""
