"""What the code index of a large project costs, and a told line's check against the code."""

import argparse
import asyncio
import random
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.figures import percentile
from fakes.code_bench import CodeBench
from fakes.git import git, repository
from fakes.store import bench
from intaglio.code import lookup
from intaglio.store.tx import ReadTx

_FOLDERS: Final = 300
_LINES: Final = 12
_MEMORIES: Final = 200
_TOLD: Final = 20
_ROUNDS: Final = 50
_NAMES: Final = 60


def _text(number: int, functions: int) -> str:
    """Return a module in which each function has a dozen lines; the last one is its own."""
    parts: list[str] = []
    for each in range(functions):
        lines = "\n".join(
            f"    step_{line} = value + {number * line}" for line in range(_LINES - 2)
        )
        name = f"special_{number}" if each == functions - 1 else f"shared_{each}"
        parts.append(f"def {name}(value):\n{lines}\n    return step_1\n")
    return "\n\n".join(parts)


def _path(number: int) -> str:
    return f"src/part_{number % _FOLDERS}/module_{number}.py"


def _stream(files: int, functions: int) -> Iterator[bytes]:
    yield b"commit refs/heads/made\ncommitter a <a@example.org> 1700000000 +0000\ndata 4\nmade\n"
    for number in range(files):
        text = _text(number, functions).encode()
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (_path(number).encode(), len(text), text)


def _repository(folder: Path, files: int, functions: int) -> Path:
    root = repository(folder)
    git(root, "config", "gc.auto", "0")
    stream = b"".join(_stream(files, functions))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
    git(root, "reset", "-q", "--hard", "made")
    return root


async def _index(code: CodeBench) -> None:
    for name in ("first read", "nothing new", "nothing new"):
        began, cpu = time.perf_counter(), time.process_time()
        await code.read()
        wall, used = time.perf_counter() - began, time.process_time() - cpu
        print(f"{name:<32}{wall * 1000:>12.1f} ms{used * 1000:>12.1f} ms of CPU")
    (code.root / _path(0)).write_text(_text(0, 3) + "\n\ndef one_more():\n    return 1\n")
    code.commit()
    began = time.perf_counter()
    await code.read()
    print(f"{'one file changed':<32}{(time.perf_counter() - began) * 1000:>12.1f} ms")
    size = await code.bench.db.read(
        lambda tx: tx.count("SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%code_%'")
    )
    print(f"{'bytes of the index':<32}{size:>12,}")


async def _lookups(code: CodeBench, files: int) -> None:
    draw = random.Random(1)  # noqa: S311 - a repeatable draw
    numbers = [draw.randrange(files) for _ in range(_NAMES)]
    project = code.project
    asked: dict[str, Callable[[ReadTx], object]] = {
        "files_defining": lambda tx: lookup.files_defining(
            tx, project, [f"special_{each}" for each in numbers]
        ),
        "files_named": lambda tx: lookup.files_named(
            tx, project, [_path(each).rpartition("/")[2] for each in numbers]
        ),
        "files_with_message": lambda tx: lookup.files_with_message(
            tx, project, " ".join(f"word{each}" for each in numbers)
        ),
    }
    for name, ask in asked.items():

        def timed(tx: ReadTx, ask: Callable[[ReadTx], object] = ask) -> float:
            began = time.perf_counter()
            ask(tx)
            return (time.perf_counter() - began) * 1000

        took = [await code.bench.db.read(timed) for _ in range(_ROUNDS)]
        _print(f"{name} of {_NAMES}", took)


async def _marks(code: CodeBench, files: int) -> None:
    """Measure the check of told lines: as they were, edited once, edited before each check."""
    numbers = random.Random(2).sample(range(1, files), _MEMORIES)  # noqa: S311 - a repeatable draw
    ids = [await code.remember(f"{_path(each)}: special_{each} is slow") for each in numbers]
    marks = code.marks()

    async def tell(chosen: Sequence[str]) -> None:
        await marks.of(chosen, code.project)

    def edit(round_: int) -> None:
        for each in numbers[:_TOLD]:
            with (code.root / _path(each)).open("a") as file:
                file.write(f"\n# edited {round_}\n")

    def leave(_: int) -> None:
        """Change nothing."""

    def remove(round_: int) -> None:
        if round_ == 0:
            for each in numbers[:_TOLD]:
                (code.root / _path(each)).unlink()

    for name, before in (("as it was", leave), ("edited each time", edit), ("gone", remove)):
        _print(f"a line told, {name}", await _told(tell, ids, before))


async def _told(
    tell: Callable[[Sequence[str]], Awaitable[None]],
    ids: Sequence[str],
    before: Callable[[int], None],
) -> list[float]:
    took: list[float] = []
    for round_ in range(_ROUNDS):
        await asyncio.to_thread(before, round_)
        began = time.perf_counter()
        await tell(ids[:_TOLD])
        took.append((time.perf_counter() - began) * 1000 / _TOLD)
    return took


def _print(name: str, took: Sequence[float]) -> None:
    half, most = percentile(took, 0.5), percentile(took, 0.95)
    print(f"{name:<32}{half:>12.3f} ms{most:>12.3f} ms at the 95th percentile")


async def _measure(files: int, functions: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        root = await asyncio.to_thread(_repository, folder / "project", files, functions)
        async with bench(folder) as opened:
            code = CodeBench(opened, root)
            await _index(code)
            await _lookups(code, files)
            await _marks(code, files)


def main(arguments: list[str]) -> None:
    """Measure a generated project."""
    parser = argparse.ArgumentParser(prog="bench places", description=__doc__)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--functions", type=int, default=8, help="functions of each file")
    given = parser.parse_args(arguments)
    asyncio.run(_measure(given.files, given.functions))
