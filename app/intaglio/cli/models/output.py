"""How language models and their cost are shown in a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from intaglio.base.installation import command
from intaglio.cli.output import cell, column, local_time
from intaglio.fence.characters import visible
from intaglio.projects.names import display_name
from intaglio.wire.models import (
    ModelRow,
    ModelsReply,
    ModelTestReply,
    ModelUsageReply,
    ModelUsageToday,
    UsageRow,
)

_ROLES: Final = {"extraction": "Single texts", "synthesis": "Whole sessions"}
_SMALL_USD: Final = 0.01
_MOST_NAMED: Final = 10


def usd(amount: float) -> str:
    """Write an amount of dollars; small ones with more digits."""
    if not amount:
        return "$0"
    return f"${amount:.4f}" if amount < _SMALL_USD else f"${amount:,.2f}"


def state_lines(reply: ModelsReply) -> Iterator[str]:
    """Write the models with their states, and what was used today."""
    width = column(_ROLES.values())
    for row in reply.models:
        yield f"{cell(_ROLES[row.role], width)}  {_state(row)}"
    first = reply.models[0]
    if all(row.state == "off" for row in reply.models):
        yield f"To choose one, run `{command('config set ' + _PROVIDER + ' ollama')}`."
        return
    if any(row.state == "unconfirmed" for row in reply.models):
        yield f"Nothing is sent before you agree: `{command('models confirm')}`."
    yield from _today_lines(reply.today)
    if reply.last_failure is not None:
        failure = reply.last_failure
        detail = visible(failure.detail) or failure.outcome
        yield f"Last call failed at {local_time(failure.at)} ({failure.stage}): {detail}"
    if reply.price_problem:
        yield f"Your prices can't be read: {visible(reply.price_problem)}"
    elif first.price is None and first.state != "off":
        yield f"No price is known; write it into {visible(reply.price_file)}."


_PROVIDER: Final = "memory.pipelineV2.extraction.provider"


def _state(row: ModelRow) -> str:
    if row.state == "off":
        return "no language model"
    where = "" if row.sends_away else " (on this machine)"
    until = f", until {local_time(row.until)}" if row.until else ""
    reason = f" ({visible(row.reason)}{until})" if row.reason else ""
    return f"{visible(row.title)}{where}: {row.state}{reason}"


def _today_lines(today: ModelUsageToday) -> Iterator[str]:
    tokens = f"{today.tokens:,} tokens{_of(today.max_tokens, '{:,}')}"
    money = f"{usd(today.usd)}{_of(today.max_usd, '${:,.2f}')}"
    failed = f", {today.failed:,} failed" if today.failed else ""
    unpriced = f"; {today.unpriced:,} without a known price" if today.unpriced else ""
    yield f"Today           {tokens}, {money} in {today.calls:,} calls{failed}{unpriced}"


def _of(limit: float, form: str) -> str:
    return f" of {form.format(limit)}" if limit else ""


def test_lines(reply: ModelTestReply) -> Iterator[str]:
    """Write what a try found."""
    yield visible(reply.title)
    if reply.answered:
        kept = "as JSON, as asked" if reply.kept_json else "but not the JSON that was asked for"
        yield f"  It answered in {reply.ms:,} ms, {kept}."
        yield f"  {reply.tokens_read:,} tokens read, {reply.tokens_written:,} written."
    else:
        yield f"  It didn't answer: {visible(reply.problem)}"
    if reply.is_listed is False:
        named = ", ".join(visible(each) for each in reply.models[:_MOST_NAMED])
        yield f"  Its server doesn't have this model. It has: {named or 'none'}"
    session = reply.session
    price = "no price is known" if session.usd is None else usd(session.usd)
    total = session.tokens_read + session.tokens_written
    if session.sessions:
        yield (
            f"  A session costs about {total:,} tokens ({price}): the mean of your last "
            f"{session.sessions:,}."
        )
    else:
        yield f"  A typical session costs about {total:,} tokens ({price})."


def usage_lines(reply: ModelUsageReply) -> Iterator[str]:
    """Write what calls used, by day, stage, project and model."""
    if not reply.days:
        yield f"No language model was asked since {reply.since}."
        return
    yield from _table("Day", reply.days)
    yield from _table("Stage", reply.stages)
    yield from _table("Project", reply.projects, is_project=True)
    yield from _table("Model", reply.models)


def _table(title: str, rows: Sequence[UsageRow], *, is_project: bool = False) -> Iterator[str]:
    names = [_name(row.key, is_project=is_project) for row in rows]
    width = column([title, *names])
    yield f"{cell(title, width)}  {'calls':>7}  {'failed':>6}  {'tokens':>11}  {'cost':>8}"
    for name, row in zip(names, rows, strict=True):
        cost = "unknown" if row.unpriced == row.calls else usd(row.usd)
        tokens = row.tokens_read + row.tokens_written
        yield f"{cell(name, width)}  {row.calls:>7,}  {row.failed:>6,}  {tokens:>11,}  {cost:>8}"
    yield ""


def _name(key: str | None, *, is_project: bool) -> str:
    if key is None:
        return "(none)"
    return visible(display_name(key) if is_project else key)
