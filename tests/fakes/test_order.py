"""The order of a run: what takes longest comes first, an equal part of it for each worker."""

import os
from collections import defaultdict
from typing import Final, Protocol, TypeVar

RECIPES: Final = "structure/test_recipes.py"
# Folders whose tests start processes, and a module that runs other tests, which no worker should
# be left with at the end: about the seconds that one test takes.
SECONDS: Final = {
    "browser": 2.0,
    RECIPES: 15.0,
    "desktop": 0.8,
    "daemon": 0.8,
    "clients": 3.5,
    "structure": 0.3,
}
# A folder whose modules stay together: they read and parse the same files once.
_WHOLE: Final = "structure"
_FOLDERS: Final = tuple(SECONDS)


class HasNodeId(Protocol):
    """A test, by the name that pytest gives it."""

    @property
    def nodeid(self) -> str:
        """Its module's path from the root of the repository, and its name in there."""
        ...


_Test = TypeVar("_Test", bound=HasNodeId)


def workers() -> int:
    """Return how many processes share the run's tests."""
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def _folder(module: str) -> str:
    path = module.removeprefix("tests/")
    return path if path == RECIPES else path.partition("/")[0]


def _unit(module: str) -> str:
    """Name what one worker gets as a whole: the module, or its folder."""
    return f"tests/{_WHOLE}/" if _folder(module) == _WHOLE else module


def spread(tests: list[_Test], count: int) -> list[_Test]:
    """Arrange tests for ``count`` workers, each of which gets an equal stretch of the list.

    A stretch begins with whole modules of the long folders, folder by folder, and ends with short
    tests, which a worker without work takes over. Each begins with another folder: those of some
    keep the processor busy while those of others wait. Otherwise the order stays as it is.
    """
    modules = defaultdict[str, list[_Test]](list)
    rest: list[_Test] = []
    for test in tests:
        module = test.nodeid.partition("::")[0]
        (modules[_unit(module)] if _folder(module) in SECONDS else rest).append(test)
    seconds = {module: len(those) * SECONDS[_folder(module)] for module, those in modules.items()}
    shares: list[list[str]] = [[] for _ in range(count)]
    for module in sorted(modules, key=seconds.__getitem__, reverse=True):
        min(shares, key=lambda share: sum(seconds[each] for each in share)).append(module)
    places = {module: at for at, module in enumerate(modules)}
    arranged: list[_Test] = []
    for number, share in enumerate(shares):
        size = (len(tests) - len(arranged)) // (count - number)
        folders = _FOLDERS[number % len(_FOLDERS) :] + _FOLDERS[: number % len(_FOLDERS)]
        # One module that takes longer than any other comes before all.
        share.sort(key=lambda each: (folders.index(_folder(each)), places[each]))
        ordered = sorted(share, key=lambda each: _folder(each) != RECIPES)
        long = [test for module in ordered for test in modules[module]]
        # What is more than a stretch holds goes to the next one.
        rest = long[size:] + rest
        missing = max(0, size - len(long))
        arranged += long[:size] + rest[:missing]
        rest = rest[missing:]
    return arranged
