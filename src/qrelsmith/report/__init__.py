"""What people read: tables, figures, the audit. Nothing is computed here."""
