"""The command: which probes run, and where their table goes."""

import argparse

from bench.attack import (
    access,
    capture,
    client,
    fence,
    file,
    fuzz,
    projects,
    secrets,
    server,
    text,
    tools,
    upkeep,
)
from bench.attack.arena import arena_folder
from bench.attack.probe import Broke, Probe
from bench.attack.runner import Result, run_all
from bench.attack.table import PAGE, render, replaced, summary, verdict

PROBES: tuple[Probe, ...] = (
    *file.PROBES,
    *upkeep.PROBES,
    *server.PROBES,
    *client.PROBES,
    *access.PROBES,
    *secrets.PROBES,
    *fence.PROBES,
    *capture.PROBES,
    *projects.PROBES,
    *tools.PROBES,
    *text.PROBES,
    *fuzz.probes(),
)
"""All probes, in the table's order; those of a group one after another."""


def _with_fuzz_of(minutes: float) -> tuple[Probe, ...]:
    others = (probe for probe in PROBES if probe.group != "fuzz")
    return (*others, *fuzz.probes(minutes))


def tell(result: Result) -> None:
    """Print a probe's result as soon as it is known."""
    outcome = result.outcome
    line = f"{result.probe.group:<8} {verdict(outcome).strip('*'):<8} {result.probe.name}"
    print(line if not isinstance(outcome, Broke) else f"{line}: {outcome.detail}", flush=True)


def main(arguments: list[str]) -> None:
    """Run the probes; exits with 1 if any attack succeeded."""
    groups = list(dict.fromkeys(probe.group for probe in PROBES))
    parser = argparse.ArgumentParser(prog="python3 app bench attack")
    parser.add_argument("--only", choices=groups, metavar="GROUP", help=", ".join(groups))
    parser.add_argument("--name", help="only probes whose name contains this")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    parser.add_argument("--minutes", type=float, help="fuzz for so long (default: 10)")
    options = parser.parse_args(arguments)
    if options.write and (options.only or options.name):
        parser.error("--write needs all probes")
    chosen = [
        probe
        for probe in (PROBES if options.minutes is None else _with_fuzz_of(options.minutes))
        if options.only in {None, probe.group} and (options.name or "") in probe.name
    ]
    with arena_folder() as folder:
        results = list(run_all(chosen, folder, tell))
    print(summary(results))
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(replaced(page, render(results)), encoding="utf-8")
    if any(isinstance(result.outcome, Broke) for result in results):
        raise SystemExit(1)
