// Ancestors and descendants of every node, and the arcs that all paths between two nodes share.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace mahc {

// Nodes are named by their place in the topological order, so that paths run upwards. Buffers are kept from
// one call to the next.
class Paths {
 protected:
  struct Arc {
    std::size_t from, to;  // positions in the topological order
    std::int64_t slot;     // -1: virtual
    double gain;           // of its reversal
    bool turnable;         // its reversal is legal now
  };
  static constexpr std::size_t kNoArc = static_cast<std::size_t>(-1);

  Paths(const Space& space, const SearchGraph& graph) : space_(space), graph_(graph) {}

  void trace() {
    place_nodes();
    relate();
  }

  std::size_t at(std::int32_t node) const { return position_[static_cast<std::size_t>(node)]; }
  std::size_t parent_at(std::size_t k) const { return at(space_.parent[k]); }

  template <class Lists>
  static void empty(Lists& lists, std::size_t n) {
    for (auto& list : lists) list.clear();
    lists.resize(n);
  }

  static void set_bit(std::vector<std::uint64_t>& row, std::size_t i) {
    row[i >> 6] |= std::uint64_t{1} << (i & 63);
  }
  static bool test_bit(const std::vector<std::uint64_t>& row, std::size_t i) {
    return row[i >> 6] >> (i & 63) & 1;
  }

  template <class Visit>
  void each_bit(const std::uint64_t* row, Visit&& visit) const {
    for (std::size_t w = 0; w < below_.words(); ++w) {
      for (std::uint64_t m = row[w]; m; m &= m - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(m)));
    }
  }

  std::size_t count_bits(const std::uint64_t* row) const {
    std::size_t total = 0;
    for (std::size_t w = 0; w < below_.words(); ++w) total += count_ones(row[w]);
    return total;
  }

  // visit(arc) for every arc that all paths between two nodes share (leaving out `except`): one sweep over
  // the nodes between them, in order; an arc is shared if it alone crosses from those seen to those not.
  template <class Visit>
  void each_bridge(std::size_t from, std::size_t to, std::size_t except, Visit&& visit) {
    between_.assign(below_.words(), 0);
    const std::uint64_t *down = below_.row(from), *up = above_.row(to);
    const std::size_t w0 = from >> 6, w1 = to >> 6;
    for (std::size_t w = w0; w <= w1; ++w) between_[w] = down[w] & up[w];
    set_bit(between_, from);
    set_bit(between_, to);
    std::int64_t open = 0;
    std::size_t which = 0;  // exclusive or of the open arcs: the arc itself when one is open
    const auto cross = [&](std::size_t e, std::int64_t step) {
      open += step;
      which ^= e;
    };
    for (std::size_t w = w0; w <= w1; ++w) {
      for (std::uint64_t m = between_[w]; m; m &= m - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(m));
        if (i >= to) return;
        if (i != from) {
          for (const std::size_t e : in_[i]) {
            if (e != except && test_bit(between_, arcs_[e].from)) cross(e, -1);
          }
        }
        for (std::size_t e = out_first_[i]; e < out_first_[i + 1]; ++e) {
          if (e != except && test_bit(between_, arcs_[e].to)) cross(e, 1);
        }
        if (open == 1) visit(which);
      }
    }
  }

  const Space& space_;
  const SearchGraph& graph_;
  std::vector<std::size_t> position_, arc_of_slot_, out_first_, below_count_, above_count_;
  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> in_;
  BitRows below_, around_, above_;  // descendants; those by a path of two arcs or more; ancestors

 private:
  void place_nodes() {
    const auto& order = graph_.order();
    position_.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) position_[static_cast<std::size_t>(order[i])] = i;
    arc_of_slot_.assign(space_.slots(), kNoArc);
    arcs_.clear();
    out_first_.assign(order.size() + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto node = static_cast<std::size_t>(order[i]);
      for (const std::size_t k : graph_.child_slots(node)) {
        arc_of_slot_[k] = arcs_.size();
        arcs_.push_back({i, at(space_.child[k]), static_cast<std::int64_t>(k), 0.0, false});
      }
      for (const std::int32_t w : graph_.virtual_children(node)) arcs_.push_back({i, at(w), -1, 0.0, false});
      out_first_[i + 1] = arcs_.size();
    }
    empty(in_, order.size());
    for (std::size_t e = 0; e < arcs_.size(); ++e) in_[arcs_[e].to].push_back(e);
  }

  void relate() {
    const std::size_t n = position_.size();
    below_.reset(n, n);
    around_.reset(n, n);
    above_.reset(n, n);
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t e = out_first_[i]; e < out_first_[i + 1]; ++e) {
        around_.unite(i, below_.row(arcs_[e].to));
        below_.set(i, arcs_[e].to);
      }
      below_.unite(i, around_.row(i));
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (const std::size_t e : in_[i]) {
        above_.unite(i, above_.row(arcs_[e].from));
        above_.set(i, arcs_[e].from);
      }
    }
    below_count_.resize(n);
    above_count_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      below_count_[i] = count_bits(below_.row(i));
      above_count_[i] = count_bits(above_.row(i));
    }
  }

  std::vector<std::uint64_t> between_;
};

}  // namespace mahc
