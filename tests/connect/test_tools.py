"""Registering the MCP program leaves everything else in the list of MCP servers as it is."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.connect_home import PYTHON, Home
from intaglio.connect.plans import apply
from intaglio.connect.values import ConnectionApplied, ConnectionPlan, ConnectionRefused

OWN: dict[str, Any] = {"docs": {"type": "http", "url": "https://docs.example/mcp"}}
FOREIGN: dict[str, Any] = {"intaglio": {"type": "stdio", "command": "engraver", "args": ["--mcp"]}}

# Rewrites the whole file, as the real one does; what it is told to do stands in its variables.
CLIENT = """\
#!{python}
import json, os, sys
from pathlib import Path
file = Path(os.environ["HOME"]) / ".claude.json"
with open(os.environ["HOME"] + "/calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + chr(10))
tree = json.loads(file.read_text()) if file.exists() else {{}}
tree["starts"] = tree.get("starts", 0) + 1
servers = tree.setdefault("mcpServers", {{}})
mode = os.environ.get("CLIENT", "")
verb, scope, name, rest = sys.argv[2], sys.argv[3:5], sys.argv[5], sys.argv[6:]
assert (sys.argv[1], scope, sys.stdin.read()) == ("mcp", ["--scope", "user"], "")
if mode == "does nothing":
    sys.exit(0)
if mode != "fails":
    if verb == "add":
        assert name not in servers and rest.pop(0) == "--"
        servers[name] = {{"type": "stdio", "command": rest[0], "args": rest[1:], "env": {{}}}}
    else:
        del servers[name]
file.write_text(json.dumps(tree))
sys.exit(mode == "fails")
"""


def _server(home: Home) -> Any:  # noqa: ANN401 - JSON of any shape
    return _tree(home)["mcpServers"]["intaglio"]


def _tree(home: Home) -> dict[str, Any]:
    return dict(json.loads(home.read_servers() or b""))


def _write(home: Home, tree: Mapping[str, Any]) -> bytes:
    content = json.dumps(tree, indent=2).encode()
    home.write_servers(content)
    return content


@pytest.fixture
def client(home: Home) -> Home:
    """A home in which the harness's own program is installed."""
    program = home.folder / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(CLIENT.format(python=sys.executable))
    program.chmod(0o755)
    return replace(home, env={"PATH": str(program.parent)})


def _calls(home: Home) -> list[str]:
    file = home.folder / "calls"
    return [json.loads(line)[1] for line in file.read_text().splitlines()] if file.exists() else []


def test_the_entry_runs_the_mcp_program_for_the_harness(home: Home) -> None:
    home.connect()
    program = str(home.paths.hooks / "mcp.py")
    assert _server(home) == {
        "type": "stdio",
        "command": PYTHON,
        "args": ["-I", "-S", program, "--harness", "claude-code"],
        "env": {},
    }


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)
TREES = st.fixed_dictionaries(
    {},
    optional={
        "mcpServers": st.sampled_from([{}, OWN, {**OWN, "other": {"command": "x", "args": []}}]),
        "projects": VALUES,
        "numStartups": VALUES,
    },
)


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    tree=TREES,
    indent=st.sampled_from([None, 0, 2, "\t"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    around=st.tuples(st.text(" \n\t", max_size=3), st.text(" \n\t", max_size=3)),
    rewritten=st.booleans(),
)
def test_any_list_of_servers_comes_back(
    home: Home,
    tree: dict[str, Any],
    indent: int | str | None,
    newline: str,
    around: tuple[str, str],
    *,
    rewritten: bool,
) -> None:
    text = around[0] + json.dumps(tree, indent=indent) + around[1]
    before = text.replace("\n", newline).encode()
    home.write_servers(before)
    home.connect()
    assert home.tools() == "registered"
    servers = {**tree.get("mcpServers", {}), "intaglio": _server(home)}
    assert _tree(home) == {**tree, "mcpServers": servers}
    if rewritten:
        home.write_servers(json.dumps(_tree(home), separators=(",", ":")).encode())
    home.disconnect()
    assert _tree(home) == tree
    assert rewritten or home.read_servers() == before


@pytest.mark.parametrize(
    "content",
    [b"{ no json", b"[]", b'{"mcpServers": []}', b'{"mcpServers": {}, "mcpServers": {}}', b"\xff"],
)
def test_a_list_that_cannot_be_edited_is_left_alone_while_the_hooks_are_added(
    home: Home, content: bytes
) -> None:
    home.write_servers(content)
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    (note,) = plan.notes
    assert str(home.servers) in note
    home.connect()
    assert (home.state(), home.read_servers()) == ("connected", content)
    assert isinstance(home.tools(), ConnectionRefused)
    assert isinstance(home.disconnect(), ConnectionApplied)
    assert home.read_servers() == content


def test_disconnecting_reports_a_server_it_cannot_remove(home: Home) -> None:
    home.connect()
    entry = json.dumps(_server(home))
    content = f'{{"mcpServers": {{"intaglio": {{}}, "intaglio": {entry}}}}}'.encode()
    home.write_servers(content)
    plan = home.target().plan_disconnect()
    assert isinstance(plan, ConnectionPlan)
    assert ["twice" in note for note in plan.notes] == [True]
    apply(plan)
    assert (home.state(), home.read_servers()) == ("not", content)


def test_another_server_of_the_same_name_is_never_touched(client: Home) -> None:
    before = _write(client, {"mcpServers": FOREIGN})
    plan = client.plan()
    assert isinstance(plan, ConnectionPlan)
    assert ["another MCP server named intaglio" in note for note in plan.notes] == [True]
    client.connect()
    assert (client.state(), client.tools()) == ("connected", "foreign")
    client.disconnect()
    assert (client.read_servers(), _calls(client)) == (before, [])


def test_declining_is_remembered_until_it_is_asked_for(home: Home) -> None:
    before = _write(home, {"mcpServers": OWN})
    home.connect(tools=False)
    assert (home.state(), home.tools(), home.read_servers()) == ("connected", "declined", before)
    again = home.plan()
    assert isinstance(again, ConnectionPlan)
    assert not again.changed
    home.connect(tools=True)
    assert home.tools() == "registered"
    home.connect(tools=False)
    assert (home.tools(), home.read_servers()) == ("declined", before)
    home.disconnect()
    assert home.tools() == "missing"


def test_the_changes_show_no_token_of_another_server(home: Home) -> None:
    _write(home, {"mcpServers": {"other": {"command": "x", "env": {"TOKEN": "planted-token"}}}})
    plan = home.plan()
    assert isinstance(plan, ConnectionPlan)
    assert plan.tools is not None
    assert "mcp.py" in plan.tools.edit.diff
    assert "planted-token" not in plan.tools.edit.diff


def test_one_token_covers_both_files(home: Home) -> None:
    plans = [home.plan(), home.plan(tools=False)]
    _write(home, OWN)
    plans.append(home.plan())
    tokens = {plan.token for plan in plans if isinstance(plan, ConnectionPlan)}
    assert len(tokens) == 3


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "/gone/python3", "args": ["-I", "-S", "{hooks}/mcp.py"]},
        {"command": PYTHON, "args": ["/old/share/intaglio/hooks/mcp.py"]},
        {"type": "stdio", "command": "/opt/bin/intaglio", "args": ["mcp"]},
    ],
)
def test_an_older_command_is_renewed(home: Home, entry: dict[str, Any]) -> None:
    args = [word.replace("{hooks}", str(home.paths.hooks)) for word in entry["args"]]
    _write(home, {"mcpServers": {"intaglio": {**entry, "args": args}, **OWN}})
    assert home.tools() == "outdated"
    home.connect()
    assert home.tools() == "registered"
    assert _tree(home)["mcpServers"].keys() == {"intaglio", *OWN}


