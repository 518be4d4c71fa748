"""Which files are read into the index, and which are read again."""

import pytest

from fakes.code_bench import CodeBench
from fakes.git import git
from intaglio.code import rows
from intaglio.code.index import MOST_FILES, choose_files, parse_listing
from intaglio.code.lookup import files_defining
from intaglio.store.tx import ReadTx

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


async def paths(code: CodeBench) -> set[str]:
    def read(tx: ReadTx) -> set[str]:
        number = rows.number_of(tx, code.project)
        return set() if number is None else set(rows.blobs(tx, number))

    return await code.bench.db.read(read)


async def defining(code: CodeBench, name: str) -> tuple[str, ...]:
    found = await code.bench.db.read(lambda tx: files_defining(tx, code.project, [name]))
    return found.get(name, ())


async def test_nothing_new_writes_nothing(code: CodeBench) -> None:
    before = await code.bench.db.read(lambda tx: rows.reading(tx, code.project))
    code.bench.clock.forward(hours=1)
    assert await code.read() == "current"
    assert await code.bench.db.read(lambda tx: rows.reading(tx, code.project)) == before


async def test_a_new_commit_changes_what_differs(code: CodeBench) -> None:
    kept = await code.bench.db.read(lambda tx: tx.all("SELECT seq, path FROM code_files"))
    code.write({"shop/cart.py": "class Basket:\n    pass\n"})
    git(code.root, "rm", "-q", "admin/views.py")
    code.commit()
    assert await code.read() == "read"
    assert (await defining(code, "Basket"), await defining(code, "Cart")) == (("shop/cart.py",), ())
    assert "admin/views.py" not in await paths(code)
    left = await code.bench.db.read(lambda tx: tx.all("SELECT seq, path FROM code_files"))
    assert {path for _, path in kept} - {path for _, path in left} == {"admin/views.py"}
    assert len(set(kept) & set(left)) == len(kept) - 2


async def test_reading_goes_on_where_it_stopped(code: CodeBench) -> None:
    code.write({f"lib/m{n:03}.py": f"def made_{n}():\n    return {n}\n" for n in range(150)})
    code.commit()
    code.limit_s = 0.0
    assert await code.read() == "unfinished"
    code.limit_s = 120.0
    assert await code.read() == "read"
    assert await defining(code, "made_149") == ("lib/m149.py",)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("node_modules/a/index.js", "export function foreign() {\n}\n"),
        ("ui/app.min.js", "export function foreign() {\n}\n"),
        ("ui/made.js", f"export function foreign() {{\n{'x' * 4_000}\n}}\n"),
        ("data/large.py", f"def foreign():\n    pass\n{'# x' * 200_000}\n"),
        ("data/binary.py", "def foreign():\n    pass\n\0\n"),
    ],
)
async def test_what_is_made_copied_or_huge_is_known_by_its_name_only(
    code: CodeBench, path: str, content: str
) -> None:
    code.write({path: content})
    code.commit()
    await code.read()
    assert path in await paths(code)
    assert await defining(code, "foreign") == ()


async def test_links_and_odd_paths_are_left_out(code: CodeBench) -> None:
    outside = code.root.parent / "outside.py"
    outside.write_text("def stolen():\n    return 1\n")
    (code.root / "linked.py").symlink_to(outside)
    (code.root / "linked").symlink_to(code.root.parent)
    code.write({"a\nb.py": "def odd():\n    return 1\n", f"{SECRET}.py": "x = 1\n"})
    code.commit()
    known = await paths(code)
    assert await code.read() == "read"
    assert await paths(code) == known
    assert await defining(code, "stolen") == ()


async def test_nothing_of_the_repository_runs(code: CodeBench) -> None:
    ran = code.root.parent / "ran"
    script = code.root.parent / "canary"
    script.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    script.chmod(0o755)
    git(code.root, "config", "filter.f.smudge", str(script))
    git(code.root, "config", "filter.f.clean", str(script))
    git(code.root, "config", "diff.d.textconv", str(script))
    git(code.root, "config", "core.fsmonitor", str(script))
    memory = await code.remember("admin/views.py: show_admin is for staff only")
    code.write({".gitattributes": "*.py filter=f diff=d\n"})
    git(code.root, "mv", "admin/views.py", "admin/pages.py")
    code.commit()
    ran.unlink(missing_ok=True)
    await code.follow()
    mark = await code.mark(memory)
    assert mark is not None
    assert mark.text == "file renamed since"
    assert not ran.exists()


async def test_a_repository_without_commits_or_no_repository_is_no_failure(
    code: CodeBench,
) -> None:
    empty = code.root.with_name("empty")
    empty.mkdir()
    assert await code.index.read(str(empty)) == "unreadable"
    git(empty, "init", "-q", "-b", "main")
    assert await code.index.read(str(empty)) == "read"


async def test_a_project_without_sessions_is_swept(code: CodeBench) -> None:
    db = code.bench.db
    found = await db.read(lambda tx: rows.unused_files(tx, "", "", 100))
    assert len(found) == len(await paths(code))
    await db.write(lambda tx: rows.purge_files(tx, found, "", ""))
    gone = await db.read(lambda tx: rows.unused_readings(tx, "", "", 100))
    assert await db.write(lambda tx: rows.purge_readings(tx, gone, "", "")) == 1
    left = (
        "SELECT (SELECT count(*) FROM code_files) + (SELECT count(*) FROM code_terms) "
        "+ (SELECT count(*) FROM code_imports) + (SELECT count(*) FROM code_readings)"
    )
    assert await db.read(lambda tx: tx.count(left)) == 0


def test_the_most_files_are_kept_sources_first() -> None:
    many = [(f"docs/{n:05}.txt", "0" * 40, 1) for n in range(MOST_FILES)]
    files, stopped = choose_files([*many, ("src/main.py", "1" * 40, 1)])
    assert len(files) == MOST_FILES
    assert files["src/main.py"].is_read
    assert stopped == f"{MOST_FILES} of {MOST_FILES + 1} files are indexed"


def test_a_listing_is_read_without_surprise() -> None:
    records = [
        b"100644 blob " + b"a" * 40 + b"      12\tsrc/a b.py",
        b"120000 blob " + b"a" * 40 + b"      12\tlink.py",
        b"160000 commit " + b"a" * 40 + b"       -\tmodule",
        b"100644 blob " + b"a" * 40 + b"      12\tbad\xff.py",
        b"100644 blob " + b"a" * 40 + b"      12\tline\nbreak.py",
        b"nonsense",
    ]
    assert list(parse_listing(iter(records))) == [("src/a b.py", "a" * 40, 12)]
