"""Evaluate with pytrec_eval as its README does; arguments: QRELS RUN …."""

import sys

import pytrec_eval

with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"})
for path in sys.argv[2:]:
    with open(path) as file:
        run = pytrec_eval.parse_run(file)
    results = evaluator.evaluate(run)
    for measure in ("ndcg_cut_10", "map"):
        print(path, measure, sum(result[measure] for result in results.values()) / len(qrels))
