"""`python -m qrelsmith` is the command `qrelsmith`."""

from qrelsmith.cli import main

main()
