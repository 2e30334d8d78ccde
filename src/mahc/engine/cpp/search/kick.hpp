// A kick: where to start again after the best moves have ended.
#pragma once
#include <vector>

#include "equivalence_class.hpp"
#include "order.hpp"

namespace mahc {

// A random order of a random member of a graph's equivalence class, with some variables moved at random.
// Moves stay within the places that tiers and required arcs leave, and are taken back where required edges
// would give a variable too many parents.
class Kick {
 public:
  static constexpr std::size_t kInsertions = 10;

  Kick(const Space& space, const Precedence& precedence, std::uint64_t seed)
      : space_(space), precedence_(precedence), random_(seed) {}

  std::vector<std::size_t> disturb(const Parents& best) {
    auto member = RandomMember(space_, precedence_, best).draw(random_);
    Order order(member ? std::move(*member) : topological_order(space_, precedence_, best));
    for (std::size_t i = 0; i < kInsertions; ++i) {
      const std::size_t v = order.variables()[random_.below(order.size())];
      const auto [low, high] =
          precedence_.window(v, [&](std::size_t u) { return order.place_without(u, v); });
      const std::size_t before = order.position(v);
      order.move(v, low + random_.below(high - low + 1));
      if (!fits_required_edges(order, v)) order.move(v, before);
    }
    return order.variables();
  }

 private:
  // Do v and all that have a required edge with it keep within their in-degrees?
  bool fits_required_edges(const Order& order, std::size_t v) const {
    if (!fits(order, v)) return false;
    for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
      if (space_.hold[k] == Hold::adjacency && !fits(order, static_cast<std::size_t>(space_.parent[k])))
        return false;
    }
    return true;
  }
  bool fits(const Order& order, std::size_t v) const {
    std::int64_t count = 0;
    for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
      const bool first = order.precedes(static_cast<std::size_t>(space_.parent[k]), v);
      if (space_.hold[k] == Hold::arc || (space_.hold[k] == Hold::adjacency && first)) ++count;
    }
    return count <= space_.limit[v];
  }

  const Space& space_;
  const Precedence& precedence_;
  RandomGenerator random_;
};

}  // namespace mahc
