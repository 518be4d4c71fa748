"""Language models at the command line: their state, agreeing to one, a try, and what it cost."""

import json
from collections.abc import Generator

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.model_server import ModelServerStub, Say, model_server
from fakes.shell import Shell, shell_of

KEY = "sk-" + "told-nowhere-0123456789"


@pytest.fixture(scope="module")
def server() -> Generator[ModelServerStub]:
    with model_server() as stub:
        yield stub


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory, server: ModelServerStub) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("models")) as running:
        model = f"{{provider: openai, model: big, endpoint: '{server.url}', api_key: {KEY}}}"
        write_settings(running.home, f"backup: {{enabled: false}}\nextraction: {model}\n{NO_MODEL}")
        running.start()
        yield running


def test_a_model_is_agreed_to_tried_and_counted(shell: Shell, server: ModelServerStub) -> None:
    shown = shell("models").stdout
    assert "OpenAI or a compatible server, big (on this machine): unconfirmed" in shown
    assert "Nothing is sent before you agree" in shown
    refused = shell("models", "confirm")
    assert "Add --yes to agree." in refused.stderr
    refused = shell("models", "test")
    assert "You haven't agreed to this language model yet" in refused.stderr
    assert server.asked == []
    agreed = shell("models", "confirm", "--yes")
    assert "big (on this machine): ready" in agreed.stdout
    assert "Nothing waits" in shell("models", "confirm").stdout
    server.plays(Say('{"command": "make test"}'))
    tried = shell("models", "test").stdout
    assert "as JSON, as asked." in tried
    assert "A typical session costs about 26,500 tokens ($0)." in tried
    used = shell("models", "usage").stdout
    assert "test" in used
    assert json.loads(shell("models", "usage", "--json").stdout)["days"][0]["calls"] == 1
    assert "12 tokens of 1,000,000" in shell("models").stdout
    assert KEY not in shown + agreed.stdout + tried + used
    log = next(shell.home.rglob("daemon.log"))
    assert KEY not in log.read_text(encoding="utf-8")
