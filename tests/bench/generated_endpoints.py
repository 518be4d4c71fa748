"""Generated endpoints beside the real ones: what the number of endpoints costs at the start."""

from pathlib import Path
from typing import Final

_PER_CONTROLLER: Final = 8

_HEAD = '''"""Generated."""

from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
'''

_ENDPOINT = '''

class Request{n}(msgspec.Struct, kw_only=True):
    """A request."""

    name: str
    count: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1


class Reply{n}(msgspec.Struct, kw_only=True):
    """A reply."""

    name: str
    total: int
'''

_CONTROLLER = '''

class Controller{n}(Controller):
    """Some endpoints."""

    tags = ("generated",)
'''

_HANDLER = '''
    @post("/api/generated/{n}", operation_id="generated{n}", status_code=200,
          opt=declare(Access.PROGRAM))
    async def answer{n}(
        self,
        services: Services,
        data: JSONBody[Request{n}],
        limit: Annotated[int, QueryParameter(ge=1, le=200)] = 10,
    ) -> Reply{n}:
        """Answer."""
        return Reply{n}(name=data.name, total=limit)
'''

_CONTROLLERS = """

GENERATED = ({controllers})
"""

_RUN = '''"""Start the daemon with the generated endpoints."""

import sys
from functools import partial

from generated_controllers import GENERATED

from intaglio.api.app import Application
from intaglio.api.controllers import CONTROLLERS
from intaglio.daemon import composition, lifespan
from intaglio.daemon.main import run

build = partial(Application, (*CONTROLLERS, *GENERATED))
lifespan.compose = partial(composition.compose, build=build)
sys.exit(run())
'''


def write_daemon(folder: Path, operations: int) -> Path:
    """Write a program that runs the daemon with so many endpoints more; return its file."""
    names: list[str] = []
    lines = [_HEAD]
    for first in range(0, operations, _PER_CONTROLLER):
        numbers = range(first, min(first + _PER_CONTROLLER, operations))
        lines += [_ENDPOINT.format(n=n) for n in numbers]
        lines.append(_CONTROLLER.format(n=first))
        lines += [_HANDLER.format(n=n) for n in numbers]
        names.append(f"Controller{first}")
    lines.append(_CONTROLLERS.format(controllers="".join(f"{name}, " for name in names)))
    (folder / "generated_controllers.py").write_text("".join(lines), encoding="utf-8")
    program = folder / "run_generated.py"
    program.write_text(_RUN, encoding="utf-8")
    return program
