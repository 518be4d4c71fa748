"""How the stages of the pipeline are shown in a terminal."""

from collections.abc import Iterator
from typing import Final

from intaglio.cli.models.output import usd
from intaglio.cli.output import INDENT, cell, column, local_time
from intaglio.fence.characters import visible
from intaglio.wire.pipeline import PipelineMode, RedoReply, StageList, StageRow, StageStateName

_MODES: Final[dict[PipelineMode, str]] = {
    "disabled": "no language model reads memories",
    "frozen": "memories are read-only",
    "shadow": "changes are only tried out",
    "controlled-write": "changes are written",
}
_STATES: Final[dict[StageStateName, str]] = {
    "off": "off",
    "waiting_for_model": "waiting",
    "paused": "paused",
    "resting": "resting",
    "capped": "at limit",
    "working": "working",
    "failing": "failing",
    "idle": "idle",
}
_STATE_WIDTH: Final = max(map(len, _STATES.values()))


def status_lines(found: StageList) -> Iterator[str]:
    """Say which models are asked, what was used today, and what each stage does."""
    roles = {"extraction": "Model", "synthesis": "For whole sessions"}
    # Whole sessions are read by the same model unless they have their own.
    own = [each for each in found.models[1:] if each.title != found.models[0].title]
    for model in (*found.models[:1], *own):
        waits = "" if model.is_asked else " (not confirmed, or can't be asked)"
        yield f"{roles[model.role]}: {visible(model.title)}{waits}"
    if not found.models:
        yield "Model: none"
    yield f"Mode: {_MODES[found.mode]}"
    day = found.today
    yield f"Today: {_of_limit(day.tokens, day.token_limit)} tokens, {usd(day.usd)}" + (
        f" of {usd(day.usd_limit)}" if day.usd_limit else ""
    )
    yield ""
    widths = (
        column(each.name for each in found.stages),
        column(each.label for each in found.stages),
    )
    for stage in found.stages:
        yield from _stage_lines(stage, widths)


def _stage_lines(stage: StageRow, widths: tuple[int, int]) -> Iterator[str]:
    listed = (
        (stage.waiting, "waiting"),
        (stage.running, "running"),
        (stage.last_hour, "done in the last hour"),
        (stage.today.tokens, "tokens today"),
    )
    counts = [f"{count:,} {what}" for count, what in listed if count]
    if stage.today.usd:
        counts.append(usd(stage.today.usd))
    if stage.failed_jobs:
        counts.append(f"{stage.failed_jobs:,} failed")
    state = f"{_STATES[stage.state]:<{_STATE_WIDTH}}"
    names = f"{cell(stage.name, widths[0])}  {cell(stage.label, widths[1])}"
    yield f"{names}  {state}  {', '.join(counts)}".rstrip()
    if stage.detail:
        yield f"{INDENT}{visible(stage.detail)}"
    if stage.failed_jobs and stage.last_error:
        at = local_time(stage.last_error.at)
        yield f"{INDENT}Last failure, {at}: {visible(stage.last_error.text)}"


def redo_text(found: RedoReply) -> str:
    """Say how much there is to do again, and what it is likely to use."""
    count = "1 item" if found.count == 1 else f"{found.count:,} items"
    if not found.count:
        return f"Nothing to do again in the stage {found.stage}."
    if found.tokens is None:
        return f"This reads {count} again. What that will use isn't known yet."
    cost = "an unknown cost" if found.usd is None else usd(found.usd)
    return f"This reads {count} again: about {found.tokens:,} tokens, {cost}."


def _of_limit(used: int, limit: int) -> str:
    return f"{used:,} of {limit:,}" if limit else f"{used:,}"
