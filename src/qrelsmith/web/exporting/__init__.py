"""The app's judgments as a campaign folder, which the audit reads and an import brings back."""
