"""What a Debian package is built for, and the texts that are generated for it."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from boot.deb import EXCLUDED, MISSING_ON, SOURCES, without_packages
from boot.deb_documents import copyright_text, debian_changelog, fill, maintainer, packed
from boot.deb_target import RELEASES, Target, debian_version, parse_target
from boot.man_page import commands_section, roff
from boot.process import StepFailed
from boot.setup import RUN_PINS
from boot.third_party import Component, pins

BOOKWORM, TRIXIE = RELEASES
HERE = {"release": "bookworm", "architecture": "amd64"}


def test_without_words_the_target_is_this_system() -> None:
    assert parse_target([], HERE) == Target(BOOKWORM, "amd64")


def test_words_name_another_release_and_architecture_in_any_order() -> None:
    assert parse_target(["arm64", "trixie"], HERE) == Target(TRIXIE, "arm64")


def test_an_unknown_word_lists_what_there_is() -> None:
    with pytest.raises(StepFailed, match=r"'sid'.*bookworm, trixie, amd64, arm64"):
        parse_target(["sid"], HERE)


def test_on_another_system_the_release_has_to_be_named() -> None:
    with pytest.raises(StepFailed, match="package deb trixie amd64"):
        parse_target([], {"release": "noble", "architecture": "amd64"})


def test_the_wheels_are_those_of_the_releases_python_and_c_library() -> None:
    target = Target(TRIXIE, "arm64")
    assert target.platform == "aarch64-manylinux_2_40"
    assert target.site_packages == Path("opt/intaglio/lib/python3.13/site-packages")
    assert (BOOKWORM.python_version, BOOKWORM.next_python) == ("3.11", "3.12")


@pytest.mark.parametrize(
    ("version", "debian"),
    [
        ("1.2.3", "1.2.3-1+deb12"),
        ("1.2.3rc1", "1.2.3~rc1-1+deb12"),
        ("1.2.3b2", "1.2.3~b2-1+deb12"),
        ("1.2.3.dev4", "1.2.3~dev4-1+deb12"),
    ],
)
def test_debian_orders_a_pre_release_before_its_release(version: str, debian: str) -> None:
    assert debian_version(version, BOOKWORM) == debian


def test_a_left_out_package_goes_with_its_hashes() -> None:
    text = "a==1 \\\n    --hash=sha256:1\n    # via intaglio\nb==2 \\\n    --hash=sha256:2\n"
    assert without_packages(text, frozenset({"a"})) == "b==2 \\\n    --hash=sha256:2\n"


def test_every_left_out_package_is_one_that_is_pinned() -> None:
    pinned = {pin.name for pin in pins(RUN_PINS.read_text(encoding="utf-8"))}
    assert EXCLUDED.union(*MISSING_ON.values()) - pinned == set()


def test_no_placeholder_is_left_in_a_maintainer_script() -> None:
    for name in ("preinst", "postinst", "prerm", "postrm"):
        script = fill((SOURCES / name).read_text(encoding="utf-8"), {"VERSION": "1-1+deb12"})
        assert "@" not in script


def test_a_text_is_compressed_to_the_same_bytes_each_time() -> None:
    assert packed("changes") == packed("changes")
    assert gzip.decompress(packed("changes")) == b"changes"


def test_the_maintainer_is_whom_debians_tools_would_name() -> None:
    assert maintainer({"DEBFULLNAME": "A. B.", "DEBEMAIL": "a@b.example"}) == "A. B. <a@b.example>"
    assert maintainer({}).startswith("Intaglio <")


def test_the_copyright_file_lists_every_package_and_its_licence() -> None:
    text = copyright_text([Component("httpx", "0.28.1", "pypi", license="BSD-3-Clause")])
    assert " httpx 0.28.1: BSD-3-Clause\n\nFiles: *\n" in text


def test_the_changelog_has_debians_form() -> None:
    text = debian_changelog("1-1+deb12", BOOKWORM, "A <a@b>", datetime(2026, 11, 5, 7, tzinfo=UTC))
    assert text.startswith("intaglio (1-1+deb12) bookworm; urgency=medium\n\n  * ")
    assert text.endswith("\n -- A <a@b>  Thu, 05 Nov 2026 07:00:00 +0000\n")


def test_a_man_page_takes_words_literally() -> None:
    assert roff(r"a\b --yes") == r"a\eb \-\-yes"
    assert roff(".dot") == r"\&.dot"


def test_the_man_page_lists_commands_but_no_hidden_ones() -> None:
    shown = click.Command("find", help="Search everything.")
    section = commands_section({"find": shown, "old": click.Command("old", hidden=True)})
    assert section == ".SH COMMANDS\n.TP\n.B find\nSearch everything."
