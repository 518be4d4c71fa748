"""`intaglio config` without a daemon: it reads and changes the file itself."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from intaglio.base.errors import IntaglioError
from intaglio.cli.main import intaglio

FILE = "# mine\nsearch:\n  alpha: 0.25 # half\nbackup: {keep: 3}\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("INTAGLIO_DAEMON_URL", "SIGNET_DAEMON_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("INTAGLIO_WORKSPACE", str(tmp_path / "agents"))
    monkeypatch.setenv("INTAGLIO_STATE_DIR", str(tmp_path / "state"))
    one = tmp_path / "agents" / "agent.yaml"
    one.parent.mkdir()
    one.write_text(FILE, encoding="utf-8")
    return one


def config(*args: str) -> Result:
    return CliRunner().invoke(intaglio, ["config", *args])


def refused(*args: str) -> IntaglioError:
    result = config(*args)
    assert isinstance(result.exception, IntaglioError), result.output
    return result.exception


def test_get_prints_the_value_in_use(file: Path) -> None:
    assert config("get", "search.alpha").stdout == "0.25\n"
    assert config("get", "backup.enabled").stdout == "true\n"
    assert config("get", "ALPHA".lower()).stdout == "0.25\n"
    row = json.loads(config("get", "backup.keep", "--json").stdout)
    assert (row["value"], row["origin"], row["line"]) == (3, "file", 4)
    file.unlink()
    assert config("get", "backup.keep").stdout == "7\n"


def test_set_says_what_changed_and_where(file: Path) -> None:
    result = config("set", "search.alpha", "0.75")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"search.alpha: 0.25 → 0.75\nIn {file}\n"
    assert "The daemon isn't running" in result.stderr
    assert file.read_text() == FILE.replace("0.25", "0.75")
    assert file.with_name("agent.yaml.bak").read_text() == FILE


def test_set_creates_the_file(file: Path) -> None:
    file.unlink()
    assert config("set", "backup.enabled", "off").exit_code == 0
    assert file.read_text().endswith("backup:\n  enabled: false\n")
    assert file.read_text().startswith("# Settings of Intaglio.")


def test_unset_brings_the_default_back(file: Path) -> None:
    result = config("unset", "backup.keep")
    assert "(the default)" in result.stdout
    assert file.read_text() == FILE.replace("{keep: 3}", "{}")
    assert "isn't set" in config("unset", "backup.keep").stdout


@pytest.mark.parametrize(
    ("args", "said", "hint"),
    [
        (("set", "search.alpha", "2"), "from 0 to 1", ""),
        (("set", "search.alpha", "much"), "can't be much", "A number from 0 to 1"),
        (("set", "backup.keep", "2.5"), "can't be 2.5", "A whole number from 1 to 365"),
        (("set", "backup.enabled", "maybe"), "can't be maybe", "true or false"),
        (("set", "embedding.provider", "gpt"), "must be one of", ""),
        (("set", "search.alhpa", "1"), "There's no setting search.alhpa", "Did you mean"),
        (("get", "nothing.at.all"), "There's no setting", ""),
    ],
)
def test_what_cannot_be_set_is_refused(
    file: Path, args: tuple[str, ...], said: str, hint: str
) -> None:
    error = refused(*args)
    assert said in error.detail
    assert hint in error.hint
    assert file.read_text() == FILE


def test_a_broken_file_is_told_with_its_place_and_left_alone(file: Path) -> None:
    file.write_text("search:\n\talpha: 1\n", encoding="utf-8")
    assert "line 2, column 1" in refused("set", "search.alpha", "1").detail
    listed = config("list", "alpha")
    assert f"{file}:2:1: " in listed.stderr
    assert file.read_text() == "search:\n\talpha: 1\n"


def test_list_filters_by_words_group_and_what_was_changed(file: Path) -> None:
    keys = [row["key"] for row in json.loads(config("list", "--changed", "--json").stdout)]
    assert sorted(keys) == ["backup.keep", "search.alpha"]
    assert "search.alpha" in config("list", "ALPHA", "weight").stdout
    assert config("list", "no such words").stdout == "No settings found.\n"
    groups = {row["group"] for row in json.loads(config("list", "--group", "mod", "--json").stdout)}
    assert groups == {"Models"}
    assert config("list", "--group", "Nobody").exit_code == 2
    assert file.read_text() == FILE


def test_a_secret_is_never_printed(file: Path) -> None:
    result = config("set", "embedding.api_key", "sk-12345")
    assert result.exit_code == 0, result.output
    shown = config("list").output + config("get", "embedding.api_key").output + result.output
    assert "sk-12345" not in shown + config("list", "--json").output
    assert "(set)" in config("get", "embedding.api_key").stdout
    assert "sk-12345" in file.read_text()


def test_what_deletes_something_must_be_confirmed(file: Path) -> None:
    error = refused("set", "capture.transcripts", "off")
    assert "deleted" in error.detail
    assert error.hint == "Add --yes to go on."
    assert file.read_text() == FILE
    assert config("set", "capture.transcripts", "off", "--yes").exit_code == 0
    assert file.read_text() == f"{FILE}capture:\n  transcripts: false\n"


def test_path_prints_where_the_file_is(file: Path) -> None:
    assert config("path").stdout == f"{file}\n"


@pytest.mark.parametrize(
    ("saved", "said", "code"),
    [
        ("search: {alpha: 0.5}\n", "is fine", 0),
        ("search:\n  alpha: 7\n", ":2: search.alpha must be a number from 0 to 1", 1),
        ("search:\n  alhpa: 1\n", ":2: search.alhpa", 1),
        ("search: [\n", "agent.yaml:2:1: ", 1),
    ],
)
def test_edit_opens_the_file_and_says_what_is_wrong_with_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, saved: str, said: str, code: int
) -> None:
    file.unlink()
    editor = file.with_name("my editor.py")
    editor.write_text(
        "import sys, pathlib\nfile = pathlib.Path(sys.argv[-1])\n"
        f"assert file.read_text().startswith('# Settings') and sys.argv[1] == '-w'\n"
        f"file.write_text({saved!r})\n"
    )
    monkeypatch.setenv("VISUAL", f"{sys.executable} '{editor}' -w")
    result = config("edit")
    assert (result.exit_code, said in result.output) == (code, True), result.output
    assert file.read_text() == saved


def test_an_editor_that_is_not_there_is_reported(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "/no/such/editor")
    assert "Couldn't start the editor" in refused("edit").detail
    assert file.read_text() == FILE


def test_a_named_daemon_that_does_not_answer_is_an_error(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTAGLIO_DAEMON_URL", "http://127.0.0.1:9")
    assert refused("set", "search.alpha", "1").code == "unreachable"
    assert file.read_text() == FILE
