"""The verdicts of adjudicators, the effects of these verdicts, and the overlap of passages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from qrelsmith.agreement.agree import By, agree
from qrelsmith.agreement.span_overlap import span_overlap
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count
from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.items import item_parts
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.evidence_files import (
    Adjudication,
    MarkedPassage,
    PairAdjudication,
    read_adjudications,
    read_pair_adjudications,
    read_passages,
)
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.population import mean_interval

_KEY, _TITLE = "adjudication", "Adjudication and passages"
_ALL = "all"


@SECTIONS.add(_KEY, place=56)
def adjudication(inputs: AuditInputs) -> Section:
    """Compare verdicts with first-round labels, and the overlap of marked passages with α."""
    folder = inputs.campaign.folder if inputs.campaign.is_folder else None
    verdicts = () if folder is None else read_adjudications(folder)
    passages = () if folder is None else read_passages(folder)
    pairs = () if folder is None else read_pair_adjudications(folder)
    if not verdicts and not passages and not pairs:
        missing = (
            "adjudications.csv or passages.csv from an export of the judging app; neither exists"
        )
        return Section(key=_KEY, title=_TITLE, missing=missing)
    tables = [
        *_verdict_tables(verdicts, inputs.judgments),
        *_pair_tables(pairs),
        *_overlap_tables(inputs, passages),
    ]
    blind = sum(verdict.blind for verdict in verdicts)
    words = (
        f"{_items(verdicts)} adjudicated; {blind:,} of the verdicts were given before the"
        " adjudicator saw the labels. The assessors' labels remain unchanged. In an export,"
        " qrels/adjudicated.qrels combines the verdicts with the lower median of the first round."
        " The audit does not rate the combined labels, because they use the assessors' labels.",
        "Overlap is the share of marked characters that both assessors marked, on docs in which"
        " both marked passages. Unlike α, overlap is not corrected for chance.",
    )
    told = [text for text, wanted in zip(words, (verdicts, passages), strict=True) if wanted]
    if pairs:
        told.append(_pair_words(pairs))
    return Section(key=_KEY, title=_TITLE, paragraphs=tuple(told), tables=tuple(tables))


def _items(verdicts: Sequence[Adjudication]) -> str:
    """Return the numbers of adjudicated docs and aspects, followed by “was” or “were”."""
    aspects = sum(bool(item_parts(verdict.doc)[1]) for verdict in verdicts)
    docs = len(verdicts) - aspects
    said = [count(docs, "doc", "docs")] if docs or not aspects else []
    said += [count(aspects, "aspect", "aspects") + " of answers"] if aspects else []
    return f"{' and '.join(said)} {'was' if len(verdicts) == 1 else 'were'}"


def _pair_words(pairs: Sequence[PairAdjudication]) -> str:
    """Return a sentence on the outcomes of contradicted pairs."""
    discussed = [pair for pair in pairs if pair.discussed]
    settled = sum(not _contradicts(pair.after) for pair in discussed)
    decided = [pair for pair in pairs if pair.outcome is not None]
    other = sum(np.sign(pair.outcome or 0) != np.sign(np.median(pair.before)) for pair in decided)
    return (
        "The assessors discussed"
        f" {count(len(discussed), 'contradicted pair', 'contradicted pairs')} and settled"
        f" {settled:,}. {count(len(decided), 'pair was', 'pairs were')} adjudicated,"
        f" {sum(pair.blind for pair in decided):,} of them blind. Number of verdicts that differ"
        f" from the median of the earlier answers: {other:,}. In an export, preferences.csv"
        " contains the verdict in place of the answers."
    )


def _contradicts(outcomes: Sequence[int]) -> bool:
    """Return whether two assessors prefer different docs of the pair."""
    return bool(outcomes) and min(outcomes) < 0 < max(outcomes)


def _pair_tables(pairs: Sequence[PairAdjudication]) -> list[NamedTable]:
    if not pairs:
        return []
    rows = [
        (pair.topic, pair.left, pair.right, " ".join(map(str, pair.before)),
         " ".join(map(str, pair.after)), "" if pair.outcome is None else str(pair.outcome), pair.by,
         "" if pair.outcome is None else "yes" if pair.blind else "no")
        for pair in pairs
    ]  # fmt: skip
    columns = ("topic", "left", "right", "before", "after", "verdict", "by", "blind")
    return [
        NamedTable(
            f"{_KEY}-pairs",
            "Contradicted pairs that were discussed or decided",
            Table.of(columns, rows),
            "Scale: −2 (left is much better) to 2 (right is much better). Before: answers before"
            " the discussion. After: current answers. Verdict: the adjudicator's outcome.",
        )
    ]


def _verdict_tables(
    verdicts: Sequence[Adjudication], judgments: Judgments | None
) -> list[NamedTable]:
    if not verdicts:
        return []
    labels = _labels(judgments)
    rows: list[tuple[Cell, ...]] = []
    sums: dict[str, list[int]] = {}
    for verdict in verdicts:
        by_group = labels.get((verdict.topic, verdict.doc), {})
        said = [grade for grades in by_group.values() for grade in grades]
        shown = " ".join(map(grade_text, sorted(said)))
        blind = "yes" if verdict.blind else "no"
        rows.append(
            (
                verdict.topic,
                *item_parts(verdict.doc),
                grade_text(verdict.grade),
                shown,
                verdict.by,
                blind,
            )
        )
        for group, grades in [*by_group.items(), (_ALL, said)]:
            counts = sums.setdefault(group, [0, 0, 0, 0])
            counts[0] += bool(grades)
            for place, test in enumerate((np.equal, np.less, np.greater), start=1):
                counts[place] += int(test(grades, verdict.grade).sum()) if grades else 0
    changes = [
        (group, docs, same + raised + lowered, same, raised, lowered,
         (raised + lowered) / max(same + raised + lowered, 1))
        for group, (docs, same, raised, lowered) in sorted(sums.items())
        if docs
    ]  # fmt: skip
    columns = ("group", "docs", "labels", "same", "raised", "lowered", "changed")
    has_aspects = any(item_parts(verdict.doc)[1] for verdict in verdicts)
    names = ("topic", "doc", *(["aspect"] * has_aspects), "verdict", "labels", "by", "blind")
    return [
        NamedTable(
            _KEY,
            "Labels changed by the verdicts",
            Table.of(columns, changes),
            "First-round labels of adjudicated docs, by whether the verdict is the same, higher or"
            " lower. Adjudicated docs are disagreements, not a random sample.",
        ),
        NamedTable(
            f"{_KEY}-docs",
            "Adjudicated docs",
            Table.of(names, (row if has_aspects else row[:2] + row[3:] for row in sorted(rows))),
        ),
    ]


def _labels(judgments: Judgments | None) -> dict[tuple[str, str], dict[str, list[float]]]:
    """Return the labels of every doc of a topic by group, ignoring codes."""
    labels: dict[tuple[str, str], dict[str, list[float]]] = {}
    if judgments is None:
        return labels
    now = judgments.current()
    groups = now.group or ("",) * len(now)
    for row in np.flatnonzero(now.grade >= 0).tolist():
        doc = now.topics[now.topic[row]], now.docs[now.doc[row]]
        group = groups[row] or now.assessors[now.assessor[row]]
        labels.setdefault(doc, {}).setdefault(group, []).append(float(now.grade[row]))
    return labels


def _overlap_tables(inputs: AuditInputs, passages: Sequence[MarkedPassage]) -> list[NamedTable]:
    marks: dict[tuple[str, str, str], dict[tuple[str, str], list[tuple[int, int]]]] = {}
    for passage in passages:
        doc = marks.setdefault((passage.topic, passage.doc, passage.text), {})
        who = passage.group, passage.assessor
        doc.setdefault(who, []).append((passage.start, passage.length))
    overlaps: dict[str, dict[str, list[float]]] = {}
    docs: dict[str, set[tuple[str, str]]] = {}
    for (topic, doc_name, _), people in marks.items():
        for (first, spans), (second, others) in combinations(sorted(people.items()), 2):
            share = span_overlap(spans, others)
            between = first[0] if first[0] == second[0] else f"{first[0]} | {second[0]}"
            for scope in dict.fromkeys((_ALL, between or _ALL)):
                overlaps.setdefault(scope, {}).setdefault(topic, []).append(share)
                docs.setdefault(scope, set()).add((topic, doc_name))
    if not overlaps:
        return []
    rows = []
    for scope, by_topic in sorted(overlaps.items()):
        means = np.array([np.mean(shares) for shares in by_topic.values()])
        interval = mean_interval(means, bounds=(0.0, 1.0))
        pairs = sum(map(len, by_topic.values()))
        rows.append(
            (scope, len(docs[scope]), pairs, len(means), float(means.mean()),
             float(interval.low), float(interval.high), _alpha(inputs, scope))
        )  # fmt: skip
    columns = ("between", "docs", "pairs", "topics", "overlap", "low", "high", "alpha")
    return [
        NamedTable(
            f"{_KEY}-passages",
            "Overlap of passages, and α of the grades",
            Table.of(columns, rows),
            "Low, high: ends of the 95% interval over topics (at least 8). Alpha: ordinal α of the"
            " group; in the row ‘all’, of all first-round labels.",
        )
    ]


def _alpha(inputs: AuditInputs, scope: str) -> float:
    """Compute ordinal α of all labels, or of one group's labels; nan if undefined."""
    if inputs.judgments is None:
        return float("nan")
    by: By | None = None if inputs.judgments.group is None else "group"
    try:
        parts = agree(
            inputs.judgments, "alpha-ordinal", by=by, scale=inputs.campaign.scale, resamples=0
        ).parts
    except UndefinedError:
        return float("nan")
    return next((part.value for part in parts if part.scope == scope), float("nan"))
