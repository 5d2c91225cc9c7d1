"""Table 2 as it was printed: NTCIR-15 WWW-3, Chinese and English subtasks.

These data are not public, so that its numbers cannot be had again; only its claims can be looked at
on another collection.
"""

from __future__ import annotations

from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table

_COLUMNS = (
    "subtask", "setting", "top", "alpha", "phi", "linear nDCG", "exponential nDCG", "Q", "nERR",
    "RBP", "aggregate", "individual",
)  # fmt: skip
# Subtask; setting; top; then the numbers in the order of the columns, shares for percentages.
_ROWS = """\
Chinese; 4to2(≥1); 5; .6256 .7806 .6909 .6727 .7273 .6182 .6909 4.2442 4.3652
Chinese; 4to2(≥2); 5; .6779 .8743 .6545 .6545 .6909 .5636 .6727 4.2810 4.4013
Chinese; 4to2(≥3); 5; .4799 .8885 .4727 .4909 .4545 .4727 .5273 4.5682 4.6317
Chinese; 4 grades; 5; .6598 .9811 .6909 .6727 .7818 .6364 .7455 4.1060 4.2289
Chinese; 7 grades; 5; .3848 .9552 .6909 .6545 .6727 .6364 .6909 3.9864 4.3290
English; 3to2(≥1); 5; .1213 -.2202 .6952 .6907 .6937 .6562 .7027 4.4386 4.6931
English; 3to2(≥2); 5; .0850 .1062 .5661 .5480 .5330 .5480 .5826 4.6871 4.7343
English; 3 grades; 5; .1312 .1501 .7282 .7057 .7207 .6817 .7207 4.4885 4.6790
English; 3to5(logS); 5; nan nan .7432 .7357 .7357 .6952 .7538 4.1821 nan
Chinese; 4to2(≥1); 10; .6048 .7781 .7273 .7273 .7273 .6364 .7455 13.5859 13.9136
Chinese; 4to2(≥2); 10; .6782 .8866 .7273 .7091 .7091 .6000 .7273 13.7294 14.0529
Chinese; 4to2(≥3); 10; .4715 .9123 .5091 .5091 .4545 .4727 .5636 14.5224 14.6942
Chinese; 4 grades; 10; .6468 .9851 .7273 .6909 .7273 .6182 .8000 13.2123 13.5511
Chinese; 7 grades; 10; .4037 .9595 .8000 .7091 .8000 .6364 .8000 12.8050 13.8157
English; 3to2(≥1); 10; .1198 -.2214 .7553 .7508 .7387 .6772 .7643 14.1281 14.8135
English; 3to2(≥2); 10; .0833 .0822 .6396 .6231 .5811 .6066 .6652 14.8191 14.9304
English; 3 grades; 10; .1291 .1313 .7628 .7568 .7477 .6967 .7733 14.2650 14.7831
English; 3to5(logS); 10; nan nan .7883 .7943 .7838 .6892 .8048 13.4380 nan
"""


def _row(line: str) -> tuple[TableCell, ...]:
    subtask, setting, top, numbers = line.split("; ")
    return (subtask, setting, int(top), *map(float, numbers.split()))


PUBLISHED = Table.of(_COLUMNS, map(_row, _ROWS.splitlines()))
