"""Studies: artefacts of papers made anew, whoever brings them; registered, run and reported."""
