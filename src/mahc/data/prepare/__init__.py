"""From raw columns to coded ones: types, states, missing values, discretisation, weights, warnings."""
