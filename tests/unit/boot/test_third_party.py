"""What a package says of the works of others in it: which they are, and their licences."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from boot.sbom import bill_of_materials
from boot.setup import RUN_PINS
from boot.third_party import (
    Component,
    Pin,
    dashboard_components,
    library_components,
    license_of,
    model_component,
    notices,
    pins,
    python_components,
)

SVELTE = Component("svelte", "5.0.0", "npm", "MIT", is_spdx=True, text="Permission …")
HTTPX = Component("httpx", "1.0", "pypi", "BSD License", needs=["h11"], bundled=False)
H11 = Component("h11", "0.9", "pypi", direct=False, bundled=False, condition="os_name == 'nt'")
REQUIREMENTS = """\
h11==0.9 ; sys_platform == 'win32' \\
    --hash=sha256:00
    # via
    #   httpx
    #   intaglio (pyproject.toml)
Http_X==1.0 \\
    --hash=sha256:00
    # via intaglio (pyproject.toml)
"""


def write_package(folder: Path, name: str, metadata: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{metadata}")
    (info / "LICENSE").write_text(f"The licence of {name}\n")
    (info / "RECORD").write_text(f"{info.name}/LICENSE,,\n{info.name}/METADATA,,\n")


def test_pins_say_where_a_package_is_needed_and_by_whom() -> None:
    assert pins(REQUIREMENTS) == [
        Pin("h11", "0.9", "sys_platform == 'win32'", ("httpx", "intaglio")),
        Pin("http-x", "1.0", "", ("intaglio",)),
    ]


def test_every_pin_is_needed_by_something() -> None:
    found = pins(RUN_PINS.read_text())
    assert len(found) > 20
    assert [pin for pin in found if not pin.needed_by] == []


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ({"license_expression": "MIT OR Apache-2.0", "license": "x"}, ("MIT OR Apache-2.0", "")),
        ({"license": "BSD"}, ("", "BSD")),
        (
            {"license": "A long\ntext", "classifier": ["License :: OSI Approved :: ISC"]},
            ("", "ISC"),
        ),
        ({"classifier": ["License :: OSI Approved", "Topic :: X"]}, ("", "")),
    ],
)
def test_a_licence_is_read_from_what_a_package_says(
    metadata: dict[str, object], words: tuple[str, str]
) -> None:
    assert license_of(metadata) == words


def test_a_package_that_contains_python_packages_lists_those_in_it(tmp_path: Path) -> None:
    write_package(tmp_path, "click", "License-Expression: BSD-3-Clause\n")
    write_package(tmp_path, "unrelated", "")
    [found] = python_components(tmp_path, bundled=True)
    assert (found.name, found.version, found.license) == ("click", "1.0", "BSD-3-Clause")
    assert found.text == "The licence of click"


def test_a_licence_in_the_folder_of_a_package_is_found(tmp_path: Path) -> None:
    write_package(tmp_path, "click", "")
    (tmp_path / "click").mkdir()
    for name in ("ThirdPartyNotices.txt", "license_check.py"):
        (tmp_path / "click" / name).write_text(name)
    with (tmp_path / "click-1.0.dist-info" / "RECORD").open("a") as record:
        record.write("click/ThirdPartyNotices.txt,,\nclick/license_check.py,,\n")
    [found] = python_components(tmp_path, bundled=True)
    assert found.text == "ThirdPartyNotices.txt\n\nThe licence of click"


def test_a_wheel_lists_what_any_system_needs(tmp_path: Path) -> None:
    found = {each.name: each for each in python_components(tmp_path, bundled=False)}
    assert set(found) == {pin.name for pin in pins(RUN_PINS.read_text())}
    assert found["uvloop"].condition == "sys_platform != 'win32'"


def test_the_dashboard_lists_the_packages_in_its_bundle() -> None:
    found = {each.name: each for each in dashboard_components()}
    assert {"svelte", "three", "@fontsource-variable/ibm-plex-sans"} <= set(found)
    assert "vite" not in found
    assert all(each.text and each.is_spdx for each in found.values())
    assert found["svelte"].ref == f"pkg:npm/svelte@{found['svelte'].version}"


def test_the_model_is_listed_with_its_hash() -> None:
    model = model_component()
    assert len(model.sha256) == 64
    assert "Apache License" in model.text


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="not a Debian system")
def test_a_package_with_its_own_python_lists_the_libraries_of_it(tmp_path: Path) -> None:
    (tmp_path / "libc.so.6").touch()
    (tmp_path / "libc-1.so").symlink_to("libc.so.6")
    [found] = library_components(tmp_path)
    assert found.ref.startswith("pkg:deb/debian/libc6@")
    assert "copyright" in found.text.lower()


def test_where_nobody_knows_the_libraries_python_itself_is_listed(tmp_path: Path) -> None:
    [found] = library_components(tmp_path)
    assert (found.name, found.license) == ("python", "PSF-2.0")


def test_the_notices_leave_out_what_is_not_in_the_package() -> None:
    text = notices([SVELTE, HTTPX])
    assert "svelte 5.0.0\nLicence: MIT\n\nPermission …" in text
    assert "httpx" not in text


def test_a_bill_of_materials_says_who_needs_what() -> None:
    document = bill_of_materials([SVELTE, HTTPX, H11], "1.2.3", 0)
    assert document["dependencies"] == [
        {"ref": "pkg:npm/svelte@5.0.0", "dependsOn": []},
        {"ref": "pkg:pypi/h11@0.9", "dependsOn": []},
        {"ref": "pkg:pypi/httpx@1.0", "dependsOn": ["pkg:pypi/h11@0.9"]},
        {
            "ref": "pkg:pypi/intaglio@1.2.3",
            "dependsOn": ["pkg:npm/svelte@5.0.0", "pkg:pypi/httpx@1.0"],
        },
    ]


def test_a_bill_of_materials_tells_expressions_from_other_words() -> None:
    text = json.dumps(bill_of_materials([SVELTE, HTTPX, H11], "1", 0)["components"])
    assert '"licenses": [{"expression": "MIT"}]' in text
    assert '"licenses": [{"license": {"name": "BSD License"}}]' in text
    assert '{"name": "intaglio:condition", "value": "os_name == \'nt\'"}' in text


def test_equal_contents_have_the_same_serial_number() -> None:
    one = bill_of_materials([SVELTE, HTTPX], "1", 0)
    assert bill_of_materials([HTTPX, SVELTE], "1", 0) == one
    other = bill_of_materials([replace(SVELTE, version="6"), HTTPX], "1", 0)
    assert other["serialNumber"] != one["serialNumber"]
