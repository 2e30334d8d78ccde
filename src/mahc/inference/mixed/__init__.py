"""Networks over numbers and states: regressions, logistic regressions and tables, and questions to them."""
