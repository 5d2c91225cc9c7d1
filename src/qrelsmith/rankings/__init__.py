"""Rankings of systems: compared, consistent, significant, fair to new teams, with enough topics."""
