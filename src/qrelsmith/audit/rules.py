"""Constants shared by several sections of the audit."""

from __future__ import annotations

# Level of significance, and number of shuffles of the labels for Φ.
ALPHA = 0.05
SHUFFLES = 5
# With more label sets than this, the page shows only the pairs with the reference. The files
# contain every pair.
MOST_SETS = 8
# If Φ of shuffled labels is closer to 1 than this, Φ cannot show agreement.
PHI_ROOM = 0.05
