"""The questions of the scorecard, one file each. Importing this package fills the registry."""

from qrelsmith.base.registration import load_modules

load_modules(__name__, __path__, "@VERDICTS.add(")
