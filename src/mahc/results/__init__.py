"""The result of learning: graph, scores, explanation, JSON, summary."""
