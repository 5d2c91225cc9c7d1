"""Evaluate with qrelsmith's command line; arguments: QRELS RUN …."""

import sys

from qrelsmith.cli import main

main(["evaluate", *sys.argv[1:], "-m", "nDCG@10", "-m", "AP", "-m", "RBP", "--quiet"])
