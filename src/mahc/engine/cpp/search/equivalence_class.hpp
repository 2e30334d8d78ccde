// Another member of a graph's equivalence class, drawn at random, as an order of the variables.
#pragma once
#include <optional>
#include <vector>

#include "graph.hpp"
#include "precedence.hpp"
#include "random_generator.hpp"

namespace mahc {

// Which arcs all members of the class share (Chickering 1995, "label edges").
class CompelledArcs {
 public:
  CompelledArcs(const std::vector<std::size_t>& order, const Parents& parents) : parents_(parents) {
    const std::size_t n = parents.size();
    place_.resize(n);
    for (std::size_t i = 0; i < n; ++i) place_[order[i]] = i;
    is_parent_.reset(n, n);
    labels_.resize(n);
    for (std::size_t v = 0; v < n; ++v) {
      labels_[v].assign(parents[v].size(), Label::none);
      for (const std::int32_t u : parents[v]) is_parent_.set(v, static_cast<std::size_t>(u));
    }
    for (const std::size_t v : order) label_arcs_into(v);
  }

  // Is the arc from the i-th parent of v the same in all members?
  bool compelled(std::size_t v, std::size_t i) const { return labels_[v][i] == Label::compelled; }

 private:
  enum class Label : std::uint8_t { none, compelled, reversible };

  void label_arcs_into(std::size_t y) {
    std::vector<std::size_t> latest_first(parents_[y].size());
    for (std::size_t i = 0; i < latest_first.size(); ++i) latest_first[i] = i;
    const auto place_of = [&](std::size_t i) { return place_[static_cast<std::size_t>(parents_[y][i])]; };
    std::sort(latest_first.begin(), latest_first.end(),
              [&](std::size_t a, std::size_t b) { return place_of(a) > place_of(b); });
    for (const std::size_t i : latest_first) {
      if (labels_[y][i] != Label::none) continue;
      const auto x = static_cast<std::size_t>(parents_[y][i]);
      if (!follow_compelled(x, y)) {
        std::fill(labels_[y].begin(), labels_[y].end(), Label::compelled);
        return;
      }
      const Label label = has_other_parent(x, y) ? Label::compelled : Label::reversible;
      std::replace(labels_[y].begin(), labels_[y].end(), Label::none, label);
    }
  }

  // Labels w -> y compelled for each compelled w -> x; false where some such w is not a parent of y.
  bool follow_compelled(std::size_t x, std::size_t y) {
    const auto& mine = parents_[y];
    for (std::size_t j = 0; j < parents_[x].size(); ++j) {
      if (labels_[x][j] != Label::compelled) continue;
      const std::int32_t w = parents_[x][j];
      if (!is_parent_.test(y, static_cast<std::size_t>(w))) return false;
      labels_[y][static_cast<std::size_t>(std::lower_bound(mine.begin(), mine.end(), w) - mine.begin())] =
          Label::compelled;
    }
    return true;
  }

  // Has y a parent other than x that is not a parent of x?
  bool has_other_parent(std::size_t x, std::size_t y) const {
    return std::any_of(parents_[y].begin(), parents_[y].end(), [&](std::int32_t z) {
      const auto other = static_cast<std::size_t>(z);
      return other != x && !is_parent_.test(x, other);
    });
  }

  const Parents& parents_;
  std::vector<std::size_t> place_;
  BitRows is_parent_;
  std::vector<std::vector<Label>> labels_;
};

// Takes variables from the end of the order: each a sink of what is left whose undirected neighbours are
// joined to all its neighbours (Dor and Tarsi 1992), the first such variable in a random ranking.
class RandomMember {
 public:
  RandomMember(const Space& space, const Precedence& precedence, const Parents& parents)
      : space_(space), n_(space.variables) {
    const CompelledArcs arcs(topological_order(space, precedence, parents), parents);
    adjacent_.reset(n_, n_);
    around_.resize(n_);
    beside_.resize(n_);
    left_.assign(space.nodes, true);
    waiting_.assign(space.nodes, 0);
    before_ = precedence.earlier();
    for (std::size_t node = 0; node < space.nodes; ++node) waiting_[node] = precedence.later()[node].size();
    for (std::size_t v = 0; v < n_; ++v) {
      for (std::size_t i = 0; i < parents[v].size(); ++i)
        join(static_cast<std::size_t>(parents[v][i]), v, arcs.compelled(v, i));
    }
  }

  // None where knowledge leaves no variable to take.
  std::optional<std::vector<std::size_t>> draw(RandomGenerator& random) {
    std::vector<std::size_t> rank = random.permutation(n_), order;
    while (!rank.empty()) {
      const auto found = std::find_if(rank.begin(), rank.end(), [&](std::size_t v) { return may_go(v); });
      if (found == rank.end()) return std::nullopt;
      order.push_back(*found);
      take(*found);
      rank.erase(found);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

 private:
  void join(std::size_t u, std::size_t v, bool compelled) {
    adjacent_.set(u, v);
    adjacent_.set(v, u);
    around_[u].push_back(v);
    around_[v].push_back(u);
    if (compelled) {
      ++waiting_[u];
      before_[v].push_back(u);
    } else {
      beside_[u].push_back(v);
      beside_[v].push_back(u);
    }
  }

  bool may_go(std::size_t v) const {
    if (waiting_[v] > 0 || !fits_required_edges(v)) return false;
    for (const std::size_t y : beside_[v]) {
      if (!left_[y]) continue;
      for (const std::size_t z : around_[v]) {
        if (left_[z] && z != y && !adjacent_.test(y, z)) return false;
      }
    }
    return true;
  }

  // Standing last, v gets all its required edges to those left as parents.
  bool fits_required_edges(std::size_t v) const {
    std::int64_t count = 0;
    for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
      if (space_.hold[k] == Hold::arc) ++count;
      if (space_.hold[k] == Hold::adjacency && left_[static_cast<std::size_t>(space_.parent[k])]) ++count;
    }
    return count <= space_.limit[v];
  }

  void take(std::size_t node) {
    left_[node] = false;
    for (const std::size_t u : before_[node]) {
      if (--waiting_[u] == 0 && u >= n_) take(u);  // a virtual node goes with the last that it waited for
    }
  }

  const Space& space_;
  std::size_t n_;
  BitRows adjacent_;
  std::vector<std::vector<std::size_t>> around_, beside_, before_;
  std::vector<bool> left_;
  std::vector<std::size_t> waiting_;
};

}  // namespace mahc
