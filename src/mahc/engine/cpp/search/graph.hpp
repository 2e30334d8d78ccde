// The graph of a search, with its topological order and its transitive closure.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "legality.hpp"
#include "space.hpp"

namespace mahc {

// Without a popcount instruction in the baseline, std::popcount would be a call for every word.
inline std::size_t count_ones(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<std::size_t>((x * 0x0101010101010101ULL) >> 56);
}

// Bit rows, one per node.
class BitRows {
 public:
  void reset(std::size_t rows, std::size_t bits) {
    words_ = (bits + 63) / 64;
    data_.assign(rows * words_, 0);
  }
  std::size_t words() const { return words_; }
  std::uint64_t* row(std::size_t i) { return data_.data() + i * words_; }
  const std::uint64_t* row(std::size_t i) const { return data_.data() + i * words_; }
  bool test(std::size_t i, std::size_t j) const { return data_[i * words_ + (j >> 6)] >> (j & 63) & 1; }
  void set(std::size_t i, std::size_t j) { data_[i * words_ + (j >> 6)] |= std::uint64_t{1} << (j & 63); }
  void unite(std::size_t into, const std::uint64_t* other) {
    std::uint64_t* r = row(into);
    for (std::size_t w = 0; w < words_; ++w) r[w] |= other[w];
  }

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> data_;
};

class SearchGraph {
 public:
  SearchGraph(const Space& space, const std::vector<std::size_t>& start) : space_(&space) {
    present_.assign((space.slots() + 63) / 64, 0);
    parents_.resize(space.variables);
    children_.resize(space.nodes);
    for (const std::size_t k : start) insert(k);
    refresh();
  }

  bool has(std::size_t slot) const { return present_[slot >> 6] >> (slot & 63) & 1; }
  // Slots of the parents of v, ascending.
  const std::vector<std::size_t>& parent_slots(std::size_t v) const { return parents_[v]; }
  // Slots of the arcs out of u, ascending by child.
  const std::vector<std::size_t>& child_slots(std::size_t u) const { return children_[u]; }
  std::size_t in_degree(std::size_t v) const { return parents_[v].size(); }
  bool full(std::size_t v) const { return static_cast<std::int64_t>(in_degree(v)) >= space_->limit[v]; }
  std::vector<std::size_t> slots() const {
    std::vector<std::size_t> all;
    for (const auto& list : parents_) all.insert(all.end(), list.begin(), list.end());
    return all;
  }

  // Is there a directed path of at least one arc from a to b (through virtual nodes too)?
  bool reaches(std::size_t a, std::size_t b) const { return descendants_.test(a, b); }
  const std::vector<std::int32_t>& order() const {
    if (!ordered_) sort();
    return order_;
  }

  bool may_add(std::size_t k) const { return mahc::may_add(*space_, *this, k); }
  bool may_remove(std::size_t k) const { return mahc::may_remove(*space_, *this, k); }
  bool may_reverse(std::size_t k) const { return mahc::may_reverse(*space_, *this, k); }
  // A path from u to v beside the arc itself.
  bool another_path(std::size_t u, std::size_t v) const {
    for (const std::size_t k : children_[u]) {
      const auto c = static_cast<std::size_t>(space_->child[k]);
      if (c != v && reaches(c, v)) return true;
    }
    for (const std::int32_t w : virtual_children(u)) {
      if (reaches(static_cast<std::size_t>(w), v)) return true;
    }
    return false;
  }

  void apply(const Move& move) {
    if (move.kind != MoveKind::add) erase(move.slot);
    if (move.kind == MoveKind::add) insert(move.slot);
    if (move.kind == MoveKind::reverse) insert(static_cast<std::size_t>(space_->reverse[move.slot]));
    if (move.kind == MoveKind::add) {
      join(tail_of(*space_, move.slot), head_of(*space_, move.slot));
    } else {
      refresh();
    }
  }

