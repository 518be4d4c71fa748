"""The builds for Windows and macOS, as far as they can be judged without those systems."""

import plistlib
import re
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from boot import app_bundle, inno
from boot.package_kinds import KINDS
from boot.process import ROOT, StepFailed
from intaglio.cli.main import intaglio
from intaglio.desktop.autostart.launcher import Launcher, link_value
from intaglio.desktop.deep_links import SCHEME
from intaglio.desktop.webview2 import has_webview2

SCRIPT = inno.SCRIPT.read_text(encoding="utf-8")
RECIPE = (ROOT / "installers" / "ci" / "packages.yml").read_text(encoding="utf-8")


def check_command(words: list[str]) -> None:
    """Refuse a command line of Intaglio's that doesn't parse."""
    group: click.Command = intaglio
    while isinstance(group, click.Group) and words:
        name, *words = words
        command = group.get_command(click.Context(group), name)
        assert command is not None, name
        group = command
    group.make_context(group.name, words)


# --- Windows --------------------------------------------------------------------------------------


def test_the_compiler_is_found_on_the_path(tmp_path: Path) -> None:
    compiler = tmp_path / "ISCC.exe"
    compiler.touch(mode=0o755)
    assert inno.find_compiler({"PATH": str(tmp_path)}) == compiler


@pytest.mark.parametrize(
    ("root", "folder"),
    [("ProgramFiles(x86)", "Inno Setup 6"), ("LOCALAPPDATA", "Programs/Inno Setup 6")],
)
def test_the_compiler_is_found_where_it_installs_itself(
    tmp_path: Path, root: str, folder: str
) -> None:
    compiler = tmp_path / folder / "ISCC.exe"
    compiler.parent.mkdir(parents=True)
    compiler.touch()
    assert inno.find_compiler({"PATH": "", root: str(tmp_path)}) == compiler


def test_without_the_compiler_the_build_says_how_to_get_it() -> None:
    with pytest.raises(StepFailed, match="winget install"):
        inno.find_compiler({"PATH": ""})


def test_a_machine_without_wheels_has_no_installer() -> None:
    assert inno.architecture_of("AMD64") == "x64"
    with pytest.raises(StepFailed, match="no installer for x86"):
        inno.architecture_of("x86")


def test_the_script_is_given_each_value_that_it_uses() -> None:
    line = inno.compiler_command(Path("iscc"), "1.2.3", "x64", Path("folder"), Path("a.ico"))
    given = {found[1] for each in line if (found := re.match(r"/D(\w+)=", str(each)))}
    used = set(re.findall(r"\{#(\w+)\}", SCRIPT))
    assert used - given == {"Allowed", "AppCode", "SignTool"}
    assert "/Fintaglio-1.2.3-windows-x64-setup" in line


@pytest.mark.parametrize(
    ("version", "numbers"), [("1.2.3", "(1, 2, 3, 0)"), ("0.2.0rc1", "(0, 2, 0, 0)")]
)
def test_the_programs_say_their_version(version: str, numbers: str) -> None:
    text = inno.version_info(version)
    compile(text, "version.txt", "eval")
    assert f"filevers={numbers}" in text
    assert f"StringStruct('ProductVersion', '{version}')" in text


def test_an_installer_is_signed_by_the_users_command_only() -> None:
    assert inno.signing({}) == []
    assert inno.signing({"INTAGLIO_SIGN_TOOL": "sign $f"}) == [
        "/Sintaglio=sign $f",
        "/DSignTool=intaglio",
    ]


def test_the_installer_runs_commands_that_exist() -> None:
    run = re.findall(r'intagliow?\.exe"; Parameters: "([^"]+)"', SCRIPT)
    run += re.findall(r"intaglio\.exe'\), '([^']+)'", SCRIPT)
    assert {"autostart on", "tray --quit", "daemon stop", "uninstall --yes --keep-data"} < set(run)
    for each in run:
        check_command(each.split())


