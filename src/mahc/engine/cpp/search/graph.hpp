// The graph of a search, with its transitive closure in both directions.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <utility>
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
  void clear(std::size_t i) { std::fill_n(row(i), words_, 0); }
  // Adds j and the bits of its row to row i.
  void absorb(std::size_t i, std::size_t j) {
    set(i, j);
    unite(i, row(j));
  }
  std::size_t count(std::size_t i) const {
    std::size_t total = 0;
    const std::uint64_t* r = row(i);
    for (std::size_t w = 0; w < words_; ++w) total += count_ones(r[w]);
    return total;
  }
  // i and the bits of its row.
  std::vector<std::size_t> with_bits(std::size_t i) const {
    std::vector<std::size_t> list{i};
    each_bit(row(i), words_, [&](std::size_t j) { list.push_back(j); });
    return list;
  }
  // visit(j) for the bits that row i shares with another row.
  template <class Visit>
  void each_common(std::size_t i, const std::uint64_t* other, Visit&& visit) const {
    const std::uint64_t* r = row(i);
    for (std::size_t w = 0; w < words_; ++w) each_bit_of(w, r[w] & other[w], visit);
  }

  // visit(j) for the bits of a row, ascending.
  template <class Visit>
  static void each_bit(const std::uint64_t* row, std::size_t words, Visit&& visit) {
    for (std::size_t w = 0; w < words; ++w) each_bit_of(w, row[w], visit);
  }

 private:
  template <class Visit>
  static void each_bit_of(std::size_t word, std::uint64_t bits, Visit&& visit) {
    for (; bits; bits &= bits - 1) visit(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  std::size_t words_ = 0;
  std::vector<std::uint64_t> data_;
};

class SearchGraph {
 public:
  SearchGraph(const Space& space, const std::vector<std::size_t>& start) : space_(&space) {
    present_.assign((space.slots() + 63) / 64, 0);
    parents_.resize(space.variables);
    children_.resize(space.nodes);
    virtual_out_.resize(space.nodes);
    virtual_in_.resize(space.nodes);
    for (const auto& [from, to] : space.virtual_arcs) {
      virtual_out_[static_cast<std::size_t>(from)].push_back(to);
      virtual_in_[static_cast<std::size_t>(to)].push_back(from);
    }
    for (const std::size_t k : start) insert(k);
    close();
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
    released_.clear();
    if (move.kind == MoveKind::add) return add(move.slot);
    erase(move.slot);
    part(tail_of(*space_, move.slot), head_of(*space_, move.slot));
    if (move.kind == MoveKind::reverse) add(static_cast<std::size_t>(space_->reverse[move.slot]));
  }

  // The variables whose arcs, in or out, may have become legal to add or reverse by the last move, because it
  // cut the only path between two nodes.
  const std::vector<std::size_t>& released() const { return released_; }

  // Adds an arc for as long as this object lives. Paths through it are not known to reaches().
  class Tentative {
   public:
    Tentative(SearchGraph& graph, std::size_t slot) : graph_(graph), slot_(slot) { graph_.insert(slot_); }
    ~Tentative() { graph_.erase(slot_); }
    Tentative(const Tentative&) = delete;
    Tentative& operator=(const Tentative&) = delete;

   private:
    SearchGraph& graph_;
    std::size_t slot_;
  };

  const std::vector<std::int32_t>& virtual_children(std::size_t node) const { return virtual_out_[node]; }
  const std::vector<std::int32_t>& virtual_parents(std::size_t node) const { return virtual_in_[node]; }
  // visit(node) for the nodes that arcs, virtual ones included, lead to, or come from.
  template <class Visit>
  void each_child(std::size_t node, Visit&& visit) const {
    for (const std::size_t k : children_[node]) visit(head_of(*space_, k));
    for (const std::int32_t w : virtual_out_[node]) visit(static_cast<std::size_t>(w));
  }
  template <class Visit>
  void each_parent(std::size_t node, Visit&& visit) const {
    if (node < space_->variables) {
      for (const std::size_t k : parents_[node]) visit(tail_of(*space_, k));
    }
    for (const std::int32_t w : virtual_in_[node]) visit(static_cast<std::size_t>(w));
  }

  const BitRows& descendants() const { return descendants_; }
  const BitRows& ancestors() const { return ancestors_; }
  std::size_t descendant_count(std::size_t node) const { return descendant_counts_[node]; }
  std::size_t ancestor_count(std::size_t node) const { return ancestor_counts_[node]; }

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

  void add(std::size_t k) {
    insert(k);
    join(tail_of(*space_, k), head_of(*space_, k));
  }

  // The arc u -> v is new: whatever reaches u now reaches v and all that v reaches.
  void join(std::size_t u, std::size_t v) {
    if (u == v || reaches(v, u)) throw std::invalid_argument("the graph has a cycle");
    if (reaches(u, v)) return;
    for (const std::size_t a : ancestors_.with_bits(u)) {
      if (reaches(a, v)) continue;
      descendants_.absorb(a, v);
      descendant_counts_[a] = descendants_.count(a);
    }
    for (const std::size_t d : descendants_.with_bits(v)) {
      if (ancestors_.test(d, u)) continue;
      ancestors_.absorb(d, u);
      ancestor_counts_[d] = ancestors_.count(d);
    }
  }

  // The arc u -> v is gone: what reached u may no longer reach v and what v reaches.
  void part(std::size_t u, std::size_t v) {
    if (another_path(u, v)) return;
    const std::vector<std::size_t> above = nearest_first(ancestors_.with_bits(u), descendant_counts_);
    const std::vector<std::size_t> below = nearest_first(descendants_.with_bits(v), ancestor_counts_);
    for (const std::size_t a : above) find_descendants(a);
    for (const std::size_t d : below) find_ancestors(d);
    for (const auto* list : {&above, &below}) {
      std::copy_if(list->begin(), list->end(), std::back_inserter(released_),
                   [this](std::size_t node) { return node < space_->variables; });
    }
  }

  // A node has more descendants than any of them has, and likewise ancestors: this is a topological order.
  static std::vector<std::size_t> nearest_first(std::vector<std::size_t> nodes,
                                                const std::vector<std::size_t>& counts) {
    std::sort(nodes.begin(), nodes.end(),
              [&](std::size_t a, std::size_t b) { return counts[a] < counts[b]; });
    return nodes;
  }

  // From the rows of its children, or of its parents.
  void find_descendants(std::size_t node) {
    descendants_.clear(node);
    each_child(node, [&](std::size_t c) { descendants_.absorb(node, c); });
    descendant_counts_[node] = descendants_.count(node);
  }
  void find_ancestors(std::size_t node) {
    ancestors_.clear(node);
    each_parent(node, [&](std::size_t p) { ancestors_.absorb(node, p); });
    ancestor_counts_[node] = ancestors_.count(node);
  }

  // The nodes in a topological order.
  std::vector<std::size_t> sorted() const {
    const std::size_t n = space_->nodes;
    std::vector<std::size_t> waiting(n, 0), order;
    for (std::size_t v = 0; v < space_->variables; ++v) waiting[v] = parents_[v].size();
    for (const auto& arc : space_->virtual_arcs) ++waiting[static_cast<std::size_t>(arc.second)];
    for (std::size_t v = 0; v < n; ++v) {
      if (waiting[v] == 0) order.push_back(v);
    }
    const auto release = [&](std::size_t v) {
      if (--waiting[v] == 0) order.push_back(v);
    };
    for (std::size_t i = 0; i < order.size(); ++i) each_child(order[i], release);
    if (order.size() != n) throw std::invalid_argument("the graph has a cycle");
    return order;
  }

  void close() {
    const std::vector<std::size_t> order = sorted();
    const std::size_t n = space_->nodes;
    descendants_.reset(n, n);
    ancestors_.reset(n, n);
    descendant_counts_.resize(n);
    ancestor_counts_.resize(n);
    for (std::size_t i = n; i-- > 0;) find_descendants(order[i]);
    for (const std::size_t node : order) find_ancestors(node);
  }

  const Space* space_;
  std::vector<std::uint64_t> present_;  // bits: copies of a graph of all arcs stay small
  std::vector<std::vector<std::size_t>> parents_, children_;
  std::vector<std::vector<std::int32_t>> virtual_out_, virtual_in_;
  std::vector<std::size_t> released_;
  BitRows descendants_, ancestors_;
  std::vector<std::size_t> descendant_counts_, ancestor_counts_;
};

}  // namespace mahc
