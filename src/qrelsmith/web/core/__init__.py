"""Transactions, assignments, the hash chain and verification: the base of all records."""
