"""Which days statistics are about, and which of them share a point of a chart."""

from typing import Literal, TypeAlias

StatisticsRange: TypeAlias = Literal["7", "30", "90", "all"]
"""The last days, today included, or all that are kept."""

StatisticsStep: TypeAlias = Literal["day", "week", "month"]
"""A point is a day, or the week (from Monday) or month that begins with it."""
