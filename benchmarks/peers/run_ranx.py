"""Evaluate with ranx as its README does; arguments: QRELS RUN …."""

import sys

from ranx import Qrels, Run, evaluate

qrels = Qrels.from_file(sys.argv[1], kind="trec")
for path in sys.argv[2:]:
    run = Run.from_file(path, kind="trec")
    print(path, evaluate(qrels, run, ["ndcg@10", "map", "rbp.80"], make_comparable=True))
