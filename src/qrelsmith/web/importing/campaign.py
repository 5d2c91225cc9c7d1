"""Import of a campaign folder into the database.

All files are read and compared first, so that errors are reported before anything is recorded. The
import then writes in parts, between which other processes can write: docs in batches, assignments
one by one, records as a whole. An import that was killed resumes where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext

from qrelsmith.assigning.assignment import Assignment
from qrelsmith.assigning.assignment_files import read_assignments
from qrelsmith.assigning.assignment_groups import comparing_groups
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.document import DocumentPlace
from qrelsmith.collection.documents import located_documents
from qrelsmith.collection.pools.policies import BALANCED
from qrelsmith.collection.pools.pool_sets import PoolSet, read_pool_set
from qrelsmith.collection.topics import Topic, read_topics
from qrelsmith.io.text import FilePath
from qrelsmith.web.accounts.actions import note_command
from qrelsmith.web.core.assignments import import_assignments
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.graded.opening import log_opening
from qrelsmith.web.graded.scale import check_scale, record_scale
from qrelsmith.web.importing.docs import import_docs
from qrelsmith.web.importing.topics import import_topics
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.judging.own_streams import OwnStreamKind, record_planned
from qrelsmith.web.models import RejudgingRound
from qrelsmith.web.pairs.choices import record_choices
from qrelsmith.web.pairs.contests import opened_from_file
from qrelsmith.web.records.folder import import_all_records, records_of
from qrelsmith.web.sampling.waves import resume_sample

_REPEAT = RejudgingRound.Reason.REPEAT


def import_campaign(
    campaign: Campaign, *, is_dry: bool = False, advance: Callable[[int], None] = lambda _: None
) -> list[Counts]:
    """Update the database from the contents of the campaign folder.

    If pairs are judged and the grades of docs are in a file, the preference tasks are opened as
    well. If a sample is judged, its next wave is queued.

    The folder of an export also contains the app's records: versions, assignments, events. These
    records are imported first.

    Parameters
    ----------
    campaign : Campaign
        The campaign.
    is_dry : bool
        Whether to read and compare all files without recording anything.
    advance : callable
        Called with the number of docs processed since the last call; each doc is counted twice.

    Raises
    ------
    InputError
        If a file is invalid; nothing is recorded then.
    """
    check_scale(campaign)
    docs = _docs(campaign, is_dry=True, advance=advance)
    counts = _texts(campaign, docs, is_dry=True)
    coming = {each.what: each.digests.keys() for each in counts}
    counts += _assignments(campaign, coming=counts)
    counts += _work_of_kinds(campaign, is_dry=True)
    if is_dry:
        # The preference tasks of an export are in its records, even if its grades are not included.
        is_export = records_of(campaign) is not None
        planned = None if is_export else opened_from_file(campaign, coming=coming)
        return [*counts, planned.contests] if planned else counts
    # Records come before docs, since they define the versions of docs.
    with writing():
        counts = _texts(campaign, docs, is_dry=False)
    _docs(campaign, is_dry=False, advance=advance)
    counts += _assignments(campaign)
    counts += _work_of_kinds(campaign, is_dry=False)
    resume_sample(campaign)
    opening = opened_from_file(campaign)
    return [*counts, opening.contests] if opening else counts


def _docs(campaign: Campaign, *, is_dry: bool, advance: Callable[[int], None]) -> Counts | None:
    if campaign.documents is None:
        return None
    return import_docs(located_documents(campaign.documents), is_dry=is_dry, advance=advance)


def _texts(campaign: Campaign, docs: Counts | None, *, is_dry: bool) -> list[Counts]:
    """Import records, scale and topics; return the counts, including those of docs."""
    counts: list[Counts] = []
    records = records_of(campaign)
    if records is not None:
        counts += import_all_records(records, docs_beside=docs, is_dry=is_dry)
    if not is_dry:
        record_scale(campaign)
        record_choices(campaign)
        log_opening(campaign)
    if campaign.topics is not None:
        counts.append(import_topics(read_topics(campaign.topics), is_dry=is_dry))
    return counts if docs is None else [*counts, docs]


def _assignments(campaign: Campaign, *, coming: Sequence[Counts] | None = None) -> list[Counts]:
    """Import the assignments unless the records contain them; `coming` is from a dry import."""
    if records_of(campaign) is not None:
        return []
    pools = read_pool_set(campaign.pools) if campaign.pools else None
    if pools is None and campaign.answers:
        rows = read_assignments(campaign.assignments) if campaign.assignments else ()
        open_repeats(rows, path=campaign.assignments, is_dry=coming is not None)
        return []
    topics = read_topics(campaign.topics) if campaign.topics is not None else ()
    planned = _plan_assignments(campaign, topics, pools)
    open_repeats(planned, path=campaign.assignments, is_dry=coming is not None)
    counts = import_assignments(
        planned,
        pools,
        files=campaign.pools,
        is_dry=coming is not None,
        coming={each.what: each.digests.keys() for each in coming or ()},
    )
    return [counts]


def _work_of_kinds(campaign: Campaign, *, is_dry: bool) -> list[Counts]:
    """Import the work of other kinds of judgment: topics, docs, assignments."""
    counts: list[Counts] = []
    for kind in KINDS:
        work = kind.plan_work(campaign)
        if work is None or not isinstance(kind, OwnStreamKind):
            continue
        with writing() if not is_dry else nullcontext():
            topics = import_topics(work.topics, is_dry=is_dry)
        place = DocumentPlace(campaign.folder)
        import_docs(((place, each) for each in work.documents), is_dry=is_dry)
        planned = () if records_of(campaign) is not None else work.assignments()
        names = (
            [each.topic for each in work.topics]
            if campaign.topics is None
            else [each.topic for each in read_topics(campaign.topics)]
        )
        counts += [topics] if work.topics else []
        counts.append(record_planned(kind, planned, is_dry=is_dry, coming=names if is_dry else ()))
    return counts


def _plan_assignments(
    campaign: Campaign, topics: tuple[Topic, ...], pools: PoolSet | None
) -> tuple[Assignment, ...]:
    """Return the assignments in the folder's table; without one, all assessors get all topics.

    Assessors of a group with the role `gold` get only the topics that they created.
    """
    if campaign.assignments is not None:
        return read_assignments(campaign.assignments)
    if pools is None:
        return ()
    for name, group in campaign.groups.items():
        if group.ordering == BALANCED:
            raise InputError(
                f"the ordering of group {quoted(name)} is {quoted(BALANCED)}; expected "
                "assignments.csv. Create the file with qrelsmith assign",
                path=campaign.settings,
            )
    ordering = pools.pools[0].ordering
    comparing = comparing_groups(campaign)
    creators = {topic.topic: topic.creator for topic in topics}
    return tuple(
        Assignment(topic, assessor, name, group.ordering or ordering, 0)
        for name, group in sorted(campaign.groups.items())
        if name not in comparing
        for assessor in group.assessors
        for topic in pools.topics
        if campaign.sampling is None or name != campaign.sampling.group
        if group.role != "gold" or creators.get(topic) == assessor
    )


def open_repeats(
    planned: Iterable[Assignment], *, path: FilePath | None, is_dry: bool = False
) -> None:
    """Open the rounds of repeated assignments; existing rounds do not change.

    Raises
    ------
    InputError
        If the round was opened for another reason.
    """
    reasons = dict(RejudgingRound.objects.values_list("number", "reason"))
    for number in sorted({plan.round for plan in planned if plan.round > 1}):
        if reasons.get(number, _REPEAT) != _REPEAT:
            raise InputError(
                f"round {number} has repeats, but was opened here for "
                f"{reasons[number]}; expected round {max(reasons) + 1} or later",
                path=path,
            )
        if number not in reasons and not is_dry:
            RejudgingRound.objects.create(number=number, reason=_REPEAT, rule="assign")
            note_command("open-round", f"{number} {_REPEAT}")
