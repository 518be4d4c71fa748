"""`intaglio daemon …`: run, start, stop, status, logs, and the service of the operating system."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Final

import click

from intaglio.base.clock import system_clock
from intaglio.base.errors import ConflictError
from intaglio.base.paths import home_folder
from intaglio.cli.capture import pause_words
from intaglio.cli.reach import daemon_client, paths
from intaglio.client import process, service

_LINE_BYTES: Final = 2_000


@click.group()
def daemon() -> None:
    """The daemon, which keeps the memories and serves harnesses and dashboard."""


@daemon.command()
def run() -> None:
    """Run the daemon in this terminal until Ctrl+C.

    It ends with 3 when another program has its port, with 4 when it cannot run as things are.
    """
    # The daemon's half is another program: the command line never loads it.
    command = [sys.executable, "-m", "intaglio", "daemon", "run"]
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - our own program
    os.execv(sys.executable, command)  # noqa: S606 - our own program, no shell


@daemon.command()
def start() -> None:
    """Start the daemon apart from this terminal."""
    ours = paths()
    health = process.answering(ours)
    word = "runs already" if health else "runs"
    health = health or process.start(ours)
    click.echo(f"Intaglio {health.version} {word}: port {health.port}, pid {health.pid}.")


@daemon.command()
def stop() -> None:
    """Stop the daemon; what waits is written first."""
    click.echo("Stopped." if process.stop(paths()) else "It is not running.")


@daemon.command()
def status() -> None:
    """Show what the daemon does and uses."""
    with daemon_client() as client:
        client.health()
        now = client.status()
    reason = f" ({now.reason})" if now.reason else ""
    click.echo(f"Intaglio {now.version}: {now.state}{reason}")
    if now.capture is not None and now.capture.paused:
        click.echo(f"  capture is {pause_words(now.capture, system_clock().astimezone())}")
    click.echo(f"  port {now.port}, pid {now.pid}, up {now.uptime:.0f} s")
    click.echo(
        f"  {now.store.memories} memories, {now.store.deleted} forgotten, "
        f"{now.store.bytes / 1e6:.1f} MB, {now.store.jobs_pending} jobs wait"
    )
    click.echo(
        f"  memory {now.process.rss_bytes / 1e6:.0f} MB, {now.process.threads} threads, "
        f"{now.process.disk_free_bytes / 1e9:.0f} GB free"
    )
    click.echo(f"  last backup: {now.store.last_backup or 'none yet'}")
    click.echo(f"  workspace: {now.agents_dir}")
    click.echo(f"  log: {now.log_file}")
    for problem in now.setting_problems:
        click.echo(f"  setting {problem.key}: {problem.message}")


@daemon.command()
@click.option("-n", "lines", default=50, show_default=True, type=click.IntRange(1, 100_000))
@click.option("-f", "--follow", is_flag=True, help="Go on as the daemon writes.")
def logs(*, lines: int, follow: bool) -> None:
    """Show the newest lines of the daemon's log."""
    file = paths().log_file
    if not file.exists():
        raise ConflictError(f"There is no log at {file} yet.")
    with file.open(encoding="utf-8", errors="replace") as stream:
        for line in _last(stream, file, lines):
            click.echo(line, nl=False)
        while follow:
            line = stream.readline()
            if line:
                click.echo(line, nl=False)
            else:
                time.sleep(0.3)


def _last(stream: IO[str], file: Path, count: int) -> list[str]:
    """Return the last lines, without reading a large file from its beginning."""
    start = max(0, file.stat().st_size - count * _LINE_BYTES)
    stream.seek(start)
    # Most likely in the middle of a line.
    return stream.readlines()[1 if start else 0 :][-count:]


@daemon.command("install-service")
@click.option("--print", "only_print", is_flag=True, help="Show the text; write nothing.")
@click.option("--remove", is_flag=True, help="Take the service away again.")
def install_service(*, only_print: bool, remove: bool) -> None:
    """Let the operating system start the daemon when you log in."""
    wanted = service.describe(sys.platform, home_folder(), os.environ, sys.executable)
    if only_print:
        click.echo(wanted.text, nl=False)
        return
    if remove:
        wanted.file.unlink(missing_ok=True)
        click.echo(f"Removed {wanted.file}. Now run: {wanted.disable}")
        return
    wanted.file.parent.mkdir(parents=True, exist_ok=True)
    wanted.file.write_text(wanted.text, encoding=wanted.encoding)
    click.echo(f"Wrote {wanted.file}. Now run: {wanted.enable}")
