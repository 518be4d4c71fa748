"""What must not stand in the tree: addresses of registries, machine paths, unfinished work."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from structure.source import ROOT, files, refuse

_PICTURES = frozenset({".png", ".ico", ".webp", ".woff2", ".gz", ".db", ".npz"})

# Spelled in two halves, so that this file does not hold what it looks for.
_ADDRESSES = re.compile(
    "|".join(
        re.escape(first + second)
        for first, second in (
            ("pypi", ".org"),
            ("pythonhosted", ".org"),
            ("npmjs", ".org"),
            ("npmjs", ".com"),
            ("yarnpkg", ".com"),
            ("deb.debian", ".org"),
            ("security.debian", ".org"),
            ("--index", "-url"),
            ("extra-index", "-url"),
        )
    ),
    re.IGNORECASE,
)
_MACHINE = re.compile(
    r"/work/(?:main|shared|notes|\.library)\b|/root/\.|/opt/(?:pypi|wheels)\b|\.pyenv/versions"
)
_UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
_IGNORE = re.compile(
    r"(?:#\s*(?P<py>noqa|type:\s*ignore|pyright:\s*ignore|fmt:\s*(?:off|skip)|pragma:)"
    r"|(?P<js>eslint-disable[\w-]*|@ts-(?:ignore|expect-error|nocheck)|svelte-ignore))(?P<rest>.*)"
)
_PYTHON_CODE = re.compile(r"^(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|\[[\w, -]+\])")
_PYTHON_REASON = re.compile(_PYTHON_CODE.pattern + r"\s+(?:-|#)\s*\S+")


def texts() -> Iterator[tuple[Path, str]]:
    for path in files():
        if path.suffix not in _PICTURES:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def lines_with(pattern: re.Pattern[str], *, but: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{path}:{number} {line.strip()[:80]}"
        for path, text in texts()
        if str(path) not in but
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_file_names_the_address_of_a_package_registry() -> None:
    # The bootstrap passes on what the user told pip, so it has to name pip's setting.
    passes_on = ("app/boot/setup.py", "app/boot/lock.py")
    refuse(lines_with(_ADDRESSES, but=(*passes_on, "tests/structure/test_tree.py")))


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    refuse(lines_with(_MACHINE, but=("tests/structure/test_tree.py",)))


def test_no_file_has_a_to_do_mark() -> None:
    # What people type, kept as lists of examples for the tests, may speak of it.
    lists = (
        path
        for path, _ in texts()
        if path.parts[0] == "tests" and (path.suffix == ".txt" or path.parent.name == "data")
    )
    examples = tuple(str(path) for path in lists)
    refuse(lines_with(_UNFINISHED, but=examples))


def has_reason(line: str, above: str = "") -> bool:
    """Tell whether a line that silences a checker names the code and says why, there or above."""
    found = _IGNORE.search(line)
    if found is None:
        return True
    rest = found["rest"]
    if found["js"]:
        return bool(re.search(r"--\s*\S+", rest)) or bool(re.search(r":\s*\S+", rest))
    if found["py"].startswith(("fmt", "pragma")):
        return True
    if above.lstrip().startswith("# "):
        return bool(_PYTHON_CODE.match(rest))
    return bool(_PYTHON_REASON.match(rest))


def test_a_silenced_check_without_code_or_reason_is_found() -> None:
    mark = "# no" + "qa"
    assert not has_reason(f"x = 1  {mark}")
    assert not has_reason(f"x = 1  {mark}: E501")
    assert has_reason(f"x = 1  {mark}: E501 - a table reads better whole")
    assert not has_reason("x = 1  # type: " + "ignore[misc]")
    assert has_reason("x = 1  # type: " + "ignore[misc]  # the stub is wrong")
    assert has_reason(f"x = 1  {mark}: E501", "# A table reads better whole.")
    assert not has_reason(f"x = 1  {mark}", "# A table reads better whole.")


def test_every_silenced_check_names_its_code_and_its_reason() -> None:
    own = {"tests/structure/test_tree.py"}
    silent = [
        f"{path}:{number} {line.strip()[:100]}"
        for path, text in texts()
        if path.suffix in {".py", ".ts", ".js", ".svelte"} and str(path) not in own
        for number, (above, line) in enumerate(pairwise(["", *text.splitlines()]), 1)
        if not has_reason(line, above)
    ]
    refuse(silent)


def test_every_ignored_rule_of_the_linter_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text[text.index("[tool.ruff.lint]") : text.index("[tool.ruff.lint.pydocstyle]")]
    codes = [line for line in block.splitlines() if re.search(r'"[A-Z]+\d+"', line)]
    assert codes
    refuse([line for line in codes if not re.search(r"#\s*\S+", line)])


def test_what_is_built_is_not_committed() -> None:
    built = re.compile(r"(?:^|/)(?:_built|node_modules|dist|__pycache__|\.work|\.venv)/")
    names = [path.relative_to(ROOT).as_posix() for path in files()]
    refuse([name for name in names if built.search(name)])


def test_no_test_module_skips_itself_where_a_failure_is_due() -> None:
    # A skip during collection would escape the rule that CI has every package.
    pattern = re.compile("import" + "orskip|allow_module" + "_level")
    refuse(lines_with(pattern, but=("tests/structure/test_tree.py",)))
