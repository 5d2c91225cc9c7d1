"""Events as arrays and as judgments, cached in memory between requests."""
