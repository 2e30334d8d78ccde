// The arcs that all paths between two nodes share.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace mahc {

class SharedArcs {
 public:
  SharedArcs(const Space& space, const SearchGraph& graph) : space_(space), graph_(graph) {}

  // visit(slot) for every arc that all paths between two nodes share, leaving out the slot `except`: one
  // sweep over the nodes between them, in order; an arc is shared if it alone crosses from those seen to
  // those not.
  template <class Visit>
  void each(std::size_t from, std::size_t to, std::int64_t except, Visit&& visit) {
    between_.clear();
    graph_.descendants().each_common(from, graph_.ancestors().row(to),
                                     [&](std::size_t node) { between_.push_back(node); });
    // Ancestors of a node have fewer ancestors than it has.
    std::sort(between_.begin(), between_.end(), [this](std::size_t a, std::size_t b) {
      return graph_.ancestor_count(a) < graph_.ancestor_count(b);
    });
    std::int64_t open = 0;
    std::size_t which = 0;  // exclusive or of the open arcs, as slot + 1; virtual arcs count as 0
    const auto cross = [&](std::size_t other, std::size_t arc, std::int64_t step) {
      if (!is_between(from, to, other)) return;
      open += step;
      which ^= arc;
    };
    const auto is_excepted = [except](std::size_t k) { return static_cast<std::int64_t>(k) == except; };
    const auto leave = [&](std::size_t node) {
      for (const std::size_t k : graph_.child_slots(node)) {
        if (!is_excepted(k)) cross(head_of(space_, k), k + 1, 1);
      }
      for (const std::int32_t w : graph_.virtual_children(node)) cross(static_cast<std::size_t>(w), 0, 1);
      if (open == 1 && which > 0) visit(which - 1);
    };
    leave(from);
    for (const std::size_t node : between_) {
      if (node < space_.variables) {
        for (const std::size_t k : graph_.parent_slots(node)) {
          if (!is_excepted(k)) cross(tail_of(space_, k), k + 1, -1);
        }
      }
      for (const std::int32_t w : graph_.virtual_parents(node)) cross(static_cast<std::size_t>(w), 0, -1);
      leave(node);
    }
  }

 private:
  bool is_between(std::size_t from, std::size_t to, std::size_t node) const {
    return node == from || node == to || (graph_.reaches(from, node) && graph_.reaches(node, to));
  }

  const Space& space_;
  const SearchGraph& graph_;
  std::vector<std::size_t> between_;
};

}  // namespace mahc
