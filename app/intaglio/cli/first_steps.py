"""What a list says that is empty because nothing has been stored yet."""

import click

from intaglio.base.installation import command


def say_how_to_begin() -> None:
    """Say on standard error what fills an empty list."""
    click.echo(
        "Sessions of connected agents fill it. "
        f"To connect one, run `{command('connect')}`; in the dashboard, open Welcome.",
        err=True,
    )
