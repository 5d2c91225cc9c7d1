"""The best k docs of each topic by preferences (Clarke, Vtyurina and Smucker 2021).

`thinning`: who is a candidate. `tournament`, `rounds`, `drawn`: who is compared with whom, as
functions of the answers so far (`schedulers`). `hits`, `hit_log`: pairs bundled for crowds, and
which bundles count. `recorded`: what preferences of unknown rounds settle. `budget`, `reliability`,
`crowd_simulation`, `tournament_simulation`: what it will cost and how often it finds the best.
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
