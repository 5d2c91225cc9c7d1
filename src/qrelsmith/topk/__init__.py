"""The best k docs of each topic by preferences (Clarke, Vtyurina and Smucker 2021).

`thinning` selects candidates. `tournament`, `rounds` and `drawn` choose the next pairs from the
answers so far (`schedulers`). `hits` and `hit_log` bundle pairs for crowds and accept submissions.
`recorded` infers results from preferences whose rounds are unknown. `budget`, `reliability`,
`crowd_simulation` and `tournament_simulation` forecast cost and accuracy.
"""

from qrelsmith.base.registration import load_modules
from qrelsmith.topk.answers import Answer, Pair
from qrelsmith.topk.drawn import Drawn
from qrelsmith.topk.ranking import RankedDoc, best_places, competition_ranks
from qrelsmith.topk.rounds import Rounds, round_robin
from qrelsmith.topk.schedulers import SCHEDULERS, Scheduler, State
from qrelsmith.topk.thinning import Thinned, thin
from qrelsmith.topk.tournament import Tournament, comparisons_bound

__all__ = [
    "SCHEDULERS",
    "Answer",
    "Drawn",
    "Pair",
    "RankedDoc",
    "Rounds",
    "Scheduler",
    "State",
    "Thinned",
    "Tournament",
    "best_places",
    "comparisons_bound",
    "competition_ranks",
    "round_robin",
    "thin",
]

# A new file needs no line above.
load_modules(__name__, __path__, "@SCHEDULERS.add(")
