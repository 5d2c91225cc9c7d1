"""Recording of a model's labels in the log of the campaign's app during a run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from qrelsmith.base.errors import QrelsmithError, UsageError
from qrelsmith.cli.app import open_app
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.models.cache import ReplyCache
    from qrelsmith.models.runner import UnitOutcome
    from qrelsmith.models.searches import PairSource
    from qrelsmith.models.session import ModelSession
    from qrelsmith.models.work import Work
    from qrelsmith.web.model_assessors.replies import GivenReply

# Number of labels, or seconds, after which received labels are recorded.
_MOST, _WAIT_S = 200, 1.0


def needs_log(campaign: str, group: str) -> bool:
    """Return whether the campaign has an app, whose log records the labels.

    Raises
    ------
    UsageError
        If the campaign has an app, but no group for models.
    """
    from qrelsmith.campaign.campaign import read_campaign
    from qrelsmith.web.instance import find_instance

    instance = find_instance(campaign)
    kept_in = instance.sqlite if instance.database is None else instance.identity
    if not kept_in.is_file():
        return False
    groups = [name for name, each in read_campaign(campaign).groups.items() if each.role == "llm"]
    if (group and group not in groups) or (not group and len(groups) != 1):
        listed = ", ".join(groups) or 'none; add [groups.llm] with role = "llm" to campaign.toml'
        raise UsageError(
            "the campaign is used with the app; expected --group with a group of the role 'llm'"
            f" ({listed})"
        )
    return True


class ModelLog:
    """The app's log during `judge`; a killed run loses only the labels of the last second.

    A separate thread records labels, so that requests do not wait for the database.
    """

    def __init__(self, campaign: FilePath) -> None:
        self._campaign = campaign
        self.assessor = ""
        self.new = self.changed = self.same = 0
        self.has_contests = False
        self._queue: SimpleQueue[UnitOutcome | None] = SimpleQueue()
        self._fault: QrelsmithError | None = None

    @property
    def note(self) -> str:
        """A note on the recorded labels."""
        return (
            f"recorded in the app as {self.assessor}: {self.new} new labels, {self.changed} changed"
            f" labels; {self.same} were already recorded"
        )

    @property
    def pairs_note(self) -> str:
        """A note on where the answers to pairs are recorded."""
        if self.has_contests:
            return f"recorded in the app as {self.assessor}: the preference tasks and the answers"
        return (
            "the preferences are only in the output, because the app has no preference task for"
            " this model. See groups in [preferences] of campaign.toml, and qrelsmith prefer"
        )

    def contests(self, session: ModelSession, topics: Sequence[str] | None) -> PairSource | None:
        """Return the app's preference tasks that the model may judge, or None."""
        open_app(self._campaign, must_exist=True)
        from qrelsmith.web.accounts.assessors import new_model_assessor
        from qrelsmith.web.core.database import writing
        from qrelsmith.web.pairs.by_models import ModelContests

        with writing():
            model = new_model_assessor(session.assessor, group=session.group)
        contests = ModelContests(model, None if topics is None else set(topics))
        self.has_contests = bool(contests.docs)
        return contests if self.has_contests else None

    @contextmanager
    def __call__(
        self, session: ModelSession, work: Work
    ) -> Iterator[Callable[[UnitOutcome], None]]:
        """Record outcomes until the block ends.

        Raises
        ------
        QrelsmithError
            If an outcome cannot be recorded.
        """
        open_app(self._campaign, must_exist=True)
        from qrelsmith.web.accounts.actions import note_command

        self.assessor = session.assessor
        thread = Thread(target=self._run, args=(session, work), name="model log")
        thread.start()
        try:
            yield self._take
        finally:
            self._queue.put(None)
            thread.join()
            note_command("judge", self.assessor)
        if self._fault is not None:
            raise self._fault

    def _take(self, outcome: UnitOutcome) -> None:
        if self._fault is not None:
            raise self._fault  # no more requests
        self._queue.put(outcome)

    def _run(self, session: ModelSession, work: Work) -> None:
        """Record outcomes in batches of up to one second."""
        from django.db import connections

        from qrelsmith.models.cache import open_cache

        try:
            with open_cache(work.campaign.folder, is_shared=True) as cache:
                is_open = True
                while is_open:
                    batch, is_open = self._batch()
                    if batch:
                        self._record(batch, session, work, cache)
        except QrelsmithError as error:
            self._fault = error
        except Exception as error:  # noqa: BLE001 - raised by the thread that waits for this one
            self._fault = QrelsmithError(f"the app rejected the labels: {error}")
        finally:
            connections.close_all()

    def _batch(self) -> tuple[list[UnitOutcome], bool]:
        """Return the next outcomes, and whether more may follow."""
        first = self._queue.get()
        if first is None:
            return [], False
        batch, until = [first], time.monotonic() + _WAIT_S
        while len(batch) < _MOST:
            try:
                outcome = self._queue.get(timeout=max(until - time.monotonic(), 0))
            except Empty:
                break
            if outcome is None:
                return batch, False
            batch.append(outcome)
        return batch, True

    def _record(
        self, batch: Sequence[UnitOutcome], session: ModelSession, work: Work, cache: ReplyCache
    ) -> None:
        """Record labels and replies in the log, in one transaction."""
        from qrelsmith.judgments.judgment_events import Judgments
        from qrelsmith.models.judge import label_table
        from qrelsmith.web.accounts.assessors import new_model_assessor
        from qrelsmith.web.core.database import writing
        from qrelsmith.web.model_assessors.label_files import import_labels
        from qrelsmith.web.model_assessors.replies import record_replies
        from qrelsmith.web.model_assessors.settings import GivenSetting, recorded_setting

        setting = GivenSetting(session.asking.model, session.asking.prompt.text, session.parameters)
        is_graded = session.asking.prompt.kind == "grade"
        table = label_table(session, batch if is_graded else ())
        with writing():
            if table.rows:
                columns = dict(zip(table.columns, zip(*table.rows, strict=True), strict=True))
                *_, labels = import_labels(
                    Judgments.from_columns(columns), setting, assessor=session.assessor,
                    group=session.group, campaign=work.campaign, path=session.terms.endpoint,
                )  # fmt: skip
                self.new += labels.new
                self.changed += labels.changed
                self.same += labels.same
            model = new_model_assessor(session.assessor, group=session.group)
            replies = [reply for each in batch for reply in _replies(each, session, cache)]
            record_replies(replies, recorded_setting(setting, model))


def _replies(
    outcome: UnitOutcome, session: ModelSession, cache: ReplyCache
) -> Iterator[GivenReply]:
    """Return a label's cached replies, one per attempt, or an empty reply if none is cached."""
    from qrelsmith.models.kept_answers import answer_to_keep, said_in
    from qrelsmith.models.replies import ReplyError
    from qrelsmith.models.runner import AGAIN
    from qrelsmith.web.model_assessors.replies import GivenReply

    topic, *docs = outcome.key
    for digest in outcome.digests:
        row = cache.find(digest)
        if row is None:
            continue
        fault = ""
        answer = answer_to_keep(session.asking, row.answer, key=session.terms.key)
        try:
            said_in(session.asking, answer)
        except ReplyError as error:
            fault = str(error)
        yield GivenReply(
            topic, tuple(docs), digest, answer, fault, row.tokens_in, row.tokens_out,
            row.tokens, row.money, row.latency_ms,
        )  # fmt: skip
    if outcome.said is None and outcome.attempts <= AGAIN:
        yield GivenReply(topic, tuple(docs), fault=outcome.fault)
