"""Lists of docs whose PDP is the same, because their grades are."""

from __future__ import annotations

import numpy as np

from qrelsmith.arrays import IntArray


def distinct_lists(codes: IntArray, batch: IntArray) -> tuple[IntArray, IntArray]:
    """One list for all that hold the same grades, in whatever order.

    The PDP of a list depends on the grades of its docs and not on their order. Runs agree about
    the docs at the top, and one assessor with few levels leaves a few hundred lists of thousands.

    Parameters
    ----------
    codes : int array [list, doc, sample]
        Positions of grades; −1 is missing.
    batch : int array [list]
        Which grade-level matrix a list looks at.

    Returns
    -------
    places : int array [distinct]
        A list of each kind.
    kind : int array [list]
        The kind of each list, as a position in `places`.
    """
    lists, docs, samples = codes.shape
    _, number = np.unique(codes.reshape(lists * docs, samples), axis=0, return_inverse=True)
    ordered = np.sort(number.reshape(lists, docs), axis=1)
    _, places, kind = np.unique(
        np.column_stack([batch, ordered]), axis=0, return_index=True, return_inverse=True
    )
    return places.astype(np.int64), kind.reshape(lists).astype(np.int64)
