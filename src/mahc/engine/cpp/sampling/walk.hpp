// A random walk over DAGs: each is visited as often as exp(the sum of its scores) says.
//
//   redraw    one variable gets a parent set drawn from all that close no cycle (Gibbs)
//   flip      one arc is reversed, by Metropolis
//   reverse   one arc is reversed and both its ends get new parents (REV; Grzegorczyk and Husmeier 2008)
//   pair      a variable and one of its candidates get parent sets, drawn from all pairs that close no cycle
//             (Gibbs)
//
// Required edges hold in every state: a variable that no partner has as a parent must have the partner as a
// parent.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../search/random_generator.hpp"
#include "parent_lists.hpp"

namespace mahc {

enum class WalkMove { redraw, flip, reverse, pair };

struct MoveShares {
  double flip, reverse, pair;  // the rest is redraw
};

class Walk {
 public:
  static constexpr std::size_t none =
      ParentList::nowhere;  // the variable has no parents, whatever its list says

  // `start` are the places of the parent sets of a legal graph.
  Walk(const ParentLists& lists, std::vector<std::size_t> start)
      : lists_(lists),
        n_(lists.variables()),
        words_((lists.nodes + 63) / 64),
        place_(n_, none),
        children_(lists.nodes * words_, 0),
        seen_(words_, 0),
        todo_(words_, 0) {
    for (const auto& [u, v] : lists.virtual_arcs) {
      children_[row(u) + word(v)] |= bit(v);
    }
    for (std::size_t v = 0; v < n_; ++v) put(v, start[v]);
  }

  const std::vector<std::size_t>& places() const { return place_; }

  // Whether the graph has no cycle and all required edges.
  bool legal() {
    for (std::size_t v = 0; v < n_; ++v) {
      find_descendants(v);
      const Fitting which = fitting(v);
      if (which.impossible || place_[v] == none || !fits(lists_.of[v].sets[place_[v]], which)) return false;
    }
    return true;
  }

  // How often each move was tried, and changed the graph.
  std::array<std::uint64_t, 4> tried{}, changed{};

  void step(RandomGenerator& random, const MoveShares& shares) {
    const double which = random.unit();
    const WalkMove move = which < shares.flip                                  ? WalkMove::flip
                          : which < shares.flip + shares.reverse               ? WalkMove::reverse
                          : which < shares.flip + shares.reverse + shares.pair ? WalkMove::pair
                                                                               : WalkMove::redraw;
    const bool moved = move == WalkMove::flip      ? flip(random)
                       : move == WalkMove::reverse ? reverse(random)
                       : move == WalkMove::pair    ? redraw_pair(random)
                                                   : redraw(random);
    ++tried[static_cast<std::size_t>(move)];
    if (moved) ++changed[static_cast<std::size_t>(move)];
  }

 private:
  // Scores this far below the largest are smaller than its rounding.
  static constexpr double negligible = 37.0;
  static constexpr double far_below =
      600.0;  // where weights relative to the first set of a list are too small

  // Which sets of a variable fit: none of the descendants, all that must be in.
  struct Fitting {
    std::uint32_t bad = 0, must = 0;
    std::int32_t must_outside = -1;
    bool impossible = false;
    std::uint32_t some = 0;  // of these candidates, or of the variables of `some_outside`,
    const std::uint64_t* some_outside = nullptr;  // one at least must be in, where that is given
  };
  struct Total {
    double sum = 0.0;        // of the weights, relative to `unit`
    double log = -INFINITY;  // of the sum of exp(score)
    double top = 0.0;        // the largest score that fits
    bool near = true;        // weights of the list are used, else exp(score - top)
  };

  std::size_t row(std::int32_t u) const { return static_cast<std::size_t>(u) * words_; }
  static std::size_t word(std::int32_t v) { return static_cast<std::size_t>(v) / 64; }
  static std::uint64_t bit(std::int32_t v) { return std::uint64_t{1} << (static_cast<std::size_t>(v) % 64); }
  bool is_seen(std::size_t v) const { return (seen_[v / 64] >> (v % 64)) & 1; }

  bool has_parent(std::size_t v, std::int32_t u) const {
    return place_[v] != none && lists_.of[v].contains(lists_.of[v].sets[place_[v]], u);
  }

  void put(std::size_t v, std::size_t place) {
    const ParentList& list = lists_.of[v];
    const auto child = static_cast<std::int32_t>(v);
    if (place_[v] != none) {
      list.for_each(list.sets[place_[v]], [&](std::int32_t u) {
        children_[row(u) + word(child)] &= ~bit(child);
        --arcs_;
      });
    }
    place_[v] = place;
    if (place != none) {
      list.for_each(list.sets[place], [&](std::int32_t u) {
        children_[row(u) + word(child)] |= bit(child);
        ++arcs_;
      });
    }
  }

