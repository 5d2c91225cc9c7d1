"""Logs of assessors on their topics, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import AnyArray, FloatArray, IntArray
from qrelsmith.base.errors import ShapeError


@dataclass(frozen=True, slots=True, eq=False)
class JudgingLog:
    """Judgments of several sessions; a session is all that one assessor did on one topic.

    Attributes
    ----------
    session : int array [judgment]
        The session of each judgment, from 0.
    doc : int array [judgment]
        The doc that was judged; numbers mean something inside a session only. The judgments of one
        doc come in the order of their revisions.
    grade : float array [judgment]
        The label that was given, without nan. A code such as −2 (could not be displayed) is a label
        as well; what was no judgment is not in the log.
    at : float array [judgment]
        When it was given, in seconds on any clock; nan where that is not known.
    opened : float array [session]
        When the assessor opened the topic, on the same clock; nan where that is not known.
    revisions_kept : bool
        Whether the log holds every revision, or the last ones only.

    Raises
    ------
    ShapeError
        If the arrays do not fit together.
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
