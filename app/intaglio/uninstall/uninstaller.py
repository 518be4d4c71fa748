"""Composes the steps of an uninstall, previews them and carries them out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from intaglio.base.paths import Paths
from intaglio.client import daemon_process
from intaglio.client.service_definition import ServiceDefinition
from intaglio.connect.targets import ConnectionTarget
from intaglio.desktop.autostart.switch import Autostart
from intaglio.desktop.single_instance import is_instance_running
from intaglio.uninstall.agents import disconnect_steps
from intaglio.uninstall.own_files import (
    data_items,
    own_items,
    remove_data_step,
    remove_files_step,
    remove_records_step,
)
from intaglio.uninstall.system import (
    RunCommand,
    autostart_step,
    daemon_step,
    service_step,
    tray_step,
)
from intaglio.uninstall.values import (
    UninstallItem,
    UninstallProblem,
    UninstallReport,
    UninstallStep,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uninstaller:
    """Removes what one installation wrote on an account; each of its parts may be gone already."""

    paths: Paths
    home: Path
    targets: Mapping[str, ConnectionTarget]
    autostart: Autostart
    service: ServiceDefinition
    run: RunCommand

    def preview(self, *, delete_data: bool = False) -> UninstallReport:
        """Return what `remove` would do; changes nothing."""
        agents = disconnect_steps(self.targets, self.paths)
        problems = tuple(problem for step in agents for problem in step.known)
        files = self._file_steps(keep_records=bool(problems), delete_data=delete_data)
        return UninstallReport(
            done=False,
            removes=_items([*self._stop_steps(), *agents, *files]),
            keeps=self._kept(delete_data=delete_data),
            problems=problems,
        )

    def remove(self, *, delete_data: bool = False) -> UninstallReport:
        """Carry it out, and go on where a part can't be removed; a second time does nothing.

        If the tray app or the daemon doesn't stop, the agents and files stay as they are: it would
        write again what is removed.
        """
        stopping = self._stop_steps()
        problems = _carry_out(stopping)
        if problems and self._is_running:
            return UninstallReport(
                done=False,
                removes=(),
                keeps=self._kept(delete_data=delete_data),
                problems=problems,
            )
        agents = disconnect_steps(self.targets, self.paths)
        refused = _carry_out(agents)
        files = self._file_steps(keep_records=bool(refused), delete_data=delete_data)
        problems = (*problems, *refused, *_carry_out(files))
        failed = {problem.file for problem in problems if problem.file}
        removed = _items([*stopping, *agents, *files])
        return UninstallReport(
            done=True,
            removes=tuple(item for item in removed if failed.isdisjoint(item.files)),
            keeps=self._kept(delete_data=delete_data),
            problems=problems,
        )

    @property
    def _is_running(self) -> bool:
        return is_instance_running(self.paths) or daemon_process.running(self.paths) is not None

    def _stop_steps(self) -> list[UninstallStep]:
        """Return the steps that come first: what starts the daemon goes before it stops."""
        return [
            service_step(self.service, self.run),
            autostart_step(self.autostart),
            tray_step(self.paths),
            daemon_step(self.paths),
        ]

    def _file_steps(self, *, keep_records: bool, delete_data: bool) -> list[UninstallStep]:
        return [
            *([] if keep_records else [remove_records_step(self.paths)]),
            remove_files_step(self.paths, self.home),
            *([remove_data_step(self.paths)] if delete_data else []),
        ]

    def _kept(self, *, delete_data: bool) -> tuple[UninstallItem, ...]:
        data = () if delete_data else data_items(self.paths)
        return (*data, *own_items(self.paths))


def _items(steps: Sequence[UninstallStep]) -> tuple[UninstallItem, ...]:
    return tuple(item for step in steps for item in step.items)


def _carry_out(steps: Sequence[UninstallStep]) -> tuple[UninstallProblem, ...]:
    return tuple(problem for step in steps for problem in step.act())
