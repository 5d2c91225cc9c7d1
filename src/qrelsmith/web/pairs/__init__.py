"""Preference judging: which pairs are asked, who has which, what was answered."""
