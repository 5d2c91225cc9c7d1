"""The front page, the instructions and error responses, for work on docs and on pairs."""
