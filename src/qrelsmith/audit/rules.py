"""Sizes that several sections of the audit share."""

from __future__ import annotations

# Level of significance, and shuffles of labels beside Φ.
ALPHA = 0.05
SHUFFLES = 5
# Of more label sets, the page shows the pairs with the reference only; the files hold every pair.
MOST_SETS = 8
# Where Φ of shuffled labels leaves less than this up to 1, Φ cannot show agreement.
PHI_ROOM = 0.05
