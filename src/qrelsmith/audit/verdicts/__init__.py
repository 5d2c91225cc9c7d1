"""The questions of the scorecard, one file each. Importing this package fills the registry."""

from qrelsmith.audit.verdicts import (  # noqa: F401
    agrees,
    complete,
    fair_to_new,
    fair_to_teams,
    finds_differences,
    picks_the_best,
    ranks_all,
    ranks_top,
    uncontested,
    undamaged,
)
