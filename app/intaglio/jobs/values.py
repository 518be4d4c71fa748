"""The kinds of jobs."""

from typing import Literal, TypeAlias

JobType: TypeAlias = Literal["embed"]
