"""Builds the application bundle of macOS and its disk image from the folder build.

Signs and notarises if the environment names an identity and a profile of the keychain.
"""

import os
import platform
import plistlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from boot.dist import DIST, clear
from boot.folder import BUNDLE, collect_folder
from boot.process import PYTHON, ROOT, WORK, Command, run, step
from boot.wheel import NOTICES_FOLDER, build_archives

ENTITLEMENTS = ROOT / "installers" / "macos" / "entitlements.plist"
IDENTIFIER = "io.intaglio.app"

_MIN_SYSTEM = "13.0"
_IDENTITY = "INTAGLIO_SIGN_IDENTITY"
_PROFILE = "INTAGLIO_NOTARY_PROFILE"
_AD_HOC = "-"
NOTE = "installed-by.txt"
_MACH_O = frozenset({"cafebabe", "cefaedfe", "cffaedfe", "feedface", "feedfacf"})


def build_app_bundle(_: Sequence[str]) -> Sequence[Path]:
    """Build the disk image into dist/; returns it."""
    wheel, _source = build_archives()
    version = wheel.name.split("-")[1]
    icon, properties = WORK / "macos" / "intaglio.icns", WORK / "macos" / "Info.plist"
    run([PYTHON, "-m", "boot.icons", icon])
    properties.write_bytes(plistlib.dumps(info(version)))
    variables = {"INTAGLIO_BUILD_ICON": str(icon), "INTAGLIO_BUILD_INFO": str(properties)}
    folder = collect_folder(wheel, "app-bundle", variables)
    _copy_notes(folder)
    identity = os.environ.get(_IDENTITY, _AD_HOC)
    with step("Sign the application" if identity != _AD_HOC else "Sign the application ad hoc"):
        for command in sign_commands(BUNDLE, identity):
            run(command)
    image = DIST / f"intaglio-{version}-macos-{platform.machine()}.dmg"
    with step("Make the disk image"):
        clear("intaglio-*.dmg")
        content = _content()
        run(["hdiutil", "create", *image_options(content, image)])
        if identity != _AD_HOC:
            run(["codesign", "--sign", identity, "--timestamp", image])
    for command in notary_commands(image, os.environ):
        with step(f"{command[1]} {command[2]}"):
            run(command)
    return [image]


def info(version: str) -> dict[str, object]:
    """Return the bundle's properties (Info.plist).

    It stays out of the Dock, where a tray app has no place, and opens ``intaglio://`` links.
    """
    return {
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleName": "Intaglio",
        "CFBundleDisplayName": "Intaglio",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "CFBundlePackageType": "APPL",
        "CFBundleURLTypes": [
            {
                "CFBundleURLName": IDENTIFIER,
                "CFBundleTypeRole": "Viewer",
                "CFBundleURLSchemes": ["intaglio"],
            }
        ],
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": _MIN_SYSTEM,
        "LSUIElement": True,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "Licensed under the Apache License, Version 2.0",
        # The dashboard comes from this machine, without TLS.
        "NSAppTransportSecurity": {"NSAllowsLocalNetworking": True},
    }


def _copy_notes(folder: Path) -> None:
    """Copy into the bundle what is written into the folder after it was collected."""
    built = Path("intaglio", "_built")
    source, target = folder / "_internal" / built, BUNDLE / "Contents" / "Resources" / built
    shutil.copyfile(source / NOTE, target / NOTE)
    shutil.copytree(source / NOTICES_FOLDER.name, target / NOTICES_FOLDER.name, dirs_exist_ok=True)


def _content() -> Path:
    """Return the folder that the disk image shows: the bundle, and where to drag it."""
    content = WORK / "macos" / "image"
    shutil.rmtree(content, ignore_errors=True)
    content.mkdir(parents=True)
    # Links inside the bundle are part of its signature.
    shutil.copytree(BUNDLE, content / BUNDLE.name, symlinks=True)
    (content / "Applications").symlink_to("/Applications")
    return content


def image_options(content: Path, image: Path) -> Command:
    """Return ``hdiutil create``'s options for a compressed, read-only image."""
    names = ("-volname", "Intaglio", "-srcfolder", content)
    return [*names, "-fs", "APFS", "-format", "ULFO", "-ov", image]


def is_code(file: Path) -> bool:
    """Return whether a file is a program or a library (Mach-O), which needs a signature."""
    if file.is_symlink() or not file.is_file():
        return False
    with file.open("rb") as stream:
        return stream.read(4).hex() in _MACH_O


def sign_commands(bundle: Path, identity: str) -> list[Command]:
    """Return the commands that sign a bundle: what is inside first, the bundle last.

    The hardened runtime is a condition of notarising; a signature of one's own (``-``) has no time.
    """
    inside = sorted(each for each in bundle.rglob("*") if is_code(each))
    time = () if identity == _AD_HOC else ("--timestamp",)
    options = ("--force", "--sign", identity, *time, "--options", "runtime")
    sign: tuple[str | Path, ...] = ("codesign", *options, "--entitlements", ENTITLEMENTS)
    verify = ("codesign", "--verify", "--strict", "--deep", bundle)
    return [*([*sign, each] for each in (*inside, bundle)), verify]


def notary_commands(image: Path, env: Mapping[str, str]) -> list[Command]:
    """Return the commands that have Apple check a signed image; none without a profile.

    ``xcrun notarytool store-credentials`` writes a profile into the keychain.
    """
    profile = env.get(_PROFILE, "")
    if not (profile and env.get(_IDENTITY)):
        return []
    return [
        ["xcrun", "notarytool", "submit", image, "--keychain-profile", profile, "--wait"],
        ["xcrun", "stapler", "staple", image],
    ]
