"""Judgments: events in which an assessor gives a grade to a doc of a topic."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.items import item_parts
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.collection import frames
from qrelsmith.collection.qrels import Qrels
from qrelsmith.io import cells
from qrelsmith.io.content_digest import content_digest
from qrelsmith.io.table_reading import TextTable, check_table
from qrelsmith.io.times import TimeArray
from qrelsmith.judgments.judgment_tables import COLUMNS, FIELDS, fields_of, take_rows, text_table
from qrelsmith.judgments.merged_names import merge_names
from qrelsmith.judgments.ratings import Ratings

_OURS = ("topic", "doc", "grade")
_THEIRS = dict(zip(_OURS, frames.QREL_NAMES["ir_measures"], strict=True))


@dataclass(frozen=True, eq=False, repr=False)
class Judgments:
    """Judgments, sorted by topic, doc, assessor and revision.

    Attributes
    ----------
    topics, docs, assessors : tuple of str
        The distinct names, sorted; for an aspect of an answer, the doc is a key (`base.items`).
    topic, doc, assessor : int array [judgment]
        Positions in `topics`, `docs` and `assessors`.
    grade : float array [judgment]
        The grades, finite. Codes below 0 are kept: −1 unjudged, −2 could not be displayed.
    group, hit, ordering, label, note, scale : tuple of str [judgment] or None
        Text, empty if missing; None if missing throughout.
    position, active_ms, idle_ms, revision : float array [judgment] or None
        Whole numbers from 0 on, nan if missing. A higher revision is newer.
    shown_at, judged_at : datetime64[us] array [judgment] or None
        Points in time in UTC, NaT if missing.
    """

    topics: tuple[str, ...]
    docs: tuple[str, ...]
    assessors: tuple[str, ...]
    topic: IntArray
    doc: IntArray
    assessor: IntArray
    grade: FloatArray
    group: tuple[str, ...] | None = None
    hit: tuple[str, ...] | None = None
    position: FloatArray | None = None
    ordering: tuple[str, ...] | None = None
    shown_at: TimeArray | None = None
    judged_at: TimeArray | None = None
    active_ms: FloatArray | None = None
    idle_ms: FloatArray | None = None
    revision: FloatArray | None = None
    label: tuple[str, ...] | None = None
    note: tuple[str, ...] | None = None
    scale: tuple[str, ...] | None = None

    @classmethod
    def from_columns(cls, columns: Mapping[str, Sequence[object]]) -> Judgments:
        """Return judgments from columns of Python values, named as in a judgments file.

        Ids are text; None, nan and an empty text are missing values; times are `datetime` with a
        time zone, text or milliseconds since 1970.

        Raises
        ------
        UsageError
            If a column is unknown, missing or of another length, or an id is not text.
        InputError
            As in `read_judgments`, with the number of the row instead of the line.
        """
        return cls.from_table(check_table(text_table(columns), COLUMNS))

    @classmethod
    def from_table(
        cls, table: TextTable, *, scale: Scale | None = None, off_scale: cells.OffScale = "error"
    ) -> Judgments:
        """Return judgments from a table of text; see `read_judgments`."""
        grade = cells.grades(table.columns["grade"], table.lines, path=table.path)
        if scale is not None:
            kept = cells.on_scale(grade, scale, table.lines, path=table.path, off_scale=off_scale)
            if not kept.all():
                rows = np.flatnonzero(kept)
                columns = {n: take_rows(column, rows) for n, column in table.columns.items()}
                table = TextTable(table.path, columns, take_rows(table.lines, rows))
                grade = grade[rows]
        return cls(**fields_of(table, grade))

    @classmethod
    def from_frame(cls, frame: Any) -> Judgments:
        """Return judgments from a data frame with the columns of a judgments file.

        The columns topic, doc and grade may have the names used by ir_measures or PyTerrier.

        Raises
        ------
        UsageError, InputError
            See `from_columns`.
        """
        columns = frames.columns_of(frame)
        pyterrier = frames.QREL_NAMES["pyterrier"]
        # A column `label` without the other names is ours: the origin of a label.
        theirs = pyterrier if set(pyterrier) <= columns.keys() else _THEIRS.values()
        ours = dict(zip(theirs, _OURS, strict=True))
        names = [ours.get(name, name) for name in columns]
        if len(set(names)) < len(names):
            raise UsageError(
                f"two columns in {quoted(' '.join(columns))} have the same meaning; expected one"
            )
        return cls.from_columns(dict(zip(names, columns.values(), strict=True)))

    @classmethod
    def from_qrels(cls, qrels: Mapping[str, Qrels]) -> Judgments:
        """Return judgments from the qrels of each assessor."""
        by_assessor = {name: judged for name, judged in sorted(qrels.items()) if len(judged)}
        topics, topic = merge_names(
            [(judged.topics, judged.topic) for judged in by_assessor.values()]
        )
        docs, doc = merge_names([(judged.docs, judged.doc) for judged in by_assessor.values()])
        assessor = np.repeat(
            np.arange(len(by_assessor)), [len(judged) for judged in by_assessor.values()]
        )
        grade = np.concatenate([np.empty(0), *(judged.grade for judged in by_assessor.values())])
        rows = np.lexsort((assessor, doc, topic))
        return cls(
            topics, docs, tuple(by_assessor), topic[rows], doc[rows], assessor[rows], grade[rows]
        )

    @property
    def aspect(self) -> tuple[str, ...] | None:
        """The aspect of each judgment (empty for a doc), or None if no judgment has an aspect."""
        aspects = [item_parts(key)[1] for key in self.docs]
        return tuple(aspects[place] for place in self.doc.tolist()) if any(aspects) else None

    def of_aspects(self, wanted: Callable[[str, str], bool]) -> Judgments:
        """Return the judgments of some aspects, selected by a function of topic and aspect."""
        aspects = self.aspect or ("",) * len(self)
        topics = [self.topics[place] for place in self.topic.tolist()]
        return self.select(np.array(list(map(wanted, topics, aspects)), dtype=bool))

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        people = len(self.assessors)
        return f"<Judgments: {len(self)} of {len(self.topics)} topics, {people} assessors>"

    def digest(self) -> str:
        """Return the SHA-256 of all judgments with all their columns."""
        return content_digest(self._columns("qrelsmith"))

    def select(self, kept: BoolArray) -> Judgments:
        """Return the judgments that the boolean array `kept` selects, without unused ids."""
        rows = np.flatnonzero(kept)
        values: dict[str, Any] = {}
        for ids, codes in (("topics", "topic"), ("docs", "doc"), ("assessors", "assessor")):
            used, values[codes] = np.unique(getattr(self, codes)[rows], return_inverse=True)
            values[ids] = tuple(getattr(self, ids)[place] for place in used.tolist())
        for name in ("grade", *FIELDS):
            values[name] = take_rows(getattr(self, name), rows)
        return Judgments(**values)

    def restricted_to(
        self, *, topics: Collection[str] | None = None, assessors: Collection[str] | None = None
    ) -> Judgments:
        """Return the judgments of some topics and assessors; unknown names are ignored."""
        is_wanted = np.ones(len(self), dtype=bool)
        for wanted, names, codes in (
            (topics, self.topics, self.topic),
            (assessors, self.assessors, self.assessor),
        ):
            if wanted is not None:
                named = set(wanted)
                is_wanted &= np.array([name in named for name in names], dtype=bool)[codes]
        return self.select(is_wanted)

    def current(self) -> Judgments:
        """Return the newest revision of every judgment."""
        keys = np.stack([self.topic, self.doc, self.assessor])
        return self.select(np.append((np.diff(keys) != 0).any(axis=0), True)[: len(self)])

    def by_group(self) -> dict[str, Judgments]:
        """Return the judgments of each group; judgments without a group are under an empty name."""
        group = np.array(self.group or [""] * len(self), dtype=object)
        return {name: self.select(group == name) for name in sorted(set(group.tolist()))}

    def ratings(
        self, *, errors: Literal["missing", "nonrelevant"] = "missing", kept: Collection[float] = ()
    ) -> Ratings:
        """Return the current grades as a dense array.

        Parameters
        ----------
        errors : {'missing', 'nonrelevant'}
            The meaning of the code −2 (could not be displayed): no grade, or the grade 0. The other
            codes below 0 are not grades.
        kept : collection of float
            Codes that are kept.
        """
        if errors not in ("missing", "nonrelevant"):
            raise UsageError(f"errors={quoted(errors)}; expected 'missing' or 'nonrelevant'")
        now = self.current()
        pairs, unit = np.unique(now.topic * len(now.docs) + now.doc, return_inverse=True)
        values = np.full((len(now.assessors), len(pairs)), np.nan)
        grade = np.where((now.grade == -2) & (errors == "nonrelevant"), 0.0, now.grade)
        is_code = (grade < 0) & ~np.isin(grade, list(kept))
        values[now.assessor, unit] = np.where(is_code, np.nan, grade)
        width = max(len(now.docs), 1)
        units = [(now.topics[pair // width], now.docs[pair % width]) for pair in pairs.tolist()]
        return Ratings(values, now.assessors, tuple(units))

    def to_qrels(self, *, assessor: str | None = None, name: str | None = None) -> Qrels:
        """Return the current grades as qrels, including codes.

        Parameters
        ----------
        assessor : str, optional
            The assessor; required if a doc has judgments by several.
        name : str, optional
            The name of the qrels, by default that of the assessor.

        Raises
        ------
        UsageError
            If there is no such assessor, or a doc has judgments by several and none is named.
        """
        if assessor is not None and assessor not in self.assessors:
            raise UsageError(
                f"the assessor {quoted(assessor)} has no judgments; expected at least one"
            )
        now = self.current()
        now = now if assessor is None else now.restricted_to(assessors=[assessor])
        twice = np.flatnonzero((np.diff(now.topic) == 0) & (np.diff(now.doc) == 0))
        if twice.size:
            topic, doc = now.topics[now.topic[twice[0]]], now.docs[now.doc[twice[0]]]
            raise UsageError(
                f"topic {quoted(topic)} doc {quoted(doc)} has judgments of several "
                "assessors; expected one assessor. Name an assessor, or aggregate the grades first"
            )
        return Qrels(
            name=name or assessor or "judgments",
            topics=now.topics,
            docs=now.docs,
            topic=now.topic,
            doc=now.doc,
            grade=now.grade,
        )

    def _repr_html_(self) -> str:
        of = np.bincount(self.assessor, minlength=len(self.assessors)).tolist()
        rows = zip(self.assessors, of, strict=True)
        title = (
            f"{len(self):,} judgments of {len(self.docs):,} docs, {len(self.topics):,} topics,"
            f" {len(self.assessors):,} assessors"
        )
        return Table.of(("assessor", "judgments"), rows)._repr_html_(title=title)

    def to_pandas(self, *, names: Literal["ir_measures", "qrelsmith"] = "ir_measures") -> Any:
        """Return a pandas data frame with the column names of ir_measures or qrelsmith.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return frames.pandas_frame(self._columns(names))

    def to_polars(self, *, names: Literal["ir_measures", "qrelsmith"] = "ir_measures") -> Any:
        """Return a polars data frame; see `to_pandas`."""
        return frames.polars_frame(self._columns(names))

    def filled_columns(self) -> dict[str, Any]:
        """Return the non-empty columns, named as in a judgments file."""
        return self._columns("qrelsmith")

    def _columns(self, names: str) -> dict[str, Any]:
        if names not in ("ir_measures", "qrelsmith"):
            raise UsageError(f"names={quoted(names)}; expected 'ir_measures' or 'qrelsmith'")
        shown = _THEIRS if names == "ir_measures" else {}
        columns: dict[str, Any] = {
            name: [ids[place] for place in codes.tolist()]
            for name, ids, codes in (
                ("topic", self.topics, self.topic),
                ("doc", self.docs, self.doc),
                ("assessor", self.assessors, self.assessor),
            )
        }
        columns["grade"] = self.grade
        columns |= {name: getattr(self, name) for name in COLUMNS.optional}
        if columns["aspect"] is not None:
            columns["doc"] = [item_parts(key)[0] for key in columns["doc"]]
        return {shown.get(n, n): values for n, values in columns.items() if values is not None}
