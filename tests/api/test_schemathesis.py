"""Every operation held against its own description, with requests made from that description.

Not here: a stream, which does not end, and what ends or exchanges the daemon's parts.
"""

import json
from collections.abc import Generator, Mapping
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, reject, settings
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from fakes.api import described
from fakes.daemon import Daemon, running_daemon
from fakes.streams import ENDLESS

NOT_HERE = {
    **dict.fromkeys(ENDLESS, "it does not end"),
    "stopDaemon": "it ends the daemon that the others ask",
    "previewUninstall": "it starts a program each time",
    "restoreBackup": "it exchanges the database under the others",
}
CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
FEW, MANY = 2, 100
METHODS = ("get", "post", "patch", "delete", "put")

DOCUMENT = json.loads(described())
SCHEMA: Any = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = [
    (path, method, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method in METHODS and operation["operationId"] not in NOT_HERE
]
MODES = pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
# What is wrong is sent by default too, to each operation: see test_bad_input.py.
RIGHT_FIRST = pytest.mark.parametrize(
    "mode",
    [
        pytest.param(GenerationMode.POSITIVE, id="positive"),
        pytest.param(GenerationMode.NEGATIVE, id="negative", marks=pytest.mark.slow),
    ],
)


def operations(mode: GenerationMode) -> list[tuple[str, str]]:
    """List path and method of each operation; what asks for nothing cannot be asked wrongly."""
    return [
        (path, method)
        for path, method, each in OPERATIONS
        if mode is GenerationMode.POSITIVE or each.get("parameters") or "requestBody" in each
    ]


Headers = Mapping[str, str]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("described")) as running:
        with running.client() as client:
            for number in range(20):
                client.post("/api/memory/remember", json={"content": f"Kept number {number}"})
        yield running


@pytest.fixture(scope="module")
def client(daemon: Daemon) -> Generator[httpx.Client]:
    with daemon.client() as asking:
        yield asking


@pytest.fixture(scope="module")
def session(daemon: Daemon) -> Headers:
    """What a signed-in dashboard sends."""
    return {"cookie": daemon.sign_in(), "origin": daemon.url}


def hold(client: httpx.Client, case: Any, proof: Headers) -> None:  # noqa: ANN401 - its types are partly unknown
    """Send one request and hold its reply against the description."""
    sent = case.as_transport_kwargs(base_url=str(client.base_url), headers=dict(proof))
    sent.pop("cookies", None)
    # It speaks to the client's predecessor, which called a body's bytes data.
    if isinstance(sent.get("data"), bytes | str):
        sent["content"] = sent.pop("data")
    try:
        reply = client.request(**sent)
    except httpx.InvalidURL:  # the client itself refuses to send it
        reject()
    # The contract has a 500 for a map whose run failed, or was cancelled by another request.
    told = {503: "detail", 500: "message"}.get(reply.status_code)
    assert reply.status_code < 500 or (told and reply.json().get(told)), reply.text
    case.validate_response(reply, checks=CHECKS)


def hold_all(
    client: httpx.Client,
    proof: Headers,
    where: tuple[str, str],
    mode: GenerationMode,
    most: int,
) -> None:
    """Hold so many made requests of one operation; the same ones every time."""
    path, method = where

    @settings(
        max_examples=most,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much),
    )
    @given(case=SCHEMA[path][method.upper()].as_strategy(generation_mode=mode))
    def held(case: Any) -> None:  # noqa: ANN401 - see hold
        hold(client, case, proof)

    held()


@RIGHT_FIRST
def test_replies_to_owner_and_dashboard_are_as_described(
    daemon: Daemon, client: httpx.Client, session: Headers, mode: GenerationMode
) -> None:
    # What is wrong is refused before it matters who asks. What is right is asked by turns: who may
    # ask what is told by test_access_matrix.py.
    proofs = (daemon.owner, session) if mode is GenerationMode.POSITIVE else (daemon.owner,)
    for turn, where in enumerate(operations(mode)):
        hold_all(client, proofs[turn % len(proofs)], where, mode, FEW)


@pytest.mark.slow
@MODES
def test_replies_to_many_more_requests_are_as_described(
    daemon: Daemon, client: httpx.Client, mode: GenerationMode
) -> None:
    for where in operations(mode):
        hold_all(client, daemon.owner, where, mode, MANY)


def test_the_operations_left_out_are_described() -> None:
    named = {each["operationId"] for item in DOCUMENT["paths"].values() for each in item.values()}
    assert named >= NOT_HERE.keys()
