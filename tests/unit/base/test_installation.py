"""The identity of an installation: made once, however many come first."""

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S
from intaglio.base.installation import Installation, load_installation, read_installation, save_port
from intaglio.base.paths import Paths, find_paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return find_paths({"INTAGLIO_STATE_DIR": str(tmp_path / "state"), "HOME": str(tmp_path)})


def test_a_late_creator_gets_the_existing_identity(paths: Paths) -> None:
    made: list[Installation] = []

    def late(size: int) -> bytes:
        # The other one comes and goes while this one is still throwing its dice.
        if not made:
            made.append(load_installation(paths, os.urandom))
        return os.urandom(size)

    assert load_installation(paths, late) == made[0] == read_installation(paths)


def test_concurrent_starts_share_one_identity(paths: Paths) -> None:
    together = threading.Barrier(2)

    def begin(_: int) -> Installation:
        waited = False

        def entropy(size: int) -> bytes:
            nonlocal waited
            if not waited:
                waited = True
                together.wait(PATIENCE_S)
            return os.urandom(size)

        return load_installation(paths, entropy)

    with ThreadPoolExecutor(2) as pool:
        assert len(set(pool.map(begin, range(2)))) == 1


def test_the_identity_file_is_private_and_leaves_no_temporary_file(paths: Paths) -> None:
    load_installation(paths, os.urandom)
    assert stat.S_IMODE(paths.identity.stat().st_mode) == 0o600
    assert os.listdir(paths.state) == [paths.identity.name]  # noqa: PTH208 - names alone


def test_an_identity_is_created_without_hard_links(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> None:
        del self, target
        raise PermissionError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    made = load_installation(paths, os.urandom)
    assert read_installation(paths) == made


def test_the_kept_port_leaves_the_identity_as_it_is(paths: Paths) -> None:
    made = load_installation(paths, os.urandom)
    kept = save_port(paths, made, 4000)
    assert (kept.install_id, kept.token, kept.port) == (made.install_id, made.token, 4000)
    assert read_installation(paths) == kept
