"""Builds the installer for Windows from the folder build, with Inno Setup."""

import os
import platform
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from boot.dist import DIST, clear
from boot.folder import collect_folder
from boot.process import PYTHON, ROOT, WORK, Command, StepFailed, run, step
from boot.wheel import build_archives

SCRIPT = ROOT / "installers" / "windows" / "intaglio.iss"

_COMPILER = "ISCC.exe"
_FOLDERS = ("ProgramFiles(x86)", "ProgramFiles", "LOCALAPPDATA")
# By what Python calls a machine.
_ARCHITECTURES = {"amd64": "x64", "arm64": "arm64"}
_SIGN_TOOL = "INTAGLIO_SIGN_TOOL"


def build_inno(_: Sequence[str]) -> Sequence[Path]:
    """Build the installer into dist/; returns it. Raises StepFailed without Inno Setup."""
    compiler = find_compiler(os.environ)
    architecture = architecture_of(platform.machine())
    wheel, _source = build_archives()
    version = wheel.name.split("-")[1]
    icon, properties = WORK / "windows" / "intaglio.ico", WORK / "windows" / "version.txt"
    run([PYTHON, "-m", "boot.icons", icon])
    properties.write_text(version_info(version), encoding="utf-8")
    variables = {"INTAGLIO_BUILD_ICON": str(icon), "INTAGLIO_BUILD_VERSION": str(properties)}
    folder = collect_folder(wheel, "inno", variables)
    with step("Build the installer"):
        clear("intaglio-*-setup.exe")
        command = compiler_command(compiler, version, architecture, folder, icon)
        run([*command, *signing(os.environ)])
    return [DIST / f"{_name(version, architecture)}.exe"]


def find_compiler(env: Mapping[str, str]) -> Path:
    """Return Inno Setup's compiler, on PATH or where its own installer puts it."""
    found = shutil.which(_COMPILER, path=env.get("PATH", ""))
    if found:
        return Path(found)
    roots = [Path(env[name]) for name in _FOLDERS if env.get(name)]
    places = [
        each / "Inno Setup 6" / _COMPILER for root in roots for each in (root, root / "Programs")
    ]
    for each in places:
        if each.is_file():
            return each
    raise StepFailed("Inno Setup 6 isn't installed: `winget install JRSoftware.InnoSetup`")


def architecture_of(machine: str) -> str:
    """Return Inno Setup's name for a machine; raises StepFailed for one without wheels."""
    known = _ARCHITECTURES.get(machine.lower())
    if known is None:
        raise StepFailed(f"There is no installer for {machine}: the Python packages have none.")
    return known


def version_info(version: str) -> str:
    """Return the properties of the programs' files, in the format of PyInstaller."""
    four = _four_numbers(version)
    strings = {
        "CompanyName": "Intaglio",
        "FileDescription": "Intaglio",
        "FileVersion": version,
        "ProductName": "Intaglio",
        "ProductVersion": version,
        "LegalCopyright": "Licensed under the Apache License, Version 2.0",
    }
    entries = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in strings.items())
    return (
        "VSVersionInfo(\n"
        f"  ffi=FixedFileInfo(filevers={four}, prodvers={four}, OS=0x40004, fileType=0x1),\n"
        f"  kids=[StringFileInfo([StringTable('040904B0', [{entries}])]),\n"
        "    VarFileInfo([VarStruct('Translation', [1033, 1200])])])\n"
    )


def _four_numbers(version: str) -> tuple[int, ...]:
    """Return a version as Windows wants it, without what follows the third number."""
    numbers = [int(part) for part in re.findall(r"\d+", version)[:3]]
    return (*numbers, *(0,) * (4 - len(numbers)))


def _name(version: str, architecture: str) -> str:
    return f"intaglio-{version}-windows-{architecture}-setup"


def compiler_command(
    compiler: Path, version: str, architecture: str, folder: Path, icon: Path
) -> Command:
    """Return the command line that compiles the script."""
    values = {
        "Version": version,
        "Numbers": ".".join(map(str, _four_numbers(version))),
        "Architecture": architecture,
        "Source": folder,
        "Icon": icon,
        "License": ROOT / "LICENSE",
    }
    defined = [f"/D{name}={value}" for name, value in values.items()]
    return [compiler, "/Q", *defined, f"/O{DIST}", f"/F{_name(version, architecture)}", SCRIPT]


def signing(env: Mapping[str, str]) -> Command:
    """Return the compiler's options for a signature.

    The variable INTAGLIO_SIGN_TOOL is the command line that signs a file, with ``$f`` in place of
    its name; without it, the installer isn't signed.
    """
    tool = env.get(_SIGN_TOOL, "")
    return [f"/Sintaglio={tool}", "/DSignTool=intaglio"] if tool else []
