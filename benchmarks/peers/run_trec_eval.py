"""Evaluate with trec_eval; arguments: QRELS RUN …."""

import subprocess
import sys

for path in sys.argv[2:]:
    subprocess.run(
        ["trec_eval", "-c", "-m", "ndcg_cut.10", "-m", "map", sys.argv[1], path], check=True
    )