  // Marks v and its descendants in `seen_`.
  void find_descendants(std::size_t v) {
    std::fill(seen_.begin(), seen_.end(), 0);
    std::fill(todo_.begin(), todo_.end(), 0);
    seen_[v / 64] = todo_[v / 64] = std::uint64_t{1} << (v % 64);
    for (std::size_t w = v / 64;;) {
      if (!todo_[w]) {
        w = 0;
        while (w < words_ && !todo_[w]) ++w;
        if (w == words_) return;
      }
      const std::size_t u = w * 64 + static_cast<std::size_t>(std::countr_zero(todo_[w]));
      todo_[w] &= todo_[w] - 1;
      const std::uint64_t* const children = &children_[u * words_];
      for (std::size_t k = 0; k < words_; ++k) {
        const std::uint64_t fresh = children[k] & ~seen_[k];
        seen_[k] |= fresh;
        todo_[k] |= fresh;
      }
    }
  }

  // Which sets of v fit the present graph, where v has no descendants but those in `seen_`.
  Fitting fitting(std::size_t v, std::int32_t must = -1) const {
    const ParentList& list = lists_.of[v];
    Fitting found;
    for (std::size_t p = 0; p < list.candidates.size(); ++p) {
      if (is_seen(static_cast<std::size_t>(list.candidates[p]))) found.bad |= std::uint32_t{1} << p;
    }
    const auto require = [&](std::int32_t u) {
      const std::uint32_t b = list.bit_of(u);
      found.must |= b;
      if (!b && found.must_outside >= 0 && found.must_outside != u) found.impossible = true;
      if (!b) found.must_outside = u;
      if (is_seen(static_cast<std::size_t>(u))) found.impossible = true;
    };
    if (must >= 0) require(must);
    for (const std::int32_t u : list.partners) {
      if (!has_parent(static_cast<std::size_t>(u), static_cast<std::int32_t>(v))) require(u);
    }
    return found;
  }

  bool fits(const ParentSet& set, const Fitting& which) const {
    return !(set.inside & which.bad) && (set.inside & which.must) == which.must &&
           (set.outside < 0 ? which.must_outside < 0
                            : !is_seen(static_cast<std::size_t>(set.outside)) &&
                                  (which.must_outside < 0 || which.must_outside == set.outside)) &&
           (!which.some_outside || (set.inside & which.some) ||
            (set.outside >= 0 && (which.some_outside[word(set.outside)] & bit(set.outside))));
  }

  // Calls `visit(place, weight)` for the sets that fit, until it returns true; weights are relative to one
  // unit.
  template <class Visit>
  void scan(const ParentList& list, const Fitting& which, Total& total, Visit visit) const {
    bool any = false;
    for (std::size_t k = 0; k < list.sets.size(); ++k) {
      if (any && list.scores[k] < total.top - negligible) return;
      if (!fits(list.sets[k], which)) continue;
      if (!any) {
        any = true;
        total.top = list.scores[k];
        total.near = list.scores[0] - total.top < far_below;
      }
      if (visit(k, total.near ? list.weights[k] : std::exp(list.scores[k] - total.top))) return;
    }
  }

  Total add_up(std::size_t v, const Fitting& which) const {
    Total total;
    if (which.impossible) return total;
    const ParentList& list = lists_.of[v];
    scan(list, which, total, [&](std::size_t, double weight) {
      total.sum += weight;
      return false;
    });
    if (total.sum > 0.0) total.log = (total.near ? list.scores[0] : total.top) + std::log(total.sum);
    return total;
  }

  // A set that fits, with the probability of its weight.
  std::size_t draw(std::size_t v, const Fitting& which, const Total& total, RandomGenerator& random) const {
    double left = random.unit() * total.sum;
    std::size_t last = none;
    Total again;
    scan(lists_.of[v], which, again, [&](std::size_t k, double weight) {
      last = k;
      left -= weight;
      return left < 0.0;
    });
    return last;
  }

  bool redraw(RandomGenerator& random) {
    const std::size_t v = random.below(n_);
    find_descendants(v);
    const Fitting which = fitting(v);
    const std::size_t place = draw(v, which, add_up(v, which), random);
    if (place == place_[v]) return false;
    put(v, place);
    return true;
  }

