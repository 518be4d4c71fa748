"""The part of the client that reads telemetry and timelines."""

from urllib.parse import quote, urlencode

from intaglio.client.daemon_connection import DaemonConnection
from intaglio.wire.telemetry import TelemetryEvents, TelemetryStats
from intaglio.wire.timelines import TimelineReply


class AnalyticsClient(DaemonConnection):
    """The endpoints of telemetry and timelines."""

    def timeline(self, subject: str) -> TimelineReply:
        """Return what happened to a memory, an entity, in a session or in a request."""
        return self.send(
            "GET", f"/api/timeline/{quote(subject, safe='')}", TimelineReply, owner=True
        )

    def telemetry_stats(self) -> TelemetryStats:
        """Return the sums of telemetry events."""
        return self.send("GET", "/api/telemetry/stats", TelemetryStats)

    def telemetry_events(self, event: str | None, limit: int) -> TelemetryEvents:
        """List telemetry events, newest first."""
        query = urlencode({"limit": str(limit), **({"event": event} if event else {})})
        return self.send("GET", f"/api/telemetry/events?{query}", TelemetryEvents)
