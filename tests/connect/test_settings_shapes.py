"""Settings of many shapes: connecting leaves what it can't merge, disconnecting restores the rest.

The shapes apply to every file of the user that a connector changes: the settings, further files,
and the list of MCP servers.
"""

import json
import stat
import sys
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import pytest

from fakes.connect_home import Home, make_home
from fakes.harness_folder import on_the_path
from harness.test_contract import CONNECTORS
from intaglio.connect.values import ConnectionApplied, ConnectionPlan, ConnectionRefused
from intaglio.harness import registry

_MODE: Final = 0o640
_OTHERS_HOOKS: Final = "/opt/other/hooks"

# Makes a file's content from what connecting writes when there is no file.
Content = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a file has before connecting, as JSON and as TOML; None: the format has no such thing.

    ``merges``: whether connecting has to change it; the other way round for those in ``unlike``.
    """

    json: Content | None
    toml: Content | None
    merges: bool = True
    unlike: tuple[str, ...] = ()

    def merges_for(self, harness: str) -> bool:
        """Whether connecting a harness has to change the file."""
        return self.merges is not (harness in self.unlike)


def _text(text: str) -> Content:
    return lambda _: text


def _foreign(connected: str) -> dict[str, Any]:
    """Return hooks of somebody else for the events that ours are for, in the same form."""
    tree: dict[str, Any] = json.loads(connected.replace('"intaglio"', '"other"'))
    return tree


def _reordered(value: object) -> object:
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, object]", value)
    return {key: _reordered(members[key]) for key in reversed(list(members))}


def _twice(connected: str) -> str:
    """Return each member that connecting adds, twice."""
    members = [f"{json.dumps(key)}: {{}}" for key in json.loads(connected)]
    return "{" + ", ".join([*members, *members]) + "}"


def _nested(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


_PLAIN_JSON: Final = '{\n  "model": "opus",\n  "list": [1, 2]\n}\n'
_PLAIN_TOML: Final = 'model = "opus"\n\n[table]\nlist = [1, 2]\n'
# Their settings may have comments.
_JSON5: Final = ("openclaw",)
# Another plugin keeps a place that only one can have.
_ONE_PLACE: Final = ("openclaw",)
_SHAPES: Final[Mapping[str, Shape]] = {
    "empty": Shape(_text(""), _text("")),
    "an empty object": Shape(_text("{}"), None),
    "no line break at the end": Shape(_text(_PLAIN_JSON[:-1]), _text(_PLAIN_TOML[:-1])),
    "tabs": Shape(
        _text('{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n'),
        _text("[table]\n\tlist\t=\t[\n\t\t1,\n\t]\n"),
    ),
    "CRLF": Shape(
        _text(_PLAIN_JSON.replace("\n", "\r\n")), _text(_PLAIN_TOML.replace("\n", "\r\n"))
    ),
    "a byte order mark": Shape(_text("\ufeff" + _PLAIN_JSON), _text("\ufeff" + _PLAIN_TOML)),
    "comments": Shape(
        _text('{\n  // mine\n  "model": "opus", /* also */\n}\n'),
        _text('# mine\nmodel = "opus" # also\n# the end'),
        merges=False,
        unlike=_JSON5,
    ),
    "one compact line": Shape(
        _text('{"model":"opus","env":{"A":"1"}}'), _text("a={b={c=1},d=[1,2]}")
    ),
    "deep nesting": Shape(_text(_nested(40)), _text("a" + ".a" * 40 + " = 1\n")),
    "other scripts and escapes": Shape(
        _text('{\n  "ключ\\u0022}": "值 \\\\ {[,😀"\n}\n'), _text('"ключ]" = "值 \\\\ [😀"\n')
    ),
    "somebody else's hooks for the same events": Shape(
        lambda connected: json.dumps(_foreign(connected), indent=4), None, unlike=_ONE_PLACE
    ),
    "somebody else's hooks in another order": Shape(
        lambda connected: json.dumps(_reordered(_foreign(connected))), None, unlike=_ONE_PLACE
    ),
    "a key twice": Shape(_twice, _text("a = 1\na = 2\n"), merges=False),
    "broken": Shape(_text('{"model": "opus"'), _text("model = \n"), merges=False),
}
_PLACES: Final = ("a link", "a chain of links", "read-only", "a hard link")


@dataclass(frozen=True, slots=True)
class User:
    """A home, and the user's files that connecting changes: what it writes where nothing is."""

    home: Home
    written: Mapping[Path, str]

    def shape(self, shape: Shape) -> list[Path]:
        """Write the files that can have the shape; returns them."""
        forms = {".json": shape.json, ".jsonc": shape.json, ".toml": shape.toml}
        made = list[Path]()
        for file, connected in self.written.items():
            content = forms.get(file.suffix)
            if content is None:
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content(connected).encode())
            file.chmod(_MODE)
            made.append(file)
        return made


