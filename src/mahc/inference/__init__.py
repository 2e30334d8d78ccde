"""Questions to a network with tables: probabilities given observations or interventions, predictions, effects."""
