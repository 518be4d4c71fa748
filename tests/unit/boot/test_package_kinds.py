"""``python3 app package``: which kinds there are, and what is said of one that can't be built."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from boot.dist import clear, source_date, write_checksums
from boot.package_kinds import KINDS, PackageKind, choose, usage
from boot.process import StepFailed


def _build(_: Sequence[str]) -> Sequence[Path]:
    return []


ANYWHERE = PackageKind("wheel", "a wheel", _build)
DEBIAN = PackageKind("deb", "a Debian package", _build, frozenset({"linux"}))


def test_a_kind_is_chosen_by_its_name() -> None:
    assert choose("deb", (ANYWHERE, DEBIAN), "linux") == [DEBIAN]


def test_all_leaves_out_what_this_system_cannot_build() -> None:
    assert choose("all", (ANYWHERE, DEBIAN), "darwin") == [ANYWHERE]


def test_a_kind_of_another_system_says_where_it_can_be_built() -> None:
    with pytest.raises(StepFailed, match="on linux only, not on win32"):
        choose("deb", (ANYWHERE, DEBIAN), "win32")


def test_an_unknown_kind_lists_those_that_exist() -> None:
    with pytest.raises(StepFailed, match=r"'rpm'(.|\n)*wheel +a wheel(.|\n)*deb"):
        choose("rpm", (ANYWHERE, DEBIAN), "linux")


def test_the_usage_marks_kinds_of_other_systems() -> None:
    assert "a Debian package (not on win32)" in usage((ANYWHERE, DEBIAN), "win32")


def test_every_kind_has_a_name_of_its_own() -> None:
    names = [kind.name for kind in KINDS]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z-]+", name) and name != "all" for name in names)


def test_checksums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    (tmp_path / "b.whl").write_bytes(b"wheel")
    (tmp_path / "a.deb").write_bytes(b"deb")
    listed = write_checksums(tmp_path)
    subprocess.run(["sha256sum", "--check", listed], cwd=tmp_path, check=True, capture_output=True)
    names = [line.split("  ")[1] for line in listed.read_text().splitlines()]
    assert names == ["a.deb", "b.whl"]


def test_checksums_written_again_leave_out_their_own_file(tmp_path: Path) -> None:
    (tmp_path / "a.deb").write_bytes(b"deb")
    before = write_checksums(tmp_path).read_text()
    assert write_checksums(tmp_path).read_text() == before


def test_earlier_packages_of_the_kind_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    clear("*.deb", folder)
    for name in ("a.deb", "a.whl"):
        (folder / name).touch()
    clear("*.deb", folder)
    assert [file.name for file in folder.iterdir()] == ["a.whl"]


@pytest.mark.parametrize(
    ("told", "date"), [("1700000000", 1700000000), ("0", 315532800), ("soon", 315532800)]
)
def test_the_date_of_the_source_can_be_set(
    monkeypatch: pytest.MonkeyPatch, told: str, date: int
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", told)
    assert source_date() == date
