"""What packages contain of others' work: the dashboard's packages, Python's, and the model.

Everything is read from what was built and installed.
"""

import json
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Literal, TypeAlias, cast
from urllib.parse import quote

from boot.model import BUILT_MODEL
from boot.process import ROOT, output_of
from boot.setup import BUILT_UI, RUN_PINS, UI

NOTICES = "THIRD-PARTY-LICENSES.txt"

Ecosystem: TypeAlias = Literal["pypi", "npm", "deb", "generic", ""]
ComponentType: TypeAlias = Literal["library", "machine-learning-model"]

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?: ; ([^\\]+))?")
_VIA = re.compile(r"^ {4}# (?:via |  )([A-Za-z0-9._-]+)")
_LICENSE_FILE = re.compile(
    r"(?:^|/)(?:licen[cs]e|copying|notice|authors|thirdparty)[^/]*$", re.IGNORECASE
)
_SHORT = 60
_IN_PACKAGE = 2
_LINE = "=" * 80


@dataclass(frozen=True, slots=True)
class Component:
    """A work of others: a package of an ecosystem, or the model.

    ``license`` is an SPDX expression if ``is_spdx``, else the words of its author; empty if it
    isn't known here. ``needs`` are the names of the components that it uses; a ``direct`` one is
    used by Intaglio itself. ``condition`` is the environment marker of a package that only some
    systems need.
    """

    name: str
    version: str
    ecosystem: Ecosystem
    license: str = ""
    is_spdx: bool = False
    text: str = field(default="", repr=False)
    type: ComponentType = "library"
    sha256: str = ""
    needs: Sequence[str] = ()
    direct: bool = True
    bundled: bool = True
    condition: str = ""

    @property
    def ref(self) -> str:
        """The package URL, by which tools know it; of the model, its name."""
        if not self.ecosystem:
            return f"model:{self.name}"
        kind = "deb/debian" if self.ecosystem == "deb" else self.ecosystem
        return f"pkg:{kind}/{quote(self.name)}@{quote(self.version, safe='~')}"


