"""Reads the settings from ``agent.yaml`` and the environment; packages declare them."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

from intaglio.base.agent_yaml.document import BOM, MAX_BYTES, decode, load_tree, parse
from intaglio.base.agent_yaml.places import KeyPlaces, key_places
from intaglio.base.agent_yaml.problems import BrokenFileError, FileProblem
from intaglio.base.agent_yaml.roster import read_roster
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import MisconfiguredError
from intaglio.base.files.regular_file import read_regular
from intaglio.base.settings.declaration import (
    HARNESS,
    Scalar,
    SettingInfo,
    SettingsSection,
    info_of,
)
from intaglio.base.settings.keys import KeyEntry, KnownKeys, camel, folded, known_keys
from intaglio.base.settings.reading import (
    GivenValue,
    SettingProblem,
    SettingsReading,
    UnusedSetting,
)
from intaglio.base.settings.validation import check_value, shown
from intaglio.base.settings.values import Settings, harness_key

PORT_VARIABLES: Final = ("INTAGLIO_PORT", "SIGNET_PORT")
_MAX_LISTED: Final = 20
_NOWHERE: Final = KeyPlaces({}, ())


def settings_from(
    tree: Mapping[str, object],
    sections: Sequence[SettingsSection],
    harnesses: Collection[str] | None = None,
    places: KeyPlaces = _NOWHERE,
) -> SettingsReading:
    """Build the settings from the parsed file, reporting all problems together.

    A number out of bounds is clamped; a value of the wrong type is replaced by the default.
    ``harnesses`` names those that may have settings of their own; None accepts any name.
    ``places`` tells the lines of the keys.
    """
    node = tree.get("harness")
    named = (
        {camel(str(name)) for name in cast("Mapping[object, object]", node)}
        if _is_map(node)
        else set[str]()
    )
    allowed = named if harnesses is None else {harness_key(name) for name in harnesses}
    reader = _Reader(known_keys(tuple(sections), frozenset(allowed)), places)
    reader.sort(tree)
    settings = Settings()
    for section in sections:
        for name in _holders(section, allowed):
            own = reader.section(section, name)
            settings = settings.having_harness(name, own) if name else settings.having(own)
    agents = tree.get("agents")
    listed = cast("Mapping[str, object]", agents).get("roster") if _is_map(agents) else None
    roster, unclear = read_roster(listed)
    for key, message in unclear:
        reader.add_problem(key, message)
    reader.add_strays()
    return SettingsReading(
        replace(settings, roster=roster, agent_created_at=_created_at(tree.get("agent"))),
        tuple(reader.problems),
        tuple(reader.unused),
        given=reader.given,
    )


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping)


def _created_at(agent: object) -> str | None:
    """Return when the agent was created, as Signet notes it: a text, or a time or day of YAML."""
    value = cast("Mapping[str, object]", agent).get("created") if _is_map(agent) else None
    text = value.isoformat() if isinstance(value, date) else value
    moment = parse_moment(text) if isinstance(text, str) else None
    return None if moment is None else iso(moment)


def _holders(section: SettingsSection, harnesses: Collection[str]) -> Sequence[str]:
    """Return the harnesses whose settings a section holds; an empty name for the general ones."""
    by_harness = any(info_of(entry).by_harness for entry in fields(section))
    return sorted(harnesses) if by_harness else ("",)


@dataclass(slots=True)
class _Reader:
    """Reads sections from the parsed file, and collects what is given and what is wrong."""

    known: KnownKeys
    places: KeyPlaces
    found: dict[str, list[KeyEntry]] = field(default_factory=dict[str, list[KeyEntry]])
    strays: list[KeyEntry] = field(default_factory=list[KeyEntry])
    problems: list[SettingProblem] = field(default_factory=list[SettingProblem])
    unused: list[UnusedSetting] = field(default_factory=list[UnusedSetting])
    given: dict[str, GivenValue] = field(default_factory=dict[str, GivenValue])

    def sort(self, tree: Mapping[str, object]) -> None:
        """Sort the keys of the file into settings, Signet's keys and unknown ones."""
        for entry in self.known.entries(tree):
            key = self.known.settings.get(entry.key)
            if key is None:
                meaning = self.known.unused(entry.key)
                if meaning:
                    text = f"Signet's setting for {meaning}; Intaglio doesn't use it."
                    self.unused.append(
                        UnusedSetting(entry.spelled, text, self._line(entry.spelled))
                    )
                else:
                    self.strays.append(entry)
            elif entry.value is not None:
                self.found.setdefault(key, []).append(entry)

    def section(self, section: SettingsSection, harness: str) -> Any:  # noqa: ANN401 - the section's own type
        """Read one section."""
        values: dict[str, Scalar] = {}
        for entry in fields(section):
            info = info_of(entry)
            key = info.key.replace(HARNESS, harness)
            if key in self.found:
                values[entry.name] = self._value(info, key, self.found[key])
        return section(**values)

    def _value(self, info: SettingInfo, key: str, entries: Sequence[KeyEntry]) -> Scalar:
        """Check the entry that counts, and report others that contradict it."""
        used, *others = sorted(entries, key=lambda one: _rank(one, key))
        value, complaint = check_value(info, used.value)
        problem = f"{complaint}{_not(info, used.value)}" if complaint else ""
        line = self._line(used.spelled)
        self.given[key] = GivenValue(used.value, used.spelled, line, problem)
        if problem:
            self.problems.append(SettingProblem(key, problem, line))
        for other in others:
            if not _agrees(other.value, used.value):
                text = f"contradicts {used.spelled}, which counts"
                self.add_problem(other.spelled, text)
        return value

    def add_strays(self) -> None:
        """Report the keys that nothing knows, and those that occur twice."""
        for entry in self.strays[:_MAX_LISTED]:
            near = self.known.suggestion(entry.key)
            self.add_problem(
                entry.spelled, f"is not a setting{f'; did you mean {near}?' if near else ''}"
            )
        if len(self.strays) > _MAX_LISTED:
            self.add_problem("…", f"{len(self.strays) - _MAX_LISTED} more keys aren't settings")
        for key, line in self.places.repeated[:_MAX_LISTED]:
            self.problems.append(
                SettingProblem(key, f"is there twice; the one in line {line} counts", line)
            )

    def add_problem(self, key: str, message: str) -> None:
        """Report a problem of a key, as it is spelled."""
        self.problems.append(SettingProblem(key, message, self._line(key)))

    def _line(self, spelled: str) -> int | None:
        return self.places.lines.get(spelled)


