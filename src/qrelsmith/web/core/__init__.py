"""What every record stands on: transactions, what is open, the chain, verification."""