def dashboard_components(folder: Path = BUILT_UI) -> list[Component]:
    """Return the packages of npm that the built dashboard contains."""
    listed = json.loads((folder / "licenses" / "packages.json").read_text(encoding="utf-8"))
    lock = json.loads((UI / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    direct = lock[""]["dependencies"]
    return [
        Component(
            name=each["name"],
            version=each["version"],
            ecosystem="npm",
            license=each["license"],
            is_spdx=bool(each["license"]),
            text=each["text"],
            needs=sorted(lock.get(f"node_modules/{each['name']}", {}).get("dependencies", {})),
            direct=each["name"] in direct,
        )
        for each in listed
    ]


def model_component(folder: Path = BUILT_MODEL) -> Component:
    """Return the embedding model, with the hash of the file that is shipped."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("NOTICE", "LICENSE")]
    return Component(
        name=manifest["name"],
        version="",
        ecosystem="",
        license="Apache-2.0",
        is_spdx=True,
        text="\n".join(texts),
        type="machine-learning-model",
        sha256=manifest["sha256"]["model.onnx"],
    )


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned package, where it is needed (an environment marker), and by which others.

    Among those others, ``intaglio`` is ourselves.
    """

    name: str
    version: str
    condition: str
    needed_by: tuple[str, ...] = ()


def pins(text: str) -> list[Pin]:
    """Read a requirements file with hashes as `python3 app lock` writes it."""
    found: list[Pin] = []
    for line in text.splitlines():
        if match := _PIN.match(line):
            found.append(Pin(_normal(match[1]), match[2], (match[3] or "").strip()))
        elif (via := _VIA.match(line)) and found:
            found[-1] = replace(found[-1], needed_by=(*found[-1].needed_by, _normal(via[1])))
    return found


def python_components(packages: Path, *, bundled: bool) -> list[Component]:
    """Return the Python packages that Intaglio needs at run time.

    A package that contains them (``bundled``) has those in a folder. Otherwise an installer
    fetches them, on each system others; the folder is where their licences are read.
    """
    pinned = pins(RUN_PINS.read_text(encoding="utf-8"))
    needs: dict[str, list[str]] = {}
    for pin in pinned:
        for name in pin.needed_by:
            needs.setdefault(name, []).append(pin.name)
    installed = {_normal(each.name): each for each in distributions(path=[str(packages)])}
    return [
        _python_component(pin, installed.get(pin.name), needs.get(pin.name, []), bundled=bundled)
        for pin in pinned
        if pin.name in installed or not bundled
    ]


def _python_component(
    pin: Pin, installed: Distribution | None, needs: Sequence[str], *, bundled: bool
) -> Component:
    expression, said = license_of(installed.metadata.json) if installed else ("", "")
    return Component(
        name=pin.name,
        version=installed.version if installed and bundled else pin.version,
        ecosystem="pypi",
        license=expression or said,
        is_spdx=bool(expression),
        text=_license_text(installed) if installed else "",
        needs=sorted(needs),
        direct="intaglio" in pin.needed_by,
        bundled=bundled,
        condition="" if bundled else pin.condition,
    )


def license_of(metadata: Mapping[str, object]) -> tuple[str, str]:
    """Return a Python package's licence: its SPDX expression, and its author's words without one.

    ``metadata`` is the JSON form of the package's core metadata.
    """
    if expression := str(metadata.get("license_expression") or ""):
        return expression, ""
    said = str(metadata.get("license") or "").strip()
    if said and len(said) <= _SHORT and "\n" not in said:
        return "", said
    classifiers = cast("Sequence[str]", metadata.get("classifier") or ())
    known = [
        each.rpartition(" :: ")[2]
        for each in classifiers
        if each.startswith("License :: ") and each != "License :: OSI Approved"
    ]
    return "", ", ".join(known)


def _license_text(installed: Distribution) -> str:
    # Some lie in the package's own folder.
    files = [
        each
        for each in installed.files or ()
        if (".dist-info/" in each.as_posix() or len(each.parts) == _IN_PACKAGE)
        and _LICENSE_FILE.search(each.as_posix())
        and each.suffix != ".py"
    ]
    texts = [
        each.read_text(encoding="utf-8", errors="replace").strip()
        for each in (Path(str(file.locate())) for file in sorted(files))
        if each.is_file()
    ]
    return "\n\n".join(texts)


def library_components(folder: Path, documents: Path = Path("/usr/share/doc")) -> list[Component]:
    """Return what a folder's own Python consists of: on Debian the packages of its libraries.

    ``documents`` is where Debian keeps the licences of packages.
    """
    found: dict[str, Component] = {}
    for file in sorted(folder.glob("lib*.so*")):
        owners = None if file.is_symlink() else output_of(["dpkg-query", "-S", f"*/{file.name}"])
        if not owners:
            continue
        package = owners.partition(": ")[0]
        version = output_of(["dpkg-query", "-W", "-f", "${Version}", package]) or ""
        name = package.partition(":")[0]
        text = (documents / name / "copyright").read_text(encoding="utf-8", errors="replace")
        found[name] = Component(name, version, "deb", text=text.strip())
    return list(found.values()) or [_python_itself()]


def _python_itself() -> Component:
    places = (sysconfig.get_path("stdlib"), sys.base_prefix)
    texts = [file for place in places if (file := Path(place, "LICENSE.txt")).is_file()]
    text = texts[0].read_text(encoding="utf-8", errors="replace").strip() if texts else ""
    version = platform.python_version()
    return Component("python", version, "generic", "PSF-2.0", is_spdx=True, text=text)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def notices(components: Iterable[Component]) -> str:
    """Return the licences of all that a package contains, one after the other."""
    parts = [
        (
            "Intaglio contains the following works of others, each under its own licence.\n"
            "Intaglio itself is licensed under the Apache License, Version 2.0."
        )
    ]
    for each in sorted(components, key=lambda one: (one.ecosystem, one.name)):
        if each.bundled:
            text = each.text or "The package contains no licence text."
            heading = f"{each.name} {each.version}".strip()
            parts.append(f"{_LINE}\n{heading}\nLicence: {each.license or 'see below'}\n\n{text}")
    return "\n\n".join(parts) + "\n"


def own_version() -> str:
    """Return Intaglio's version."""
    text = (ROOT / "app" / "intaglio" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    return found[1] if found else ""
