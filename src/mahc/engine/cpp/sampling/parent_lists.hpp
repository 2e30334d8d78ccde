// The parent sets that each variable may have, with their scores: the best first.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mahc {

// Some of at most 32 candidates of a variable, as bits, and at most one variable outside these (-1: none).
struct ParentSet {
  std::uint32_t inside = 0;
  std::int32_t outside = -1;

  std::size_t size() const {
    return static_cast<std::size_t>(std::popcount(inside)) + (outside >= 0 ? 1 : 0);
  }
  std::uint64_t key() const {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(outside + 1)) << 32) | inside;
  }
};

struct ParentList {
  std::vector<std::int32_t> candidates;
  std::vector<ParentSet> sets;         // by falling score
  std::vector<double> scores;          // in nats
  std::vector<double> weights;         // exp(score - the first score)
  std::vector<std::uint32_t> by_key;   // places of the sets, by rising key
  std::vector<std::int32_t> partners;  // variables that must be joined to this one, in either direction

  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  // The bit of a candidate; 0 for other variables.
  std::uint32_t bit_of(std::int32_t u) const {
    for (std::size_t p = 0; p < candidates.size(); ++p) {
      if (candidates[p] == u) return std::uint32_t{1} << p;
    }
    return 0;
  }

  bool contains(const ParentSet& set, std::int32_t u) const {
    const std::uint32_t bit = bit_of(u);
    return bit ? (set.inside & bit) != 0 : set.outside == u;
  }

  // The set with u in addition; false where no set can be that.
  bool add(ParentSet& set, std::int32_t u) const {
    const std::uint32_t bit = bit_of(u);
    if (!bit && set.outside >= 0) return false;
    if (bit) {
      set.inside |= bit;
    } else {
      set.outside = u;
    }
    return true;
  }

  void remove(ParentSet& set, std::int32_t u) const {
    const std::uint32_t bit = bit_of(u);
    if (bit) {
      set.inside &= ~bit;
    } else {
      set.outside = -1;
    }
  }

  // The place of a set, or `nowhere`.
  std::size_t find(const ParentSet& set) const {
    const auto at = std::lower_bound(by_key.begin(), by_key.end(), set.key(),
                                     [&](std::uint32_t k, std::uint64_t key) { return sets[k].key() < key; });
    return at != by_key.end() && sets[*at].key() == set.key() ? *at : nowhere;
  }

  template <class Visit>
  void for_each(const ParentSet& set, Visit visit) const {
    for (std::uint32_t left = set.inside; left; left &= left - 1) {
      visit(candidates[static_cast<std::size_t>(std::countr_zero(left))]);
    }
    if (set.outside >= 0) visit(set.outside);
  }

  // To be called once when candidates, sets and scores are there.
  void finish() {
    by_key.resize(sets.size());
    std::iota(by_key.begin(), by_key.end(), std::uint32_t{0});
    std::sort(by_key.begin(), by_key.end(),
              [&](std::uint32_t a, std::uint32_t b) { return sets[a].key() < sets[b].key(); });
    weights.resize(scores.size());
    for (std::size_t k = 0; k < scores.size(); ++k) weights[k] = std::exp(scores[k] - scores[0]);
  }
};

// Nodes are the variables and, after these, virtual ones whose arcs encode tiers: a graph must be acyclic
// with them.
struct ParentLists {
  std::vector<ParentList> of;
  std::size_t nodes = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> virtual_arcs;

  std::size_t variables() const { return of.size(); }

  void check() const {
    const auto fail = [](const char* why) { throw std::invalid_argument(why); };
    const auto n = static_cast<std::int32_t>(variables());
    const auto known = [n](std::int32_t u) { return u >= 0 && u < n; };
    if (nodes < variables()) fail("there are fewer nodes than variables");
    for (const auto& [u, v] : virtual_arcs) {
      const auto node = [&](std::int32_t w) { return w >= 0 && static_cast<std::size_t>(w) < nodes; };
      if (!node(u) || !node(v)) fail("a virtual arc is out of range");
    }
    for (std::int32_t v = 0; v < n; ++v) {
      const ParentList& list = of[static_cast<std::size_t>(v)];
      if (list.candidates.size() > 32) fail("a variable has more than 32 candidates");
      for (std::size_t p = 0; p < list.candidates.size(); ++p) {
        const std::int32_t u = list.candidates[p];
        if (!known(u) || u == v || std::count(list.candidates.begin(), list.candidates.end(), u) > 1) {
          fail("a candidate is out of range, the child itself or named twice");
        }
      }
      for (const std::int32_t u : list.partners) {
        if (!known(u) || u == v) fail("a partner is out of range");
      }
      if (list.sets.empty()) fail("a variable has no parent set");
      const auto bits = static_cast<int>(list.candidates.size());
      for (std::size_t k = 0; k < list.sets.size(); ++k) {
        const ParentSet& set = list.sets[k];
        if (static_cast<int>(std::bit_width(set.inside)) > bits)
          fail("a parent set names a candidate that is not there");
        if (set.outside != -1 && (!known(set.outside) || set.outside == v || list.bit_of(set.outside))) {
          fail("a parent outside the candidates is out of range");
        }
        if (!std::isfinite(list.scores[k])) fail("a score is not finite");
        if (k && list.scores[k] > list.scores[k - 1]) fail("the scores of a list rise");
      }
      for (std::size_t k = 1; k < list.by_key.size(); ++k) {
        if (list.sets[list.by_key[k]].key() == list.sets[list.by_key[k - 1]].key()) {
          fail("a parent set is listed twice");
        }
      }
    }
  }
};

}  // namespace mahc
