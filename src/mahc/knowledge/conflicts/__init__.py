"""Which statements of the knowledge contradict each other, and the smallest set that does."""