  const std::vector<std::int32_t>& virtual_children(std::size_t node) const { return virtual_out_[node]; }

 private:
  void insert(std::size_t k) {
    present_[k >> 6] |= std::uint64_t{1} << (k & 63);
    auto& parents = parents_[static_cast<std::size_t>(space_->child[k])];
    parents.insert(std::lower_bound(parents.begin(), parents.end(), k), k);
    auto& children = children_[static_cast<std::size_t>(space_->parent[k])];
    children.insert(std::lower_bound(children.begin(), children.end(), k), k);
  }
  void erase(std::size_t k) {
    present_[k >> 6] &= ~(std::uint64_t{1} << (k & 63));
    auto& parents = parents_[static_cast<std::size_t>(space_->child[k])];
    parents.erase(std::lower_bound(parents.begin(), parents.end(), k));
    auto& children = children_[static_cast<std::size_t>(space_->parent[k])];
    children.erase(std::lower_bound(children.begin(), children.end(), k));
  }

  // The arc u -> v is new: whatever reaches u now reaches v and all that v reaches.
  void join(std::size_t u, std::size_t v) {
    ordered_ = false;
    if (u == v || reaches(v, u)) throw std::invalid_argument("the graph has a cycle");
    if (reaches(u, v)) return;
    const std::uint64_t* below = descendants_.row(v);
    for (std::size_t a = 0; a < space_->nodes; ++a) {
      if ((a != u && !reaches(a, u)) || reaches(a, v)) continue;
      descendants_.set(a, v);
      descendants_.unite(a, below);
    }
  }

  // The topological order; the same graph always has the same.
  void sort() const {
    const std::size_t n = space_->nodes;
    std::vector<std::size_t> waiting(n, 0);
    for (std::size_t v = 0; v < space_->variables; ++v) waiting[v] = parents_[v].size();
    for (const auto& arc : space_->virtual_arcs) ++waiting[static_cast<std::size_t>(arc.second)];
    order_.clear();
    for (std::size_t v = 0; v < n; ++v) {
      if (waiting[v] == 0) order_.push_back(static_cast<std::int32_t>(v));
    }
    const auto release = [&](std::size_t v) {
      if (--waiting[v] == 0) order_.push_back(static_cast<std::int32_t>(v));
    };
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto v = static_cast<std::size_t>(order_[i]);
      for (const std::size_t k : children_[v]) release(static_cast<std::size_t>(space_->child[k]));
      for (const std::int32_t w : virtual_out_[v]) release(static_cast<std::size_t>(w));
    }
    if (order_.size() != n) throw std::invalid_argument("the graph has a cycle");
    ordered_ = true;
  }

  void refresh() {
    if (virtual_out_.empty()) {
      virtual_out_.resize(space_->nodes);
      for (const auto& [from, to] : space_->virtual_arcs)
        virtual_out_[static_cast<std::size_t>(from)].push_back(to);
    }
    sort();
    const std::size_t n = space_->nodes;
    descendants_.reset(n, n);
    for (std::size_t i = n; i-- > 0;) {
      const auto v = static_cast<std::size_t>(order_[i]);
      const auto join = [&](std::size_t w) {
        descendants_.set(v, w);
        descendants_.unite(v, descendants_.row(w));
      };
      for (const std::size_t k : children_[v]) join(static_cast<std::size_t>(space_->child[k]));
      for (const std::int32_t w : virtual_out_[v]) join(static_cast<std::size_t>(w));
    }
  }

  const Space* space_;
  std::vector<std::uint64_t> present_;  // bits: copies of a graph of all arcs stay small
  std::vector<std::vector<std::size_t>> parents_, children_;
  std::vector<std::vector<std::int32_t>> virtual_out_;
  mutable std::vector<std::int32_t> order_;  // made when it is asked for
  mutable bool ordered_ = false;
  BitRows descendants_;
};

}  // namespace mahc
