"""Stand-ins for the programs of agents, which play a model server's steps on standard output."""

import json
import os
import signal
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fakes.model_server import Cut, Drip, Hang, Raw, Say, Status, Step

SERVERS_TEXT: Final = "the server's own text"

# Without site-packages a start takes a hundredth of a second.
_PROGRAM: Final = r"""#!{python} -IS
import json, os, sys
home = {home!r}
steps = open(home + "/steps").read().splitlines()
step = json.loads(steps[0])
if len(steps) > 1:
    open(home + "/steps", "w").write("\n".join(steps[1:]))
given = {{}}
for word in sys.argv:
    path = word.split("=", 1)[-1].strip('"')
    if os.path.isfile(path) and path != sys.argv[0]:
        given[os.path.basename(path)] = open(path).read()
asked = {{
    "arguments": sys.argv[1:],
    "stdin": sys.stdin.read(),
    "given": given,
    "environment": dict(os.environ),
    "folder": os.getcwd(),
    "files": os.listdir("."),
    "pid": os.getpid(),
}}
with open(home + "/asked", "a") as log:
    log.write(json.dumps(asked) + "\n")
if step.get("child"):
    import subprocess
    child = subprocess.Popen(["sleep", "60"], start_new_session=step["child"] == "apart")
    open(home + "/child", "w").write(str(child.pid))
sys.stderr.write(step.get("errors", ""))
sys.stderr.flush()
if "output" in step:
    data = step["output"].encode("latin-1")
    for _ in range(step.get("times", 1)):
        sys.stdout.buffer.write(data)
    sys.stdout.flush()
if step.get("hang"):
    import time
    time.sleep(60)
os._exit(step.get("code", 0))
"""


def _lines(*events: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in events)


def _claude(step: Say | Status) -> str:
    if isinstance(step, Status):
        problem = {"is_error": True, "api_error_status": step.code, "result": SERVERS_TEXT}
        return json.dumps({"type": "result", "subtype": "success", **problem})
    usage = {"input_tokens": 4, "cache_read_input_tokens": 3, "output_tokens": 5}
    counts = {"usage": usage, "total_cost_usd": 0.01} if step.usage else {}
    whole = {"type": "result", "subtype": "success", "is_error": False, "result": step.text}
    return json.dumps({**whole, "stop_reason": "end_turn", **counts})


def _codex(step: Say | Status) -> str:
    started = {"type": "thread.started", "thread_id": "x"}
    if isinstance(step, Status):
        message = f"unexpected status {step.code}: {SERVERS_TEXT}"
        return _lines(started, {"type": "turn.failed", "error": {"message": message}})
    item = {"id": "item_0", "type": "agent_message", "text": step.text}
    usage = {"input_tokens": 7, "cached_input_tokens": 3, "output_tokens": 5}
    ended = {"type": "turn.completed", **({"usage": usage} if step.usage else {})}
    noise = {"id": "item_1", "type": "error", "message": "A warning."}
    events = [{"type": "item.completed", "item": each} for each in (noise, item)]
    return _lines(started, *events, ended)


def _opencode(step: Say | Status) -> str:
    if isinstance(step, Status):
        data = {"message": SERVERS_TEXT, "statusCode": step.code}
        return _lines({"type": "error", "error": {"name": "APIError", "data": data}})
    tokens = {"input": 4, "output": 5, "reasoning": 0, "cache": {"read": 3, "write": 0}}
    end = {"type": "step-finish", "reason": "stop", "cost": 0.01}
    return _lines(
        {"type": "step_start", "part": {"type": "step-start"}},
        {"type": "text", "part": {"type": "text", "text": step.text}},
        {"type": "step_finish", "part": {**end, **({"tokens": tokens} if step.usage else {})}},
    )


_SHAPES: Final = {"claude": _claude, "codex": _codex, "opencode": _opencode}


@dataclass(frozen=True, slots=True)
class AgentProgram:
    """A program in a folder of its own; ``plays`` must come before it is run."""

    name: str
    home: Path

    @property
    def asked(self) -> list[dict[str, Any]]:
        """What each run was given, in order: arguments, standard input, environment, folder."""
        log = self.home / "asked"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def plays(self, *steps: Step) -> None:
        """Answer by these steps, one for each run, and by the last one from then on."""
        self.plays_raw(*(self._step(step) for step in steps))

    def plays_raw(self, *steps: dict[str, Any]) -> None:
        """Play steps as the program knows them: output, times, errors, code, hang, child."""
        (self.home / "steps").write_text("\n".join(json.dumps(step) for step in steps))

    def _step(self, step: Step) -> dict[str, Any]:
        shape = _SHAPES[self.name]
        match step:
            case Say():
                return {"output": shape(step).encode().decode("latin-1")}
            case Status():
                return {"output": shape(step), "code": 1, "errors": SERVERS_TEXT}
            case Raw(data):
                return {"output": data.decode("latin-1")}
            case Cut():
                return {"output": '{"type": "resu', "code": 1, "errors": SERVERS_TEXT}
            case Drip() | Hang():
                return {"output": " ", "hang": True, "child": True}

    def kill_child(self) -> None:
        """End what the last run started."""
        os.kill(int((self.home / "child").read_text()), signal.SIGKILL)

    def is_gone(self) -> bool:
        """Whether the last run has ended, with what it started."""
        child = self.home / "child"
        pids = [self.asked[-1]["pid"], *([int(child.read_text())] if child.exists() else [])]
        return not any(_runs(pid) for pid in pids)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def agent_program(name: str, folder: Path) -> AgentProgram:
    """Put a program of this name into a folder."""
    home = folder / f"{name}-home"
    home.mkdir()
    path = folder / name
    path.write_text(_PROGRAM.format(python=sys.executable, home=str(home)))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    made = AgentProgram(name, home)
    made.plays(Say("{}"))
    return made
