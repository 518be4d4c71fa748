"""`intaglio daemon …`: run, stop, status and logs of the daemon, and the system's service."""

import os
import sys

import click

from intaglio.base.clock import system_clock
from intaglio.base.paths import home_folder
from intaglio.base.process.own_program import become, own_command
from intaglio.cli.capture import pause_words
from intaglio.cli.connection import daemon_client, paths
from intaglio.cli.logs import logs
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import local_time
from intaglio.client import daemon_process as process
from intaglio.client import service_definition as service


@click.group(cls=CommandGroup)
def daemon() -> None:
    """Control the daemon, which stores memories and serves agents and the dashboard."""


daemon.add_command(logs)


@daemon.command()
def run() -> None:
    """Run the daemon in this terminal until Ctrl+C.

    Exit codes: 3 its port is used by another program, 4 it can't run in this configuration.
    """
    become("daemon", "run")


@daemon.command()
def start() -> None:
    """Start the daemon in the background."""
    ours = paths()
    health = process.is_answering(ours)
    state = "is already running" if health else "is running"
    health = health or process.start(ours)
    click.echo(f"Intaglio {health.version} {state} (port {health.port}, pid {health.pid}).")


@daemon.command()
def stop() -> None:
    """Stop the daemon after it has finished pending writes."""
    stopped = process.stop(paths())
    click.echo("The daemon has stopped." if stopped else "The daemon isn't running.")


@daemon.command()
def restart() -> None:
    """Stop the daemon after it has finished pending writes, and start it again."""
    ours = paths()
    process.stop(ours)
    # The tray app may have started it already.
    health = process.is_answering(ours) or process.start(ours)
    click.echo(f"Intaglio {health.version} is running (port {health.port}, pid {health.pid}).")


@daemon.command()
def status() -> None:
    """Show the daemon's state and resource use."""
    with daemon_client() as client:
        client.health()
        now = client.status()
    reason = f" ({now.reason})" if now.reason else ""
    click.echo(f"Intaglio {now.version}: {now.state}{reason}")
    if now.capture is not None and now.capture.paused:
        click.echo(f"  Capture      {pause_words(now.capture, system_clock().astimezone())}")
    click.echo(f"  Port         {now.port} (pid {now.pid}, up for {_duration(now.uptime)})")
    click.echo(f"  Memories     {now.store.memories:,} ({now.store.deleted:,} forgotten)")
    click.echo(f"  Queue        {now.store.jobs_pending:,} jobs")
    click.echo(
        f"  Database     {now.store.bytes / 1e6:.1f} MB, "
        f"{now.process.disk_free_bytes / 1e9:.0f} GB free on the disk"
    )
    click.echo(
        f"  RAM          {now.process.rss_bytes / 1e6:.0f} MB, {now.process.threads} threads"
    )
    click.echo(f"  Last backup  {local_time(now.store.last_backup) or 'none yet'}")
    click.echo(f"  Workspace    {now.agents_dir}")
    click.echo(f"  Log          {now.log_file}")
    for problem in now.setting_problems:
        click.echo(f"  Setting      {problem.key}: {problem.message}")


def _duration(seconds: float) -> str:
    """Write a duration by its two largest units: 3 d 4 h, 2 h 5 min, 40 s."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{rest} s"


@daemon.command("install-service")
@click.option("--print", "only_print", is_flag=True, help="Show the file without writing it.")
@click.option("--remove", is_flag=True, help="Remove the service.")
def install_service(*, only_print: bool, remove: bool) -> None:
    """Install a service that starts the daemon when you log in."""
    wanted = service.describe(sys.platform, home_folder(), os.environ, own_command())
    if only_print:
        click.echo(wanted.text, nl=False)
        return
    if remove:
        wanted.file.unlink(missing_ok=True)
        click.echo(f"Removed {wanted.file}. To apply it, run:\n  {wanted.disable}")
        return
    wanted.file.parent.mkdir(parents=True, exist_ok=True)
    wanted.file.write_text(wanted.text, encoding=wanted.encoding)
    click.echo(f"Wrote {wanted.file}. To apply it, run:\n  {wanted.enable}")