def test_the_installer_and_the_switch_register_links_alike() -> None:
    written = re.search(r'shell\\open\\command";.*ValueData: "(.*)"$', SCRIPT, re.MULTILINE)
    assert written is not None
    line = written[1].replace('""', '"').replace("{app}", r"C:\Intaglio")
    # Without a blank in it, Windows' own rules quote no path.
    assert line.replace(r'"C:\Intaglio\intagliow.exe"', r"C:\Intaglio\intagliow.exe") == link_value(
        Launcher([r"C:\Intaglio\intaglio.exe"])
    )


def test_the_installer_looks_for_webview2_where_the_app_does() -> None:
    asked: list[str] = []
    has_webview2(lambda _hive, key, _name: asked.append(key))
    (key,) = re.findall(r"WebView2Key = '([^']+)'", SCRIPT)
    assert all(each.endswith(key) for each in asked)


def test_a_newer_installation_is_found_by_its_code() -> None:
    code = r"B6A0B9C4-3D2F-4C59-9A52-6E3D4D1B7A10"
    # A doubled brace stands for one in the settings; in the program it doesn't.
    script = SCRIPT.replace("{#AppCode}", code)
    assert f"AppId={{{{{code}}}" in script
    assert rf"CurrentVersion\Uninstall\{{{code}}}_is1'" in script


def test_start_at_login_is_not_ticked_in_the_installer() -> None:
    (task,) = re.findall(r'^Name: "login".*$', SCRIPT, re.MULTILINE)
    assert task.endswith("Flags: unchecked")


# --- macOS ----------------------------------------------------------------------------------------


def test_the_bundle_opens_our_links_and_stays_out_of_the_dock() -> None:
    info: dict[str, Any] = plistlib.loads(plistlib.dumps(app_bundle.info("1.2.3")))
    assert info["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == [SCHEME]
    assert info["LSUIElement"] is True
    assert info["CFBundleShortVersionString"] == "1.2.3"


def test_the_entitlements_allow_libraries_of_others() -> None:
    allowed = plistlib.loads(app_bundle.ENTITLEMENTS.read_bytes())
    assert allowed["com.apple.security.cs.disable-library-validation"] is True


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "Intaglio.app"
    program = folder / "Contents" / "MacOS" / "intaglio"
    library = folder / "Contents" / "Frameworks" / "a.dylib"
    for file, content in ((program, "cffaedfe00"), (library, "cafebabe00")):
        file.parent.mkdir(parents=True)
        file.write_bytes(bytes.fromhex(content))
    (folder / "Contents" / "Frameworks" / "b.dylib").symlink_to(library)
    (folder / "Contents" / "Info.plist").write_bytes(b"<?xml")
    return folder


def test_a_bundle_is_signed_from_the_inside_out(bundle: Path) -> None:
    *signed, check = app_bundle.sign_commands(bundle, "Developer ID")
    names = [Path(each[-1]).name for each in signed]
    assert names == ["a.dylib", "intaglio", "Intaglio.app"]
    assert all("--timestamp" in each and "runtime" in each for each in signed)
    assert check[:2] == ("codesign", "--verify")


def test_a_signature_of_ones_own_has_no_time(bundle: Path) -> None:
    first, *_ = app_bundle.sign_commands(bundle, "-")
    assert "--timestamp" not in first


def test_only_a_signed_image_is_notarised() -> None:
    image, profile = Path("a.dmg"), {"INTAGLIO_NOTARY_PROFILE": "us"}
    assert app_bundle.notary_commands(image, {}) == []
    assert app_bundle.notary_commands(image, profile) == []
    steps = app_bundle.notary_commands(image, {**profile, "INTAGLIO_SIGN_IDENTITY": "us"})
    assert [each[2] for each in steps] == ["submit", "staple"]


# --- the recipe for CI ----------------------------------------------------------------------------


def test_the_recipe_builds_every_kind() -> None:
    jobs = yaml.safe_load(RECIPE)["jobs"]
    assert set(jobs["checksums"]["needs"]) == set(jobs) - {"checksums"}
    built = set(re.findall(r"python3? app package ([a-z-]+)", RECIPE))
    assert built == {kind.name for kind in KINDS}


def test_the_recipe_runs_commands_that_exist() -> None:
    lines = re.findall(r"(?:intaglio\.exe\"|MacOS/intaglio) ([a-z].*)$", RECIPE, re.MULTILINE)
    assert len(lines) >= 4
    for each in lines:
        check_command(each.split())
