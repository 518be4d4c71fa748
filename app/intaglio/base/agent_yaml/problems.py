"""Why `agent.yaml` can't be read or edited, with the place in it."""

from dataclasses import dataclass

from intaglio.base.errors import ConflictError


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What is wrong with a file; line and column count from 1, ``excerpt`` is the line as it is."""

    message: str
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None

    def __str__(self) -> str:
        """Return the message with its place."""
        if self.line is None:
            return self.message
        where = (
            f"line {self.line}"
            if self.column is None
            else f"line {self.line}, column {self.column}"
        )
        return f"{self.message} ({where})"


class SettingsFileError(ConflictError):
    """Nothing was written into the file, and this is why."""

    def __init__(self, detail: str, hint: str, problem: FileProblem) -> None:
        super().__init__(detail, hint=hint, line=problem.line, column=problem.column)
        self.problem = problem


class BrokenFileError(SettingsFileError):
    """The file can't be read, so nothing is written into it."""

    code = "settings_file_broken"
    title = "The settings file can't be read"

    def __init__(self, problem: FileProblem) -> None:
        hint = "Fix the file, then try again. Nothing was written."
        super().__init__(f"Can't read the settings file: {problem}", hint, problem)


class UneditableError(SettingsFileError):
    """The file can be read, but this key in it can't be changed safely."""

    code = "setting_not_editable"
    title = "Change this in the file"

    def __init__(self, problem: FileProblem) -> None:
        hint = "Change it in the file with an editor. Nothing was written."
        super().__init__(f"Can't change the settings file: {problem}", hint, problem)
