// Local scores of every family that differs from the graph's in one or two parents.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gain_bounds.hpp"
#include "graph.hpp"
#include "score_cache.hpp"

namespace mahc {

// now[v]: the family as it is. once[k]: with slot k toggled. twice[...]: with two slots of one child toggled.
// NaN marks what has not been scored: families above the in-degree limit, additions that close a cycle and,
// in a child that was filled lazily, additions that cannot gain as much as a deletion does.
class NeighbourScores {
 public:
  NeighbourScores(const Space& space, ScoreCache& scores, bool two_deep, const double* pairs)
      : space_(space),
        scores_(scores),
        two_deep_(two_deep),
        pairs_(pairs),
        bounds_(scores, two_deep ? nullptr : pairs) {
    now.assign(space.variables, kUnknown);
    once.assign(space.slots(), kUnknown);
    least_.assign(space.variables, kLowest);
    if (!two_deep) return;
    first_pair_.resize(space.variables + 1, 0);
    for (std::size_t v = 0; v < space.variables; ++v) {
      first_pair_[v + 1] = first_pair_[v] + space.candidates(v) * space.candidates(v);
    }
    pairs_twice_.assign(first_pair_.back(), kUnknown);
  }

  std::vector<double> now, once;

  double gain(std::size_t k) const { return once[k] - now[static_cast<std::size_t>(space_.child[k])]; }
  // Scores with slot a (of child v) toggled and then, one after another, each slot of v toggled.
  const double* twice(std::size_t v, std::size_t slot) const {
    return pairs_twice_.data() + first_pair_[v] + (slot - space_.first[v]) * space_.candidates(v);
  }

  // Brings the tables of the children that changed up to date.
  void fill(const SearchGraph& graph, const std::vector<std::size_t>& children) {
    try {
      for (const std::size_t v : children) {
        if (Poll::wants_stop()) throw Stopped{};
        least_[v] = kLowest;
        note_family(graph, v);
        note_additions(graph, v);
      }
    } catch (...) {
      scores_.forget_noted();  // of tables that may not live until the next flush
      throw;
    }
    scores_.flush();
    for (const std::size_t v : children) mirror(v);
  }

  // The same, without additions that cannot gain more than a deletion from the same family, less the
  // tolerance.
  void fill_lazily(const SearchGraph& graph, const std::vector<std::size_t>& children, double tolerance) {
    if (!bounds_.known()) return fill(graph, children);
    for (const std::size_t v : children) note_family(graph, v);
    scores_.flush();
    for (const std::size_t v : children) {
      double best = tolerance;
      for (const std::size_t k : graph.parent_slots(v)) {
        if (graph.may_remove(k)) best = std::max(best, gain(k));
      }
      least_[v] = best - 2.0 * tolerance;
      note_additions(graph, v);
    }
    scores_.flush();
  }

  // Scores what fill() will ask for after each of these additions, all in one batch.
  void score_after(const SearchGraph& graph, const std::vector<Move>& additions) {
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> wanted;
    std::size_t total = 0;
    for (const Move& addition : additions) {
      const auto v = static_cast<std::size_t>(space_.child[addition.slot]);
      if (static_cast<std::int64_t>(graph.in_degree(v)) + 1 >= space_.limit[v]) continue;
      std::vector<std::size_t> slots;
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        const auto u = static_cast<std::size_t>(space_.parent[k]);
        if (k == addition.slot || graph.has(k) || !space_.addable(k) || graph.reaches(v, u)) continue;
        slots.push_back(k);
      }
      total += slots.size();
      wanted.emplace_back(addition.slot, std::move(slots));
    }
    std::vector<double> scores(total);
    double* next = scores.data();
    for (const auto& [added, slots] : wanted) {
      const std::int32_t child = space_.child[added];
      const std::vector<std::int32_t> parents =
          with(parents_of(graph, static_cast<std::size_t>(child)), space_.parent[added]);
      const FamilyKey key = scores_.key(child, parents);
      double* const row = row_of(static_cast<std::size_t>(child), key);
      if (!row) expect(key, slots);
      for (const std::size_t k : slots) ask_addition(row, key, parents, k, next++);
    }
    scores_.flush();
  }

  bool lazily_filled(std::size_t v) const { return least_[v] > kLowest; }
  // The child's table is put back to one that was filled in full.
  void note_full(std::size_t v) { least_[v] = kLowest; }

  // An arc is in the graph now: its reversal needs the opposite addition.
  void fill_opposite(const SearchGraph& graph, std::size_t arc) {
    if (space_.reverse[arc] < 0) return;
    const auto k = static_cast<std::size_t>(space_.reverse[arc]),
               v = static_cast<std::size_t>(space_.child[k]);
    if (!lazily_filled(v) || !std::isnan(once[k]) || graph.full(v) || !useful_now(graph, v, k)) return;
    note_addition(graph, v, k);
    scores_.flush();
  }