@pytest.fixture(autouse=True)
def _all_found() -> Generator[None]:
    with on_the_path():
        yield


@pytest.fixture(params=CONNECTORS)
def user(request: pytest.FixtureRequest, tmp_path: Path) -> User:
    home = make_home(tmp_path, registry.connectors()[request.param])
    home.settings.parent.mkdir(parents=True)
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    merged = dict.fromkeys(edit.target for edit in plan.edits if _is_merged(home, edit.target))
    home.connect()
    written = {
        file: file.read_text(encoding="utf-8").replace(str(home.paths.hooks), _OTHERS_HOOKS)
        for file in merged
    }
    home.disconnect()
    return User(home, written)


def _is_merged(home: Home, file: Path) -> bool:
    """Whether connecting adds to a file, rather than writing all of it."""
    there = file.parent.exists()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    merged = isinstance(home.plan(), ConnectionPlan)
    file.unlink()
    if not there:
        file.parent.rmdir()
    return merged


def looks(files: list[Path]) -> dict[Path, tuple[bytes, int, list[str]]]:
    """Return each file's bytes, its mode, and where the links on the way to it lead."""
    return {
        file: (file.read_bytes(), stat.S_IMODE(file.stat().st_mode), _links(file)) for file in files
    }


def _links(file: Path) -> list[str]:
    found = list[str]()
    while file.is_symlink():
        found.append(str(file.readlink()))
        file = file.parent / found[-1]
    return found


@pytest.mark.parametrize("name", _SHAPES)
def test_disconnecting_leaves_settings_of_any_shape_as_they_were(user: User, name: str) -> None:
    shape = _SHAPES[name]
    files = user.shape(shape)
    before = looks(files)
    done = user.home.connect()
    merges = shape.merges_for(user.home.connector.name)
    changed = [file for file in files if file.read_bytes() != before[file][0]]
    assert changed == (files if merges else [])
    # A list of MCP servers that can't be changed stops no hooks in other files.
    is_refused = isinstance(done, ConnectionRefused)
    assert is_refused is (user.home.settings in files and not merges)
    if is_refused:
        assert looks(files) == before
        return
    assert user.home.state() == "connected"
    assert isinstance(user.home.disconnect(), ConnectionApplied)
    assert looks(files) == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and modes")
@pytest.mark.parametrize("place", _PLACES)
def test_disconnecting_leaves_links_and_modes_as_they_were(user: User, place: str) -> None:
    files = user.shape(Shape(_text(_PLAIN_JSON), _text(_PLAIN_TOML)))
    for number, file in enumerate(files):
        _put(file, place, user.home.folder / f"dotfile {number}")
    before = looks(files)
    user.home.connect()
    changed = [file for file in files if file.read_bytes() != before[file][0]]
    assert changed == (files if "link" in place and "hard" not in place else [])
    user.home.disconnect()
    assert looks(files) == before


def _put(file: Path, place: str, elsewhere: Path) -> None:
    match place:
        case "read-only":
            file.chmod(0o440)
        case "a hard link":
            elsewhere.hardlink_to(file)
        case _:
            file.rename(elsewhere)
            if place == "a chain of links":
                middle = elsewhere.with_suffix(".link")
                middle.symlink_to(elsewhere.name)
                elsewhere = middle
            file.symlink_to(elsewhere)
