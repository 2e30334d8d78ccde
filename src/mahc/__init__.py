"""mahc."""
