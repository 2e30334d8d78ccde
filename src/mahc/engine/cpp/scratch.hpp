// What one thread needs while it counts, and how a dense table is handed to whoever asked for it.
#pragma once
#include <cstdint>
#include <vector>

#include "choice.hpp"
#include "renumbering.hpp"

namespace mahc {

// Buffers of one thread, grown as needed and kept.
struct Scratch {
  std::vector<std::uint32_t> cells, configurations, index, shared, ids, product;
  std::vector<std::uint16_t> short_index;
  std::vector<std::uint64_t> bits;
  Renumbering renumbering;
};

// Layout of a dense table: cell (configuration of the base, child, last), last fastest.
template <class Use>
void hand_over(std::size_t position, const std::uint32_t* cells, std::size_t base_configurations,
               std::size_t child_states, std::size_t last_states, Scratch& s, Use& use) {
  s.configurations.assign(base_configurations * last_states, 0);
  const std::uint32_t* cell = cells;
  for (std::size_t q = 0; q < base_configurations; ++q) {
    std::uint32_t* total = s.configurations.data() + q * last_states;
    for (std::size_t k = 0; k < child_states; ++k, cell += last_states) {
      for (std::size_t x = 0; x < last_states; ++x) total[x] += cell[x];
    }
  }
  use(position, Counts{cells, base_configurations * child_states * last_states, s.configurations.data(),
                       s.configurations.size()});
}

}  // namespace mahc
