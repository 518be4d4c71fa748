"""`intaglio mcp`: the memory tools for MCP clients."""

import click

from intaglio.cli.mcp.serve import serve


@click.command()
@click.option("--harness", default="", metavar="NAME", help="The agent that the client is.")
def mcp(*, harness: str) -> None:
    """Serve memory tools to an MCP client over stdin and stdout.

    Clients start it; it passes their messages to the daemon.
    """
    serve(harness)
