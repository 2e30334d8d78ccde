"""Options that several commands share, derived from the declared settings."""
