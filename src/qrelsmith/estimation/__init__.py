"""Few human labels, valid conclusions: which docs to judge, and what may then be claimed."""
