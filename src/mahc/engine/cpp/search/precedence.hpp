// Which variables must precede which in every order: required arcs and, through virtual nodes, tiers.
#pragma once
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "space.hpp"

namespace mahc {

class Precedence {
 public:
  explicit Precedence(const Space& space) : space_(space), later_(space.nodes), earlier_(space.nodes) {
    for (const auto& [from, to] : space.virtual_arcs)
      add(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    for (std::size_t k = 0; k < space.slots(); ++k) {
      if (space.hold[k] == Hold::arc)
        add(static_cast<std::size_t>(space.parent[k]), static_cast<std::size_t>(space.child[k]));
    }
  }

  bool empty() const { return empty_; }
  const std::vector<std::vector<std::size_t>>& later() const { return later_; }
  const std::vector<std::vector<std::size_t>>& earlier() const { return earlier_; }

  // The first and last place of v among the others, which are in a legal order; `place_of` names theirs.
  template <class PlaceOf>
  std::pair<std::size_t, std::size_t> window(std::size_t v, const PlaceOf& place_of) const {
    std::size_t low = 0, high = space_.variables - 1;
    if (empty_) return {low, high};
    each_bound(earlier_, v, [&](std::size_t u) { low = std::max(low, place_of(u) + 1); });
    each_bound(later_, v, [&](std::size_t u) { high = std::min(high, place_of(u)); });
    return {low, high};
  }

 private:
  void add(std::size_t from, std::size_t to) {
    later_[from].push_back(to);
    earlier_[to].push_back(from);
    empty_ = false;
  }

  // The variables bound to v directly or through virtual nodes only.
  template <class Visit>
  void each_bound(const std::vector<std::vector<std::size_t>>& next, std::size_t v, Visit&& visit) const {
    std::vector<std::size_t> waiting(next[v]);
    std::vector<bool> seen(space_.nodes - space_.variables, false);
    while (!waiting.empty()) {
      const std::size_t node = waiting.back();
      waiting.pop_back();
      if (node < space_.variables) {
        visit(node);
      } else if (!seen[node - space_.variables]) {
        seen[node - space_.variables] = true;
        waiting.insert(waiting.end(), next[node].begin(), next[node].end());
      }
    }
  }

  const Space& space_;
  std::vector<std::vector<std::size_t>> later_, earlier_;
  bool empty_ = true;
};

using Parents = std::vector<std::vector<std::int32_t>>;

// The order of a graph that obeys the tiers; of the variables that may come next, the first.
inline std::vector<std::size_t> topological_order(const Space& space, const Precedence& precedence,
                                                  const Parents& parents) {
  std::vector<std::vector<std::size_t>> next = precedence.later();
  std::vector<std::size_t> waiting(space.nodes, 0), order;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    for (const std::int32_t u : parents[v]) next[static_cast<std::size_t>(u)].push_back(v);
  }
  for (const auto& list : next) {
    for (const std::size_t v : list) ++waiting[v];
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  const std::function<void(std::size_t)> follow = [&](std::size_t node) {
    for (const std::size_t w : next[node]) {
      if (--waiting[w] > 0) continue;
      if (w < space.variables) {
        ready.push(w);
      } else {
        follow(w);  // a virtual node takes no place
      }
    }
  };
  for (std::size_t v = 0; v < space.variables; ++v) {
    if (waiting[v] == 0) ready.push(v);
  }
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    follow(order.back());
  }
  if (order.size() != space.variables) throw std::invalid_argument("the graph has a cycle");
  return order;
}

}  // namespace mahc
