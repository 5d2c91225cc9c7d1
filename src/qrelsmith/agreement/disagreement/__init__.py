"""Where Gold and Bronze disagree, what is serious, and a second round of judging."""
