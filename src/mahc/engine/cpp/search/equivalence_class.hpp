// Another member of a graph's equivalence class, drawn at random, as an order of the variables.
#pragma once
#include <optional>
#include <vector>

#include "graph.hpp"
#include "precedence.hpp"
#include "random_generator.hpp"

namespace mahc {

// Which arcs all members of the class share (Chickering 1995, "label edges"); beside parents[v][i].
inline std::vector<std::vector<bool>> compelled_arcs(const std::vector<std::size_t>& order,
                                                     const Parents& parents) {
  const std::size_t n = parents.size();
  std::vector<std::size_t> place(n);
  for (std::size_t i = 0; i < n; ++i) place[order[i]] = i;
  BitRows parent;
  parent.reset(n, n);
  std::vector<std::vector<bool>> compelled(n), labelled(n);
  for (std::size_t v = 0; v < n; ++v) {
    compelled[v].assign(parents[v].size(), false);
    labelled[v].assign(parents[v].size(), false);
    for (const std::int32_t u : parents[v]) parent.set(v, static_cast<std::size_t>(u));
  }
  for (const std::size_t y : order) {
    const auto& mine = parents[y];
    std::vector<std::size_t> latest_first(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) latest_first[i] = i;
    const auto place_of = [&](std::size_t i) { return place[static_cast<std::size_t>(mine[i])]; };
    std::sort(latest_first.begin(), latest_first.end(),
              [&](std::size_t a, std::size_t b) { return place_of(a) > place_of(b); });
    const auto label_rest = [&](bool value) {
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (!labelled[y][i]) compelled[y][i] = value;
        labelled[y][i] = true;
      }
    };
    for (const std::size_t i : latest_first) {
      if (labelled[y][i]) continue;
      const auto x = static_cast<std::size_t>(mine[i]);
      bool all = false;
      for (std::size_t j = 0; j < parents[x].size() && !all; ++j) {
        if (!compelled[x][j]) continue;
        const auto w = static_cast<std::size_t>(parents[x][j]);
        if (!parent.test(y, w)) {
          compelled[y].assign(mine.size(), true);
          labelled[y].assign(mine.size(), true);
          all = true;
        } else {
          const auto at = static_cast<std::size_t>(std::lower_bound(mine.begin(), mine.end(), parents[x][j]) -
                                                   mine.begin());
          compelled[y][at] = labelled[y][at] = true;
        }
      }
      if (all) break;
      bool collider = false;
      for (const std::int32_t z : mine) {
        if (static_cast<std::size_t>(z) != x && !parent.test(x, static_cast<std::size_t>(z))) collider = true;
      }
      label_rest(collider);
    }
  }
  return compelled;
}

// Takes variables from the end of the order: each a sink of what is left whose undirected neighbours are
// joined to all its neighbours (Dor and Tarsi 1992), the first such variable in a random ranking.
class RandomMember {
 public:
  RandomMember(const Space& space, const Precedence& precedence, const Parents& parents)
      : space_(space), n_(space.variables), parents_(parents) {
    const std::vector<std::size_t> order = topological_order(space, precedence, parents);
    const auto compelled = compelled_arcs(order, parents);
    adjacent_.reset(n_, n_);
    around_.resize(n_);
    beside_.resize(n_);
    left_.assign(space.nodes, true);
    waiting_.assign(space.nodes, 0);
    before_ = precedence.earlier();
    for (std::size_t node = 0; node < space.nodes; ++node) waiting_[node] = precedence.later()[node].size();
    for (std::size_t v = 0; v < n_; ++v) {
      for (std::size_t i = 0; i < parents[v].size(); ++i)
        join(static_cast<std::size_t>(parents[v][i]), v, compelled[v][i]);
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
  const Parents& parents_;
  BitRows adjacent_;
  std::vector<std::vector<std::size_t>> around_, beside_, before_;
  std::vector<bool> left_;
  std::vector<std::size_t> waiting_;
};

}  // namespace mahc