def _rank(entry: KeyEntry, key: str) -> tuple[bool, bool, bool]:
    """Order the entries of a setting: its own key counts before others, flat forms and places."""
    in_place = ".".join(camel(part) for part in entry.spelled.split(".")) == folded(key)
    return entry.key != folded(key), not in_place, entry.spelled != key


def _agrees(one: object, other: object) -> bool:
    return isinstance(one, bool | int | float | str) and type(one) is type(other) and one == other


def _not(info: SettingInfo, value: object) -> str:
    return "" if info.secret else f", not {shown(value)}"


def read_text(
    text: str, sections: Sequence[SettingsSection], harnesses: Collection[str] | None = None
) -> SettingsReading:
    """Read a text of settings; raises BrokenFileError if it isn't YAML with keys and values."""
    document = parse(text.removeprefix(BOM))
    return settings_from(load_tree(document), sections, harnesses, key_places(document))


def read_settings(
    file: Path, sections: Sequence[SettingsSection], harnesses: Collection[str] | None = None
) -> SettingsReading:
    """Read ``agent.yaml``; if it is missing or broken (then with a problem), use the defaults.

    ``harnesses`` is as for `settings_from`.
    """
    try:
        return read_text(decode(read_regular(file, MAX_BYTES + 1)), sections, harnesses)
    except FileNotFoundError:
        return SettingsReading()
    except BrokenFileError as error:
        problem = error.problem
    except OSError as error:
        problem = FileProblem(str(error))
    # Such a file says nothing about agents; they stay as they are.
    return SettingsReading(
        Settings(roster=None),
        (SettingProblem(str(file), f"can't be read: {problem}", problem.line),),
        file_problem=problem,
    )


def port_from(env: Mapping[str, str] = os.environ) -> int | None:
    """Read ``INTAGLIO_PORT`` (or ``SIGNET_PORT``); None if neither is set.

    Raises MisconfiguredError for an invalid port: a different one would be saved permanently.
    """
    for name in PORT_VARIABLES:
        text = env.get(name, "").strip()
        if not text:
            continue
        if text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= 65_535:  # noqa: PLR2004 - the range of ports
            return int(text)
        raise MisconfiguredError(
            f"{name} is {shown(text)}, which isn't a valid port",
            hint=f"Set {name} to a whole number from 1 to 65535, or unset it.",
        )
    return None
