"""Logs of assessors' judgments of their topics, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import AnyArray, FloatArray, IntArray
from qrelsmith.base.errors import ShapeError


@dataclass(frozen=True, slots=True, eq=False)
class JudgingLog:
    """Judgments of several sessions; a session is all work of one assessor on one topic.

    Attributes
    ----------
    session : int array [judgment]
        The session of each judgment, from 0.
    doc : int array [judgment]
        The judged doc; numbers are only valid inside a session. The judgments of one doc are in the
        order of their revisions.
    grade : float array [judgment]
        The label, without nan. A code such as −2 (could not be displayed) is also a label. Events
        that are not judgments are not in the log.
    at : float array [judgment]
        Time of the judgment, in seconds on any clock; nan if unknown.
    opened : float array [session]
        Time at which the assessor opened the topic, on the same clock; nan if unknown.
    revisions_kept : bool
        Whether the log has every revision, or only the last ones.

    Raises
    ------
    ShapeError
        If the arrays have incompatible shapes.
    """

    session: IntArray
    doc: IntArray
    grade: FloatArray
    at: FloatArray
    opened: FloatArray
    revisions_kept: bool

    def __post_init__(self) -> None:
        columns: tuple[AnyArray, ...] = (self.session, self.doc, self.grade, self.at)
        shapes = {column.shape for column in columns}
        if len(shapes) > 1 or self.session.ndim != 1 or self.opened.ndim != 1:
            raise ShapeError(
                f"session, doc, grade and at must have the same length; found {shapes}"
            )
        if self.session.size and not 0 <= self.session.min() <= self.session.max() < self.sessions:
            raise ShapeError(f"session must hold numbers from 0 to {self.sessions - 1}")
        if np.isnan(self.grade).any():
            raise ShapeError("grade must not contain nan, because unjudged docs are not in the log")

    @property
    def sessions(self) -> int:
        """The number of sessions."""
        return self.opened.size

    def __len__(self) -> int:
        return self.session.size
