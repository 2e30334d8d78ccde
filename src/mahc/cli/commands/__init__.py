"""The commands of `mahc`, one file each, loaded only when they are called."""
