"""Export of judgments as a campaign folder, which the audit reads and an import restores."""