  // Scores additions that were left out as cyclic and, after the last move, no longer are; returns the
  // children concerned.
  std::vector<std::size_t> fill_released(const SearchGraph& graph) {
    std::vector<std::size_t> touched;
    for (const std::size_t v : graph.released()) {
      if (graph.full(v)) continue;
      if (space_.candidates(v) > kManyCandidates && Poll::wants_stop()) {
        scores_.forget_noted();
        throw Stopped{};
      }
      bool any = false;
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        if (!std::isnan(once[k]) || graph.has(k) || !useful_now(graph, v, k)) continue;
        if (lazily_filled(v) && gains_too_little(graph, v, k)) continue;
        note_addition(graph, v, k);
        any = true;
      }
      if (any) touched.push_back(v);
    }
    scores_.flush();
    return touched;
  }

  // Puts a child's tables back as they were, however a trial ends.
  class Restored {
   public:
    Restored(NeighbourScores& neighbour_scores, std::size_t child)
        : neighbour_scores_(neighbour_scores),
          child_(child),
          now_(neighbour_scores.now[child]),
          once_(neighbour_scores.begin(child), neighbour_scores.end(child)) {}
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;
    ~Restored() {
      neighbour_scores_.now[child_] = now_;
      std::copy(once_.begin(), once_.end(), neighbour_scores_.begin(child_));
    }

   private:
    NeighbourScores& neighbour_scores_;
    std::size_t child_;
    double now_;
    std::vector<double> once_;
  };

 private:
  std::vector<double>::iterator begin(std::size_t v) {
    return once.begin() + static_cast<std::ptrdiff_t>(space_.first[v]);
  }
  std::vector<double>::iterator end(std::size_t v) {
    return once.begin() + static_cast<std::ptrdiff_t>(space_.first[v + 1]);
  }

  static constexpr std::size_t kAhead = 8;              // additions whose scores are fetched early
  static constexpr std::size_t kManyCandidates = 1000;  // with fewer, looking at the control would cost time
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  static constexpr double kLowest = -std::numeric_limits<double>::infinity();

  std::vector<std::int32_t> parents_of(const SearchGraph& graph, std::size_t v) const {
    std::vector<std::int32_t> parents;
    for (const std::size_t k : graph.parent_slots(v)) parents.push_back(space_.parent[k]);
    return parents;
  }

  // Can the addition of slot k take part in a legal move: by itself, or as the second half of a reversal?
  bool useful_now(const SearchGraph& graph, std::size_t v, std::size_t k) const {
    if (!space_.addable(k)) return false;
    if (!graph.reaches(v, static_cast<std::size_t>(space_.parent[k]))) return true;
    if (space_.reverse[k] < 0) return false;
    const auto opposite = static_cast<std::size_t>(space_.reverse[k]);
    const auto& out = graph.child_slots(v);  // near the processor, unlike the bits of all slots
    return std::binary_search(out.begin(), out.end(), opposite) && graph.may_reverse(opposite);
  }

  bool gains_too_little(const SearchGraph& graph, std::size_t v, std::size_t k) {
    if (space_.reverse[k] >= 0 && graph.has(static_cast<std::size_t>(space_.reverse[k]))) return false;
    const double most =
        bounds_.most(static_cast<std::int32_t>(v), parents_of(graph, v), space_.parent[k], now[v]);
    return most - now[v] < least_[v];
  }

  // The family as it is, and without each of its parents.
  void note_family(const SearchGraph& graph, std::size_t v) {
    const auto child = static_cast<std::int32_t>(v);
    const std::vector<std::int32_t> parents = parents_of(graph, v);
    const FamilyKey key = scores_.key(child, parents);
    std::fill(begin(v), end(v), kUnknown);
    if (parents.empty() && pairs_) {
      now[v] = pairs_[v * space_.variables + v];
    } else {
      ask(key, child, parents, &now[v]);
    }
    for (const std::size_t k : graph.parent_slots(v)) {
      if (space_.fixed(k)) continue;
      ask(key ^ scores_.parent_key(space_.parent[k]), child, without(parents, space_.parent[k]), &once[k]);
    }
  }

  void note_additions(const SearchGraph& graph, std::size_t v) {
    const std::vector<std::int32_t> parents = parents_of(graph, v);
    const FamilyKey key = scores_.key(static_cast<std::int32_t>(v), parents);
    const bool lazily = lazily_filled(v), paired = parents.empty() && pairs_;
    double* const row = paired ? nullptr : row_of(v, key);
    if (!two_deep_ && !paired && !row && !lazily) {
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k)
        scores_.expect(key ^ scores_.parent_key(space_.parent[k]));
    }
    for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
      if (!may_add_but_for_cycles(space_, graph, k)) continue;
      // Without the second level only legal moves are used, and legality is known here.
      if (!two_deep_ && !useful_now(graph, v, k)) continue;
      if (lazily && gains_too_little(graph, v, k)) continue;
      if (row && k + kAhead < space_.first[v + 1]) expect_unless_kept(row, key, space_.parent[k + kAhead]);
      note_addition(v, k, parents, key, row);
    }
    if (two_deep_) note_twice(graph, v, parents, key);
  }

  void note_addition(const SearchGraph& graph, std::size_t v, std::size_t k) {
    const std::vector<std::int32_t> parents = parents_of(graph, v);
    const FamilyKey key = scores_.key(static_cast<std::int32_t>(v), parents);
    note_addition(v, k, parents, key, parents.empty() && pairs_ ? nullptr : row_of(v, key));
  }

  void note_addition(std::size_t v, std::size_t k, const std::vector<std::int32_t>& parents,
                     const FamilyKey& key, double* row) {
    if (parents.empty() && pairs_) {
      once[k] = pairs_[static_cast<std::size_t>(space_.parent[k]) * space_.variables + v];
      return;
    }
    ask_addition(row, key, parents, k, &once[k]);
  }

  // In a climb over most arcs additions are kept row by row, otherwise one by one.
  bool keeps_rows(std::size_t v) const { return !two_deep_ && 4 * space_.candidates(v) >= space_.variables; }
  double* row_of(std::size_t v, const FamilyKey& key) {
    return keeps_rows(v) ? scores_.additions_to(key) : nullptr;
  }

  // `row` (may be null) is the row of the family with these parents.
  void ask_addition(double* row, const FamilyKey& key, const std::vector<std::int32_t>& parents,
                    std::size_t k, double* into) {
    const std::int32_t u = space_.parent[k];
    const FamilyKey larger = key ^ scores_.parent_key(u);
    if (row) {
      scores_.ask_addition(row + u, larger, space_.child[k], parents, u, into);
    } else {
      scores_.ask(larger, space_.child[k], parents, u, into);
    }
  }

  void expect_unless_kept(const double* row, const FamilyKey& key, std::int32_t u) const {
    if (std::isnan(row[u])) scores_.expect(key ^ scores_.parent_key(u));
  }
  void expect(const FamilyKey& key, const std::vector<std::size_t>& slots) const {
    for (const std::size_t k : slots) scores_.expect(key ^ scores_.parent_key(space_.parent[k]));
  }

  void note_twice(const SearchGraph& graph, std::size_t v, const std::vector<std::int32_t>& parents,
                  const FamilyKey& key) {
    const auto child = static_cast<std::int32_t>(v);
    const std::size_t candidates = space_.candidates(v), first = space_.first[v];
    double* table = pairs_twice_.data() + first_pair_[v];
    std::fill(table, table + candidates * candidates, kUnknown);
    const auto limit = static_cast<std::size_t>(std::max(space_.limit[v], 0));
    for (std::size_t a = 0; a < candidates; ++a) {
      if (space_.fixed(first + a)) continue;
      const std::int32_t u = space_.parent[first + a];
      const bool had = graph.has(first + a);
      if (!had && !space_.addable(first + a)) continue;
      const std::vector<std::int32_t> base = had ? without(parents, u) : with(parents, u);
      const FamilyKey base_key = key ^ scores_.parent_key(u);
      for (std::size_t b = a + 1; b < candidates; ++b) {
        if (space_.fixed(first + b)) continue;
        const std::int32_t w = space_.parent[first + b];
        const FamilyKey both = base_key ^ scores_.parent_key(w);
        double* place = table + a * candidates + b;
        if (graph.has(first + b)) {
          ask(both, child, without(base, w), place);
        } else if (base.size() < limit && space_.addable(first + b)) {
          scores_.ask(both, child, base, w, place);
        }
      }
    }
  }

  // The two orders of toggling give one family; toggling twice changes nothing.
  void mirror(std::size_t v) {
    if (!two_deep_) return;
    const std::size_t n = space_.candidates(v);
    double* table = pairs_twice_.data() + first_pair_[v];
    for (std::size_t a = 0; a < n; ++a) {
      table[a * n + a] = now[v];
      for (std::size_t b = 0; b < a; ++b) table[a * n + b] = table[b * n + a];
    }
  }

  void ask(const FamilyKey& key, std::int32_t child, const std::vector<std::int32_t>& parents, double* into) {
    scores_.ask(key, child, parents, -1, into);
  }
  static std::vector<std::int32_t> without(std::vector<std::int32_t> list, std::int32_t u) {
    list.erase(std::find(list.begin(), list.end(), u));
    return list;
  }
  static std::vector<std::int32_t> with(std::vector<std::int32_t> list, std::int32_t u) {
    list.insert(std::lower_bound(list.begin(), list.end(), u), u);
    return list;
  }

  const Space& space_;
  ScoreCache& scores_;
  bool two_deep_;
  const double* pairs_;
  GainBounds bounds_;
  std::vector<double> least_;  // per child: what an addition must be able to gain to be scored
  std::vector<std::size_t> first_pair_;
  std::vector<double> pairs_twice_;
};

}  // namespace mahc
