"""Metrics of this process and its campaign, in Prometheus' text format.

The metrics include only counts and times: no names, topics, docs or labels.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable

from django.db import DatabaseError, connection
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from qrelsmith import __version__
from qrelsmith.web.models import Assignment, Event, PreferenceEvent
from qrelsmith.web.project import current_instance

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# The targets are 50 ms for a judgment and 1 s for a page.
_BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

_REGISTRY = CollectorRegistry()
_SECONDS = Histogram(
    "qrelsmith_request_seconds",
    "Time from the request to the response.",
    ("view",),
    buckets=_BOUNDS_S,
    registry=_REGISTRY,
)
_ANSWERS = Counter(
    "qrelsmith_answers", "Responses by status.", ("method", "status"), registry=_REGISTRY
)
_AT_WORK = Gauge("qrelsmith_requests_at_work", "Requests in progress.", registry=_REGISTRY)
# A client may send any word as method.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE"})


def request_begins() -> None:
    """Count a request as in progress."""
    _AT_WORK.inc()


def request_ends() -> None:
    """Stop counting a request as in progress."""
    _AT_WORK.dec()


def count_answer(method: str, view: str, status: int, seconds: float) -> None:
    """Count a response.

    Parameters
    ----------
    method : str
        The request's method.
    view : str
        The name of the view; empty for an unknown path.
    status : int
        The status of the response.
    seconds : float
        The time from the request to the response.
    """
    _ANSWERS.labels(method if method in _METHODS else "other", str(status)).inc()
    _SECONDS.labels(view or "none").observe(seconds)


def metrics_text() -> bytes:
    """Return all metrics, one per line."""
    return generate_latest(_REGISTRY)


class _Campaign(Collector):
    """The metrics of the database and the disk, computed on request."""

    def collect(self) -> Iterable[Metric]:
        """Yield the campaign's metrics, or only the metric that the database is down."""
        instance = current_instance()
        build = GaugeMetricFamily(
            "qrelsmith_build_info", "The program.", labels=("version", "database")
        )
        build.add_metric((__version__, connection.vendor), 1)
        yield build
        free = shutil.disk_usage(instance.folder).free
        yield _gauge("qrelsmith_disk_free_bytes", "Free disk space in the app's folder.", free)
        backups = [path.stat().st_mtime for path in instance.backups.glob("*") if path.is_file()]
        age = time.time() - max(backups) if backups else float("nan")
        yield _gauge(
            "qrelsmith_backup_age_seconds", "Age of the last backup; NaN without a backup.", age
        )
        try:
            counts = (
                ("qrelsmith_judgments", "Events of graded docs.", Event.objects.count()),
                ("qrelsmith_pair_answers", "Events of pairs.", PreferenceEvent.objects.count()),
                (
                    "qrelsmith_assignments_open",
                    "Assignments open for judging.",
                    Assignment.objects.filter(is_open=True).count(),
                ),
            )
        except DatabaseError:
            yield _gauge("qrelsmith_database_up", "Whether the database is available.", 0)
            return
        yield _gauge("qrelsmith_database_up", "Whether the database is available.", 1)
        for name, words, count in counts:
            yield _gauge(name, words, count)


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value=value)


_REGISTRY.register(_Campaign())
