"""Sizes that several sections of the audit share."""

from __future__ import annotations

# Levels of significance, and how many random trials stand behind a p-value.
ALPHA = 0.05
TRIALS = 2000
# Bootstrap samples behind the intervals of PDP, and shuffles of labels beside Φ.
RESAMPLES = 500
SHUFFLES = 5
# Of more label sets, the page shows the pairs with the reference only; the files hold every pair.
MOST_SETS = 8
# Where Φ of shuffled labels leaves less than this up to 1, Φ cannot show agreement.
PHI_ROOM = 0.05
