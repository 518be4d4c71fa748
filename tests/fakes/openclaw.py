"""Drives the real OpenClaw in a home of its own, against a stub of its model API."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from boot.process import BIN
from fakes.claude_code import Run
from fakes.waiting import PATIENCE_S

# Too large for the clients that are always installed.
PROGRAM = Path(__file__).resolve().parents[2] / ".work/openclaw/node_modules/.bin/openclaw"
INSTALL = ".venv/bin/npm install --prefix .work/openclaw openclaw@2026.9.6"
AGENTS = ("main", "reviewer")


@dataclass(frozen=True, slots=True)
class OpenClaw:
    """The client with one home, one model API and two agents."""

    home: Path
    model_url: str

    @property
    def settings(self) -> Path:
        """Its configuration."""
        return self.home / ".openclaw" / "openclaw.json"

    def write_settings(self, workspaces: dict[str, Path] | None = None) -> bytes:
        """Write a configuration as a user keeps it, with comments; returns it."""
        model = {"id": "stub", "name": "Stub", "input": ["text"], "contextWindow": 100_000}
        provider = {"baseUrl": self.model_url, "apiKey": "x", "api": "anthropic-messages"}
        entries = {
            agent: {"workspace": str(folder)} if (folder := (workspaces or {}).get(agent)) else {}
            for agent in AGENTS
        }
        stub = json.dumps({**provider, "models": [{**model, "maxTokens": 4_000}]})
        text = f"""{{
  // The model of all agents
  models: {{ providers: {{ stub: {stub} }} }},
  agents: {{
    ownership: 'explicit', // since there are two
    defaults: {{ model: {{ primary: 'stub/stub' }}, systemAgent: {{ agentId: 'main' }} }},
    entries: {json.dumps(entries)},
  }},
}}
"""
        self.settings.parent.mkdir(exist_ok=True)
        self.settings.write_text(text)
        return text.encode()

    def run(self, *args: str) -> Run:
        """Run a command of its program."""
        done = subprocess.run(
            [str(PROGRAM), *args],
            cwd=self.home,
            env={
                "HOME": str(self.home),
                "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
                "LANG": "C.UTF-8",
                "NO_COLOR": "1",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE_S,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr, 0.0)

    def say(self, prompt: str, agent: str = "main") -> Run:
        """Have an agent's turn in its main session."""
        return self.run("agent", "--local", "--agent", agent, "--message", prompt)
