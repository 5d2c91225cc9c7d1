"""Evaluate with ir_measures as its README does; arguments: QRELS RUN …."""

# Its RBP needs a further package (cwl-eval), so that it is left out here.
import sys

import ir_measures
from ir_measures import AP, nDCG

qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))
evaluator = ir_measures.evaluator([nDCG @ 10, AP], qrels)
for path in sys.argv[2:]:
    print(path, evaluator.calc_aggregate(ir_measures.read_trec_run(path)))
