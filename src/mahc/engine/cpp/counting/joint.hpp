// Ordered tables of a few variables, in which the place of a count gives its states.
#pragma once
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "table.hpp"

namespace mahc {

// Counts of all combinations of states, the last variable varying fastest.
inline std::vector<std::uint32_t> count_joint(const Table& table, const std::vector<std::size_t>& variables,
                                              std::uint64_t most_cells) {
  // A place in the table is a 32-bit number.
  most_cells = std::min(most_cells, std::uint64_t{1} << 32);
  std::uint64_t cells = 1;
  for (const std::size_t v : variables) {
    if (v >= table.variables()) throw std::invalid_argument("a variable is out of range");
    const std::uint64_t states = table.column(v).states;
    if (cells > most_cells / states) throw std::invalid_argument("the joint table would be too large");
    cells *= states;
  }
  std::vector<std::uint32_t> counts(cells);
  std::vector<std::uint32_t> place(table.rows(), 0);
  for (const std::size_t v : variables) {
    const Column& column = table.column(v);
    const auto shift = [&](const auto* codes) {
      for (std::size_t i = 0; i < place.size(); ++i) place[i] = place[i] * column.states + codes[i];
    };
    if (column.bytes == 1) {
      shift(static_cast<const std::uint8_t*>(column.codes));
    } else if (column.bytes == 2) {
      shift(static_cast<const std::uint16_t*>(column.codes));
    } else {
      shift(static_cast<const std::uint32_t*>(column.codes));
    }
  }
  const std::uint32_t* weights = table.weights();
  for (std::size_t i = 0; i < place.size(); ++i) counts[place[i]] += weights ? weights[i] : 1;
  return counts;
}

}  // namespace mahc
