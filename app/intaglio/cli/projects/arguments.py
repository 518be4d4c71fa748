"""A project as it is typed in a terminal."""

import os

import click

from intaglio.cli.options import project_of


def project_argument(text: str) -> str:
    """Return a project as the daemon takes it: a relative path that exists made absolute."""
    if not text.strip():
        raise click.UsageError("A project needs a path or a name.")
    if not text.startswith("~") and os.path.isdir(text):  # noqa: PTH112 - as text
        return os.path.abspath(text)  # noqa: PTH100 - as text
    return project_of(text, here=False) or text
