"""What every house stands on: errors, registries, array types, seeds, scales, tables, content."""
