"""The order of a run: equal stretches for the workers, what takes longest at their beginning."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pytest

from fakes.test_order import RECIPES, SECONDS, spread

# The modules of each folder, and how many tests each has.
SIZES = {
    "browser": (42, 37, 28, 27, 25, 9, 2),
    "desktop": (39, 37, 23, 1),
    "clients": (12,),
    "structure": (40, 20),
    "api": (200, 150),
    "unit/memory": (90, 30, 8),
}


@dataclass(frozen=True)
class Test:
    """What the order looks at."""

    __test__ = False
    nodeid: str

    @property
    def module(self) -> str:
        return self.nodeid.partition("::")[0]

    @property
    def folder(self) -> str:
        return self.nodeid.split("/")[1]


def shuffled(*folders: str) -> list[Test]:
    modules = [
        [Test(f"tests/{folder}/test_{at}.py::test_{number}") for number in range(size)]
        for folder in folders
        for at, size in enumerate(SIZES[folder])
    ]
    # The same each time: what fails can be looked at.
    Random(1).shuffle(modules)  # noqa: S311 - no secret
    return [test for module in modules for test in module]


def stretches(tests: list[Test], count: int) -> list[list[Test]]:
    """Cut a list as xdist does for its workers."""
    cut: list[list[Test]] = []
    for left in range(count, 0, -1):
        size = len(tests) // left
        cut.append(tests[:size])
        tests = tests[size:]
    return cut


@pytest.mark.parametrize("count", [1, 2, 3, 8, 60])
@pytest.mark.parametrize("folders", [tuple(SIZES), ("browser",), ("api",), ()])
def test_no_test_is_lost_or_doubled(folders: tuple[str, ...], count: int) -> None:
    tests = shuffled(*folders)
    assert Counter(spread(tests, count)) == Counter(tests)


def test_each_worker_begins_with_about_as_much_long_work() -> None:
    seconds = [
        sum(SECONDS.get(test.folder, 0.0) for test in stretch)
        for stretch in stretches(spread(shuffled(*SIZES), 3), 3)
    ]
    assert max(seconds) - min(seconds) <= max(SIZES["browser"]) * SECONDS["browser"]


def test_modules_and_folders_of_a_stretch_are_whole_and_the_short_tests_last() -> None:
    for stretch in stretches(spread(shuffled(*SIZES), 3), 3):
        modules = [test.module for test in stretch if test.folder in {"browser", "desktop"}]
        assert sum(one != other for one, other in pairwise(modules)) == len(set(modules)) - 1
        folders = [test.folder for test in stretch]
        long = [folder in {"browser", "desktop", "clients"} for folder in folders]
        assert long == sorted(long, reverse=True)


def test_one_worker_gets_the_tests_that_parse_all_modules() -> None:
    parts = [
        [at for at, test in enumerate(stretch) if test.folder == "structure"]
        for stretch in stretches(spread(shuffled(*SIZES), 3), 3)
    ]
    (places,) = [part for part in parts if part]
    assert places == list(range(places[0], places[0] + sum(SIZES["structure"])))


def test_workers_begin_with_different_folders() -> None:
    firsts = [stretch[0].folder for stretch in stretches(spread(shuffled(*SIZES), 2), 2)]
    assert firsts == ["browser", "desktop"]


def test_what_runs_other_tests_does_not_start_late() -> None:
    recipes = [Test(f"tests/{RECIPES}::test_{number}") for number in range(6)]
    first, *rest = stretches(spread([*shuffled("browser", "api"), *recipes], 4), 4)
    begins = [one for one in (first, *rest) if one[0] in recipes]
    assert [test for one in begins for test in one if test in recipes] == recipes


def test_short_tests_keep_their_order() -> None:
    tests = shuffled(*SIZES)
    short = [test for test in tests if test.folder in {"api", "unit"}]
    assert [test for test in spread(tests, 3) if test in set(short)] == short