def test_variables_that_the_user_added_to_the_server_stay(home: Home) -> None:
    home.connect()
    tree = _tree(home)
    tree["mcpServers"]["intaglio"]["env"] = {"INTAGLIO_AGENT": "reviewer"}
    before = _write(home, tree)
    home.connect()
    assert (home.tools(), home.read_servers()) == ("registered", before)


def test_the_harness_changes_its_list_itself_where_it_is_installed(client: Home) -> None:
    _write(client, {"mcpServers": OWN, "theme": "dark"})
    plan = client.plan()
    assert isinstance(plan, ConnectionPlan)
    assert plan.tools is not None
    assert [command[1:3] for command in plan.tools.commands] == [("mcp", "add")]
    assert '"--harness"' in plan.tools.edit.diff
    apply(plan)
    assert client.tools() == "registered"
    assert _tree(client)["starts"] == 1
    client.connect("/gone/python3")
    client.connect()
    assert client.tools() == "registered"
    client.disconnect()
    assert _calls(client) == ["add", "remove", "add", "remove", "add", "remove"]
    assert _tree(client) == {"mcpServers": OWN, "theme": "dark", "starts": 6}


def test_a_file_of_ours_alone_is_removed_without_the_harness(client: Home) -> None:
    replace(client, env={}).connect()
    client.disconnect()
    assert (client.read_servers(), _calls(client)) == (None, [])


@pytest.mark.parametrize("mode", ["fails", "does nothing", "is not there"])
def test_the_file_is_edited_where_the_harness_fails(client: Home, mode: str) -> None:
    _write(client, {"theme": "dark"})
    failing = replace(client, env={**client.env, "CLIENT": mode})
    plans = failing.plan()
    assert isinstance(plans, ConnectionPlan)
    if mode == "is not there":
        (client.folder / "bin" / "claude").unlink()
    done = apply(plans)
    assert isinstance(done, ConnectionApplied)
    assert (done.notes, client.tools()) == ((), "registered")
    failing.disconnect()
    assert client.tools() == "missing"
    assert _tree(client)["theme"] == "dark"


def test_a_list_that_changed_since_the_plan_is_left_to_a_new_plan(client: Home) -> None:
    plan = client.plan()
    assert isinstance(plan, ConnectionPlan)
    before = _write(client, OWN)
    done = apply(plan)
    assert isinstance(done, ConnectionApplied)
    assert ["changed in the meantime" in note for note in done.notes] == [True]
    assert (client.state(), client.read_servers(), _calls(client)) == ("connected", before, [])
