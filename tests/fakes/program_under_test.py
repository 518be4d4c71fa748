"""The program that tests start as a process: the source's, or a package's."""

import os
from typing import Final

from intaglio.base.process.own_program import own_command

VARIABLE: Final = "INTAGLIO_TEST_PROGRAM"
"""Names the `intaglio` of a folder build or an installed package, to test that instead."""


def is_package() -> bool:
    """Whether the tests run a package's program."""
    return bool(os.environ.get(VARIABLE))


def command_under_test(*arguments: str) -> list[str]:
    """Return the command line that runs the tested Intaglio with these arguments."""
    return [os.environ[VARIABLE], *arguments] if is_package() else own_command(*arguments)
