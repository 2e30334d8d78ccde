"""What every structure learner works with: the problem, the control of a long run, tie order, settings."""
