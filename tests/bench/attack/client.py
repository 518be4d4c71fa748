"""A stranger on the port while the daemon is away; a daemon that hangs."""

import socket
import threading

from bench.attack.arena import Arena, end
from bench.attack.probe import Broke, Held, Outcome, Probe

_SAID = "We decided to move to Lisbon in spring."


def port_taken(arena: Arena) -> Outcome:
    """Listen on the port of a daemon that was killed: the command line tells a stranger nothing."""
    daemon = arena.start()
    token = daemon.identity["token"]
    daemon.kill()
    end(daemon)
    heard: list[bytes] = []
    with socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        stranger.bind(("127.0.0.1", daemon.port))
        stranger.listen()
        stranger.settimeout(0.2)
        done = threading.Event()

        def listen() -> None:
            while not done.is_set():
                try:
                    peer, _ = stranger.accept()
                except TimeoutError:
                    continue
                with peer:
                    heard.append(peer.recv(65_536))
                    peer.sendall(b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n")

        thread = threading.Thread(target=listen)
        thread.start()
        arena.run("remember", _SAID)
        done.set()
        thread.join()
    said = b"".join(heard)
    leaked = [name for name, value in {"token": token, "text": _SAID}.items() if value in str(said)]
    return Broke(f"it heard the {' and the '.join(leaked)}") if leaked else Held("it heard nothing")


PROBES: tuple[Probe, ...] = (Probe("client", "port taken after a kill: remember", port_taken),)
