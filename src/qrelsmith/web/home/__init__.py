"""The front page, the instructions and refusals, for work on docs and on pairs."""
