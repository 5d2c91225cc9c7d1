"""Transactions, open work, the chain and verification: the base of every record."""
