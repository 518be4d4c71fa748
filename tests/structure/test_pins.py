"""Dependencies are pinned, hashed, and say nothing about where they were fetched from."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from structure.source import ROOT, files, refuse

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ASKED = {
    "requirements.txt": PROJECT["project"]["dependencies"],
    "requirements-build.txt": PROJECT["dependency-groups"]["build"],
    "requirements-dev.txt": PROJECT["dependency-groups"]["dev"],
    "requirements-package.txt": PROJECT["dependency-groups"]["package"],
}
LOCKS = [path for path in files() if path.name == "package-lock.json"]


def pins(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield (package, version, all that stands behind it) for each pin of a requirements file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    pattern = r"^(\S+)==(\S+)(.*?)(?=^\S+==|\Z)"
    for found in re.finditer(pattern, text, re.MULTILINE | re.DOTALL):
        yield canonicalize_name(found[1]), found[2], found[3]


@pytest.mark.parametrize("name", ASKED)
def test_dependencies_are_pinned_within_their_range(name: str) -> None:
    pinned = {package: version for package, version, _ in pins(name)}
    wanted = [Requirement(line) for line in ASKED[name]]
    unmet = [
        str(requirement)
        for requirement in wanted
        if not requirement.specifier.contains(pinned.get(canonicalize_name(requirement.name), "0"))
    ]
    refuse(unmet)


@pytest.mark.parametrize("name", ASKED)
def test_every_pin_has_its_hashes(name: str) -> None:
    refuse([package for package, _, rest in pins(name) if "--hash=sha256:" not in rest])


def test_the_requirements_files_agree_on_every_version() -> None:
    versions: dict[str, set[str]] = {}
    for name in ASKED:
        for package, version, _ in pins(name):
            versions.setdefault(package, set()).add(version)
    refuse({package for package, found in versions.items() if len(found) > 1})


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_node_lock_pins_hashes_and_no_address(lock: Path) -> None:
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    entries = {name: entry for name, entry in packages.items() if name and not entry.get("link")}
    assert entries
    refuse([name for name, entry in entries.items() if "resolved" in entry])
    bundled = {name for name, entry in entries.items() if entry.get("inBundle")}
    assert [
        n for n, entry in entries.items() if "integrity" not in entry and n not in bundled
    ] == []
