"""What agents on the command line share: the program, its folder, and how a run fails."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.process.programs import find_program, run_program
from intaglio.inference.completion.agents.process import (
    AgentFolder,
    agent_environment,
    agent_folder,
)
from intaglio.inference.completion.backend import BackendFailure, BackendOutcome
from intaglio.inference.completion.ports import CompletionRequest, ModelName

_TOO_MANY: Final = 429
_PERMANENT: Final = frozenset({401, 402, 403, 404})
# What command lines say to an option that they don't know.
_UNKNOWN_OPTION: Final = (b"unknown option", b"unexpected argument", b"unknown argument")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCommand:
    """The arguments of a run, and what is added to its environment."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


class AgentBackend(ABC):
    """Runs a program once for each request, with the prompt on its standard input."""

    def __init__(
        self,
        name: ModelName,
        *,
        title: str,
        program: str,
        find: Callable[[str], str | None] = find_program,
    ) -> None:
        self._name = name
        self._title = title
        self._program = program
        self._find = find

    @property
    def name(self) -> ModelName:
        """The model; an empty one is the agent's default."""
        return self._name

    async def ask(self, request: CompletionRequest) -> BackendOutcome:
        """Run the program; it is killed when this is cancelled."""
        program = self._find(self._program)
        if program is None:
            return self._missing()
        with agent_folder() as folder:
            command = self._command(request, folder)
            try:
                ended = await run_program(
                    (program, *command.arguments),
                    # A text could begin as a command of the agent does.
                    stdin=f"The text:\n\n{request.user}".encode("utf-8", "replace"),
                    folder=folder.work,
                    environment=agent_environment(program, command.environment),
                )
            except OSError as error:
                detail = f"{self._title} can't be started ({type(error).__name__})"
                return BackendFailure(reason="unusable", detail=detail, permanent=True)
        if ended.output is None:
            return BackendFailure(reason="too_long", detail=f"{self._title} printed too much")
        if ended.code and any(each in ended.errors.lower() for each in _UNKNOWN_OPTION):
            detail = f"this version of {self._title} lacks an option that is needed: update it"
            return BackendFailure(reason="unusable", detail=detail, permanent=True)
        outcome = self._read(ended.output, request)
        if outcome is not None:
            return outcome
        detail = f"{self._title} ended with status {ended.code} and without a reply"
        return BackendFailure(reason="refused", detail=detail)

    async def models(self) -> tuple[str, ...] | BackendFailure:
        """Say nothing of models, but whether the program is installed."""
        return self._missing() if self._find(self._program) is None else ()

    async def close(self) -> None:  # noqa: B027 - each run releases its own
        """Nothing runs between calls."""

    def _missing(self) -> BackendFailure:
        detail = f"{self._title} isn't installed: there is no program `{self._program}`"
        return BackendFailure(reason="unusable", detail=detail, permanent=True)

    def _reported(self, status: int | None, *, signed_out: bool = False) -> BackendFailure:
        """Say what an error means that the agent reports; agents repeat requests themselves."""
        if signed_out or status in (401, 403):
            detail = f"{self._title} isn't signed in, or may not use the model"
            return BackendFailure(reason="unusable", detail=detail, permanent=True)
        return BackendFailure(
            reason="rate_limited" if status == _TOO_MANY else "refused",
            detail=f"{self._title} reports an error" + (f" ({status})" if status else ""),
            permanent=status in _PERMANENT,
        )

    @abstractmethod
    def _command(self, request: CompletionRequest, folder: AgentFolder) -> AgentCommand:
        """Return the command that asks this, and write the files that it needs."""

    @abstractmethod
    def _read(self, output: bytes, request: CompletionRequest) -> BackendOutcome | None:
        """Read what the program printed; None if there is neither a reply nor an error in it."""
