"""Tables 1 and 2: assessors by topic, and frequencies of the levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from qrelsmith.base.scales import grade_text
from qrelsmith.judgments.environments import Session, level_counts, sessions_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import dl2021, note_of
from qrelsmith_papers.judging_order.groups import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    ORDERINGS,
    PRI,
    RND,
    environment,
)
from qrelsmith_papers.judging_order.judged import judged_collection, of_label_sets, of_labels
from qrelsmith_papers.judging_order.printed_tables import (
    LEVELS,
    POOLED,
    SMALLEST_POOL,
    TABLE_1,
    AssignedTopic,
)
from qrelsmith_papers.judging_order.simulated import NOTE
from qrelsmith_papers.judging_order.www4 import www4


class _Topics(NamedTuple):
    """The rows of Table 1."""

    rows: Sequence[AssignedTopic]

    def uneven(self) -> float:
        """Return the largest difference in the number of topics between assessors of a group."""
        work = [
            Counter(column)
            for column in ([r.gold for r in self.rows], [r.hasty for r in self.rows],
                           [r.careful for r in self.rows])
        ]  # fmt: skip
        return float(max(max(of.values()) - min(of.values()) for of in work))

    def pool_difference(self) -> float:
        """Return the difference in the number of topics between PRI and RND."""
        pools = Counter(row.pool for row in self.rows)
        return float(abs(pools[PRI] - pools[RND]))


_TABLE_1: tuple[c.Claim[Any], ...] = (
    c.claim(
        "PRI and RND files are balanced for Gold, and topics over the assessors of a group.",
        ("difference of PRI and RND topics", _Topics.pool_difference, c.at_most(1)),
        ("largest difference in topics per assessor", _Topics.uneven, c.at_most(1)),
    ),
    c.claim(
        f"The numbers of docs add up to {POOLED:,}; the smallest pool has {SMALLEST_POOL}.",
        ("docs", lambda docs: float(sum(docs.values())), c.equal_to(POOLED)),
        ("smallest pool", lambda docs: float(min(docs.values())), c.equal_to(SMALLEST_POOL)),
        (
            "topics whose number of docs differs from the print",
            lambda docs: float(sum(docs.get(row.topic) != row.docs for row in TABLE_1)),
            c.equal_to(0),
        ),
        of="docs",
    ),
)


@of_labels(
    "table1",
    title="Table 1: topics and pool files",
    claims=_TABLE_1,
    deviation="The campaign is simulated.",
)
def table1(inputs: StudyInputs) -> Made:
    """Tabulate topics and pool files of the Gold and Bronze assessors."""
    campaign, real = judged_collection(inputs), www4(inputs)
    result, printed = _assignments(campaign), _Topics(TABLE_1)
    docs = {row.topic: row.docs for row in TABLE_1}
    columns = f"topic|docs|{GOLD}|pool type for Gold|{'|'.join(GROUPS[1:])}"
    title = f"Topics, pools and assessors of {campaign.name}"
    tables = [table_of("table1", title, columns, result.rows)]
    sizes = [row.docs for row in result.rows]
    paragraphs = [
        f"Depth {campaign.depth} gives {sum(sizes):,} docs for {len(sizes)} topics, the smallest"
        f" pool has {min(sizes)}; in the paper {POOLED:,} for 50, the smallest {SMALLEST_POOL}."
    ]
    if real is None or not real.is_whole:
        paragraphs = [NOTE, *paragraphs, "Topics are assigned as by the command `assign`."]
    held: list[c.Held[Any]] = [c.on_print(printed), campaign.hold(result), c.on_print(docs, "docs")]
    if real is not None:
        counted = Counter(topic for topic, _, _ in real.collection.label_sets[GOLD].rows())
        held.append(c.Held(real.name, c.ClaimKind.RECOMPUTED, counted, "docs"))
        rows = [(row.topic, row.docs, counted[row.topic]) for row in TABLE_1]
        title = f"Docs that Gold judged in {real.name}"
        tables.append(
            table_of("table1-docs", title, "topic|docs, published|docs, recomputed", rows)
        )
    return Made(held=held, paragraphs=paragraphs, tables=tables)


def _assignments(collection: JudgedCollection) -> _Topics:
    by_group: dict[str, dict[str, Session]] = {name: {} for name in GROUPS}
    for session in sessions_of(collection.judgments).sessions:
        by_group[session.group][session.topic] = session
    docs = Counter(topic for topic, _, _ in collection.label_sets[GOLD].rows())
    gold, hasty, careful = (by_group[name] for name in GROUPS)
    rows = [
        AssignedTopic(
            topic, docs[topic], gold[topic].assessor, ORDERINGS[gold[topic].ordering],
            hasty[topic].assessor, careful[topic].assessor,
        )
        for topic in sorted(docs)
    ]  # fmt: skip
    return _Topics(rows)


# Docs of each level by group or environment, the highest level first.
_Levels = Mapping[str, tuple[int, ...]]


def _more(counts: _Levels, levels: slice) -> float:
    """Return the smaller of the Bronze groups' counts at the given levels, minus Gold's count."""
    of = {name.removeprefix("PRI-"): sum(row[levels]) for name, row in counts.items()}
    return min(of[HASTY], of[CAREFUL]) - sum(counts[GOLD][levels])


def _liberal(levels: str, relevant: slice, of: str) -> c.Claim[_Levels]:
    return c.claim(
        "The Bronze assessors are more liberal than Gold: fewer L0 and more L2.",
        (f"docs of {levels} beyond Gold's", lambda counts: _more(counts, relevant), c.over(0)),
        ("top-level docs beyond Gold's", lambda counts: _more(counts, slice(0, 1)), c.over(0)),
        of=of,
    )


_TABLE_2: tuple[c.Claim[_Levels], ...] = (
    c.claim(
        "Gold gave L2 1,373 times, L1 1,806 and L0 7,154 times.",
        (
            "labels that differ from the printed numbers",
            lambda counts: sum(
                abs(here - there)
                for name, of in counts.items()
                for here, there in zip(of, LEVELS[name], strict=False)
            ),
            c.equal_to(0),
        ),
        of="print",
    ),
    _liberal("L1 or L2", slice(0, 2), ""),
    # On TREC's scale, grade 1 is not relevant.
    _liberal("grade 2 or 3", slice(0, 2), "dl2021"),
)


@of_label_sets(
    "table2",
    title="Table 2: levels that were given",
    claims=_TABLE_2,
    deviation="Noise alone makes assessors more liberal if few docs are relevant.",
)
def table2(inputs: StudyInputs) -> Made:
    """Count labels by group and ordering, and find groups more liberal than Gold."""
    campaign, llms, real = judged_collection(inputs), dl2021(inputs), www4(inputs)
    counts = _counts(campaign)
    tables = [("table2", f"Levels in the paper and in {campaign.name}", campaign.short, counts)]
    printed = {name: numbers[:-1] for name, numbers in LEVELS.items()}
    held: list[c.Held[Any]] = [c.on_print(printed), campaign.hold(counts)]
    if real is not None:
        gold = _counts(real.collection)
        held.append(real.collection.hold(gold, "print"))
        if not real.is_whole:
            title = f"Gold's levels in the paper and in {real.name}"
            tables.insert(0, ("table2-gold", title, real.collection.short, gold))
    made = [
        table_of(
            key,
            title,
            "level|" + "|".join(f"{name}, published|{name}, {short}" for name in numbers),
            [
                (
                    level,
                    *(
                        cell
                        for name in numbers
                        for cell in (LEVELS[name][n], _with_sum(numbers[name])[n])
                    ),
                )
                for n, level in enumerate(("L2", "L1", "L0", "total"))
            ],
        )
        for key, title, short, numbers in tables
    ]
    if llms is not None:
        labels = _of_groups(llms.collection)
        held.append(llms.collection.hold(labels, "dl2021"))
        heads = "|".join(f"grade {grade_text(n)}" for n in llms.collection.scale.levels[::-1])
        rows = [(name, *_with_sum(numbers)) for name, numbers in labels.items()]
        note = "Several passes of an LLM by their lower median."
        title = "Grades of TREC DL 2021"
        made.append(table_of("table2-dl2021", title, f"group|{heads}|total", rows, note))
    return Made(held=held, paragraphs=[note_of(inputs)], tables=made)


def _with_sum(counts: tuple[int, ...]) -> tuple[int, ...]:
    return (*counts, sum(counts))


def _levels(of: Mapping[float, int]) -> tuple[int, ...]:
    return tuple(of[level] for level in sorted(of, reverse=True))


def _counts(collection: JudgedCollection) -> _Levels:
    """Count levels by group, and by environment if a group has several environments."""
    found = dict(level_counts(collection.judgments, by="group"))
    found |= {environment(name): of for name, of in level_counts(collection.judgments)}
    shown = [name for name in (*LEVELS, HASTY, CAREFUL) if name in found]
    # A group with only one ordering is shown once.
    return {
        name: _levels(found[name]) for name in shown if f"PRI-{name}" not in found or name == GOLD
    }


def _of_groups(collection: JudgedCollection) -> _Levels:
    """Reduce the labels of each group to one level per doc."""
    found = dict(level_counts(Judgments.from_qrels(collection.label_sets), by="assessor"))
    return {name: _levels(found[name]) for name in GROUPS}
