"""The part of the client that reads statistics."""

import httpx

from intaglio.client.daemon_connection import DaemonConnection
from intaglio.wire.statistics import Statistics


class StatisticsClient(DaemonConnection):
    """The endpoints of statistics."""

    def statistics(self, range_: str, project: str | None) -> Statistics:
        """Return what was learned, told and used in a range."""
        path = f"/api/statistics?{_query(range_, project)}"
        return self.send("GET", path, Statistics, owner=True)

    def statistics_csv(self, range_: str, project: str | None) -> bytes:
        """Return the counts of a range as CSV."""
        path = f"/api/statistics.csv?{_query(range_, project)}"
        return self.send("GET", path, bytes, owner=True)


def _query(range_: str, project: str | None) -> httpx.QueryParams:
    return httpx.QueryParams({"range": range_} | ({"project": project} if project else {}))
