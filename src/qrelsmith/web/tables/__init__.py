"""Events as arrays and as judgments, kept in memory between requests."""
