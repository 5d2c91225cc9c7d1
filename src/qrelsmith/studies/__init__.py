"""Studies: registration, computation and reports of reproduced artefacts of papers."""
