"""How refusals are described in the API's document."""

from typing import Final

from litestar.openapi.datastructures import ResponseSpec

from intaglio.api.problems.answer import PROBLEM_TYPE
from intaglio.wire.problem import Problem


def _refused(description: str) -> ResponseSpec:
    return ResponseSpec(
        data_container=Problem,
        generate_examples=False,
        description=description,
        media_type=PROBLEM_TYPE,
    )


REFUSALS: Final = {
    400: _refused("The request cannot be read."),
    401: _refused("A proof of who asks is missing or wrong."),
    403: _refused("The asker may not do this."),
    408: _refused("The request did not come in time."),
    413: _refused("The body, or a text in it, is too large."),
    414: _refused("The query string is too long."),
    503: _refused("The daemon cannot do this now; `detail` says why."),
}
READS: Final = {**REFUSALS, 404: _refused("There is no such thing.")}
CHANGES: Final = {
    **READS,
    409: _refused("It is not in the state that the request expects."),
    429: _refused("Too many of these from one actor; `retryAfter` says until when."),
}
