"""Plans of experiments: what they hold, and how they are read from TOML and checked."""