  // Both variables lose their parents, and then have the descendants D and E. Their new sets close a cycle
  // only where the one has a parent in E and the other one in D.
  bool redraw_pair(RandomGenerator& random) {
    const std::size_t i = random.below(n_);
    const ParentList& list = lists_.of[i];
    if (list.candidates.empty()) return false;
    const std::int32_t other = list.candidates[random.below(list.candidates.size())];
    const auto j = static_cast<std::size_t>(other);
    if (std::count(list.partners.begin(), list.partners.end(), other)) return false;
    const std::size_t old_i = place_[i], old_j = place_[j];
    put(i, none);
    put(j, none);
    find_descendants(i);
    const std::vector<std::uint64_t> of_i = seen_;
    find_descendants(j);
    const std::vector<std::uint64_t> of_j = seen_;
    const Fitting any_j = fitting(j);
    const Total total_any_j = add_up(j, any_j);
    for (std::size_t k = 0; k < words_; ++k) seen_[k] |= of_i[k];
    const Fitting clear_i = fitting(i), clear_j = fitting(j);
    const Total total_clear_i = add_up(i, clear_i), total_clear_j = add_up(j, clear_j);
    seen_ = of_i;
    Fitting below_i = fitting(i);  // with a parent among the descendants of j
    below_i.some = clear_i.bad;
    below_i.some_outside = of_j.data();
    const Total total_below_i = add_up(i, below_i);
    const double first = total_clear_i.log + total_any_j.log, second = total_below_i.log + total_clear_j.log;
    const bool clear = random.unit() * (1.0 + std::exp(second - first)) < 1.0;
    if (clear) {
      for (std::size_t k = 0; k < words_; ++k) seen_[k] |= of_j[k];
      put(i, draw(i, clear_i, total_clear_i, random));
      seen_ = of_j;
      put(j, draw(j, any_j, total_any_j, random));
    } else {
      put(i, draw(i, below_i, total_below_i, random));
      for (std::size_t k = 0; k < words_; ++k) seen_[k] = of_i[k] | of_j[k];
      put(j, draw(j, clear_j, total_clear_j, random));
    }
    return place_[i] != old_i || place_[j] != old_j;
  }

  // The arc of this number: its tail and its head.
  std::pair<std::int32_t, std::size_t> arc(std::size_t number) const {
    for (std::size_t v = 0; v < n_; ++v) {
      const ParentList& list = lists_.of[v];
      const ParentSet& set = list.sets[place_[v]];
      if (number >= set.size()) {
        number -= set.size();
        continue;
      }
      std::int32_t tail = -1;
      list.for_each(set, [&](std::int32_t u) {
        if (number-- == 0) tail = u;
      });
      return {tail, v};
    }
    return {-1, 0};
  }

  bool flip(RandomGenerator& random) {
    if (!arcs_) return false;
    const auto [tail, head] = arc(random.below(arcs_));
    const double chance = random.unit();
    const auto i = static_cast<std::size_t>(tail);
    const auto j = static_cast<std::int32_t>(head);
    const ParentList &of_tail = lists_.of[i], &of_head = lists_.of[head];
    ParentSet fewer = of_head.sets[place_[head]], more = of_tail.sets[place_[i]];
    of_head.remove(fewer, tail);
    if (!of_tail.add(more, j)) return false;
    const std::size_t new_head = of_head.find(fewer), new_tail = of_tail.find(more);
    if (new_head == none || new_tail == none) return false;
    const double change = of_head.scores[new_head] - of_head.scores[place_[head]] + of_tail.scores[new_tail] -
                          of_tail.scores[place_[i]];
    if (change < 0.0 && chance >= std::exp(change)) return false;
    const std::size_t old = place_[head];
    put(head, new_head);
    find_descendants(i);
    if (is_seen(head)) {
      put(head, old);
      return false;
    }
    put(i, new_tail);
    return true;
  }

  bool reverse(RandomGenerator& random) {
    const std::size_t before = arcs_;
    if (!before) return false;
    const auto [tail, j] = arc(random.below(before));
    const auto i = static_cast<std::size_t>(tail);
    const auto head = static_cast<std::int32_t>(j);
    const std::size_t old_i = place_[i], old_j = place_[j];
    const auto restore = [&] {
      put(i, none);
      put(j, none);
      put(i, old_i);
      put(j, old_j);
      return false;
    };
    put(i, none);
    // The way back draws new parents of j with i among them, then any parents of i.
    find_descendants(i);
    const Total any_i = add_up(i, fitting(i));
    put(j, none);
    find_descendants(j);
    const Total with_i = add_up(j, fitting(j, tail));
    // The way there draws new parents of i with j among them, then any parents of j.
    find_descendants(i);
    const Fitting which_i = fitting(i, head);
    const Total with_j = add_up(i, which_i);
    if (!(with_j.sum > 0.0)) return restore();
    put(i, draw(i, which_i, with_j, random));
    find_descendants(j);
    const Fitting which_j = fitting(j);
    const Total any_j = add_up(j, which_j);
    if (!(any_j.sum > 0.0)) return restore();
    put(j, draw(j, which_j, any_j, random));
    const double odds = std::log(static_cast<double>(before) / static_cast<double>(arcs_)) + with_j.log +
                        any_j.log - with_i.log - any_i.log;
    if (odds < 0.0 && random.unit() >= std::exp(odds)) return restore();
    return true;
  }

  const ParentLists& lists_;
  std::size_t n_, words_;
  std::vector<std::size_t> place_;
  std::vector<std::uint64_t> children_;
  std::vector<std::uint64_t> seen_, todo_;
  std::size_t arcs_ = 0;
};

}  // namespace mahc
