"""Asks before a change of settings that has a consequence."""

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from intaglio.base.errors import ConfirmationNeededError

_Reply = TypeVar("_Reply")


def confirmed_change(change: Callable[[bool], _Reply], *, yes: bool) -> _Reply:
    """Make a change, which is called with whether it's confirmed, and return its reply.

    If it has a consequence, ask in a terminal whether to go on; elsewhere raise
    ConfirmationNeededError. With ``yes``, it's confirmed from the start.
    """
    confirmed = yes
    try:
        return change(confirmed)
    except ConfirmationNeededError as error:
        if not sys.stdin.isatty():
            raise ConfirmationNeededError(error.detail, hint="Add --yes to go on.") from error
        click.echo(error.detail, err=True)
        click.confirm("Continue?", abort=True, err=True)
    confirmed = True
    return change(confirmed)
