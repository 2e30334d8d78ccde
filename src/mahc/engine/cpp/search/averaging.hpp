// The paper's objective: the mean of a graph's score and the scores of all its neighbours, for every
// neighbour of the current graph at once (Algorithm 2, lines 5 to 10), without walking the neighbours'
// neighbours.
//
// The score is a sum over families, so the moves of a neighbour differ from the moves of the graph only where
// the move between them reaches: (i) in the one or two families it changes, whose gains come from the second
// level of NeighbourScores; (ii) additions and reversals that would now close a cycle; (iii) additions and
// reversals that were blocked by a cycle through the arc that was removed. With `sum` and `count` of the
// gains of all legal moves of the graph, each neighbour's sum and count are those corrected by (i) to (iii).
#pragma once
#include <cmath>
#include <vector>

#include "neighbour_scores.hpp"
#include "paths.hpp"

namespace mahc {

class Averager : private Paths {
 public:
  Averager(const Space& space, const SearchGraph& graph, const NeighbourScores& neighbour_scores)
      : Paths(space, graph), neighbour_scores_(neighbour_scores) {}

  // Collects the moves of the graph as it is now; buffers are reused.
  void look() {
    own_ = 0.0;
    sum_ = 0.0;
    count_ = 0;
    trace();
    empty(released_, arcs_.size());
    collect_additions();
    collect_reversals();
    for (const double score : neighbour_scores_.now) own_ += score;
  }

  double own() const { return own_; }
  double average() const { return own_ + sum_ / (1.0 + static_cast<double>(count_)); }
  std::int64_t neighbours() const { return count_; }

  // visit(move, gain in the score, averaged score) for every neighbour.
  template <class Visit>
  void each_neighbour(Visit&& visit) {
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (space_.candidates(v) > 0 && Poll::wants_stop()) throw Stopped{};
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        const double gain = neighbour_scores_.gain(k);
        if (!graph_.has(k)) {
          if (graph_.may_add(k)) visit(Move{MoveKind::add, k}, gain, averaged(gain, after_addition(k)));
          continue;
        }
        const std::size_t arc = arc_of_slot_[k];
        if (graph_.may_remove(k))
          visit(Move{MoveKind::remove, k}, gain, averaged(gain, after_removal(k, arc)));
        if (arcs_[arc].turnable) {
          const double both = gain + neighbour_scores_.gain(static_cast<std::size_t>(space_.reverse[k]));
          visit(Move{MoveKind::reverse, k}, both, averaged(both, after_reversal(k, arc)));
        }
      }
    }
  }

 private:
  struct Blocked {         // a move that is illegal only because of a cycle
    std::size_t from, to;  // addition: the child and the parent wanted; reversal: the arc's ends
    double gain;
    bool reversal;
  };
  struct Entry {
    std::size_t other;
    double gain;
  };
  struct Change {
    double sum = 0.0;
    std::int64_t count = 0;
    void gains(double x) {
      sum += x;
      ++count;
    }
    void loses(double x) {
      sum -= x;
      --count;
    }
  };
  double averaged(double gain, const Change& c) const {
    return own_ + gain + (sum_ + c.sum) / (1.0 + static_cast<double>(count_ + c.count));
  }

  void collect_additions() {
    const std::size_t n = position_.size();
    family_sum_.assign(n, 0.0);
    family_count_.assign(n, 0);
    empty(additions_into_, n);
    empty(additions_from_, n);
    for (std::size_t v = 0; v < space_.variables; ++v) {
      const std::size_t i = position_[v];
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        const std::size_t u = parent_at(k);
        const double gain = neighbour_scores_.gain(k);
        if (may_add_but_for_cycles(space_, graph_, k)) {
          if (below_.test(i, u)) {
            note_bridges({i, u, gain, false}, kNoArc);
            continue;
          }
          additions_into_[i].push_back({u, gain});
          additions_from_[u].push_back({i, gain});
        } else if (!graph_.may_remove(k)) {
          continue;
        }
        family_sum_[i] += gain;
        ++family_count_[i];
      }
      sum_ += family_sum_[i];
      count_ += family_count_[i];
    }
  }

  // Lists the blocked move under the arcs whose removal makes it legal.
  void note_bridges(const Blocked& move, std::size_t except) {
    each_bridge(move.from, move.to, except, [&](std::size_t arc) { released_[arc].push_back(move); });
  }

  void collect_reversals() {
    empty(turns_from_, position_.size());
    empty(turns_into_, position_.size());
    for (std::size_t e = 0; e < arcs_.size(); ++e) {
      Arc& arc = arcs_[e];
      if (arc.slot < 0) continue;
      const auto k = static_cast<std::size_t>(arc.slot);
      if (!may_reverse_but_for_cycles(space_, graph_, k)) continue;
      arc.gain =
          neighbour_scores_.gain(k) + neighbour_scores_.gain(static_cast<std::size_t>(space_.reverse[k]));
      if (around_.test(arc.from, arc.to)) {
        note_bridges({arc.from, arc.to, arc.gain, true}, e);
        continue;
      }
      arc.turnable = true;
      sum_ += arc.gain;
      ++count_;
      turns_from_[arc.from].push_back({arc.to, arc.gain});
      turns_into_[arc.to].push_back({arc.from, arc.gain});
    }
  }

  // (ii): new paths from `sources` (and s) to `targets` (and t) close cycles for legal moves that run the
  // other way. Families of the positions in `touched` are left to touch().
  template <class IsTouched>
  void lose_cyclic(const std::uint64_t* sources, std::size_t source_count, std::size_t s,
                   const std::uint64_t* targets, std::size_t target_count, std::size_t t, IsTouched&& touched,
                   Change& c) const {
    const auto has = [](const std::uint64_t* row, std::size_t i) {
      return (row[i >> 6] >> (i & 63) & 1) != 0;
    };
    if (source_count <= target_count) {
      const auto is_target = [&](std::size_t x) { return x == t || has(targets, x); };
      const auto from = [&](std::size_t y) {
        if (touched(y)) return;
        for (const Entry& e : additions_into_[y]) {
          if (is_target(e.other)) c.loses(e.gain);
        }
        for (const Entry& e : turns_from_[y]) {
          if (!touched(e.other) && is_target(e.other)) c.loses(e.gain);
        }
      };
      from(s);
      each_bit(sources, from);
    } else {
      const auto is_source = [&](std::size_t y) { return y == s || has(sources, y); };
      const auto to = [&](std::size_t x) {
        for (const Entry& e : additions_from_[x]) {
          if (!touched(e.other) && is_source(e.other)) c.loses(e.gain);
        }
        if (touched(x)) return;
        for (const Entry& e : turns_into_[x]) {
          if (!touched(e.other) && is_source(e.other)) c.loses(e.gain);
        }
      };
      to(t);
      each_bit(targets, to);
    }
  }

  struct Touched {
    std::size_t variable, position, toggled;  // toggled: the slot
  };

  // The graph after a move that touches the families in `t`, with the queries of legality.hpp.
  template <std::size_t N, class Reaches, class Around>
  struct Neighbour {
    const Averager& from;
    const Touched (&t)[N];
    Reaches& path;
    Around& path_around;

    bool has(std::size_t k) const {
      bool present = from.graph_.has(k);
      for (const Touched& touched : t) present = present != (touched.toggled == k);
      return present;
    }
    bool full(std::size_t v) const {
      auto degree = static_cast<std::int64_t>(from.graph_.in_degree(v));
      for (const Touched& touched : t) {
        if (touched.variable == v) degree += from.graph_.has(touched.toggled) ? -1 : 1;
      }
      return degree >= from.space_.limit[v];
    }
    bool reaches(std::size_t a, std::size_t b) const { return path(from.position_[a], from.position_[b]); }
    bool another_path(std::size_t u, std::size_t v) const {
      return path_around(from.position_[u], from.position_[v]);
    }
  };

  // (i): all moves that change a family in `t`, before and after. reaches(y, x): a path from the touched y to
  // x in the neighbour; around(x, z): a path of two arcs or more where x or z is touched.
  template <std::size_t N, class Reaches, class Around>
  void touch(const Touched (&t)[N], Reaches&& reaches, Around&& around, Change& c) const {
    const auto which = [&](std::size_t position) {
      for (std::size_t i = 0; i < N; ++i) {
        if (t[i].position == position) return static_cast<int>(i);
      }
      return -1;
    };
    const auto gain_after = [&](std::size_t k) {
      const auto v = static_cast<std::size_t>(space_.child[k]);
      for (std::size_t i = 0; i < N; ++i) {
        if (t[i].variable != v) continue;
        return neighbour_scores_.twice(v, t[i].toggled)[k - space_.first[v]] -
               neighbour_scores_.once[t[i].toggled];
      }
      return neighbour_scores_.gain(k);
    };
    const Neighbour<N, Reaches, Around> after{*this, t, reaches, around};
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t v = t[i].variable, p = t[i].position;
      c.sum -= family_sum_[p];
      c.count -= family_count_[p];
      for (const Entry& e : turns_into_[p]) c.loses(e.gain);
      for (const Entry& e : turns_from_[p]) {
        if (which(e.other) < 0) c.loses(e.gain);
      }
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        if (!after.has(k)) {
          if (may_add(space_, after, k)) c.gains(gain_after(k));
          continue;
        }
        if (may_remove(space_, after, k)) c.gains(gain_after(k));
        if (may_reverse(space_, after, k))
          c.gains(gain_after(k) + gain_after(static_cast<std::size_t>(space_.reverse[k])));
      }
      if (after.full(v)) continue;
      for (const std::size_t k : graph_.child_slots(v)) {
        if (which(at(space_.child[k])) >= 0 || !may_reverse(space_, after, k)) continue;
        c.gains(neighbour_scores_.gain(k) + gain_after(static_cast<std::size_t>(space_.reverse[k])));
      }
    }
  }

  Change after_addition(std::size_t k) const {
    const auto child = static_cast<std::size_t>(space_.child[k]);
    const std::size_t u = parent_at(k), v = position_[child];
    Change c;
    lose_cyclic(
        above_.row(u), above_count_[u], u, below_.row(v), below_count_[v], v,
        [v](std::size_t i) { return i == v; }, c);
    const auto from_u = [&](std::size_t x) { return x == u || above_.test(u, x); };
    const auto to_v = [&](std::size_t z) { return z == v || below_.test(v, z); };
    const Touched t[] = {{child, v, k}};
    touch(
        t,
        [&](std::size_t y, std::size_t x) { return below_.test(y, x); },  // nothing above v is new below it
        [&](std::size_t x, std::size_t z) {
          return around_.test(x, z) || (x == u ? below_.test(v, z) : from_u(x) && to_v(z));
        },
        c);
    return c;
  }

  Change after_removal(std::size_t k, std::size_t arc) const {
    const auto child = static_cast<std::size_t>(space_.child[k]);
    const std::size_t v = position_[child];
    Change c;
    std::vector<std::size_t> freed;  // parents of v whose arc loses its only detour
    for (const Blocked& b : released_[arc]) {
      if (b.reversal && b.to == v) {
        freed.push_back(b.from);
      } else {
        c.gains(b.gain);
      }
    }
    const Touched t[] = {{child, v, k}};
    touch(
        t, [&](std::size_t y, std::size_t x) { return below_.test(y, x); },
        [&](std::size_t x, std::size_t z) { return around_.test(x, z) && !(z == v && contains(freed, x)); },
        c);
    return c;
  }

  static bool contains(const std::vector<std::size_t>& list, std::size_t x) {
    for (const std::size_t y : list) {
      if (y == x) return true;
    }
    return false;
  }

  // A reversal is a removal followed by the opposite addition; paths without the arc are computed when
  // needed.
  Change after_reversal(std::size_t k, std::size_t arc) {
    const auto child = static_cast<std::size_t>(space_.child[k]),
               parent = static_cast<std::size_t>(space_.parent[k]);
    const std::size_t u = position_[parent], v = position_[child], words = below_.words();
    above_v_.assign(words, 0);
    below_u_.assign(words, 0);
    around_u_.assign(words, 0);
    for (const std::size_t e : in_[v]) {
      if (e == arc) continue;
      const std::uint64_t* row = above_.row(arcs_[e].from);
      for (std::size_t w = 0; w < words; ++w) above_v_[w] |= row[w];
      set_bit(above_v_, arcs_[e].from);
    }
    for (std::size_t e = out_first_[u]; e < out_first_[u + 1]; ++e) {
      if (e == arc) continue;
      const std::uint64_t* row = below_.row(arcs_[e].to);
      for (std::size_t w = 0; w < words; ++w) around_u_[w] |= row[w];
      set_bit(below_u_, arcs_[e].to);
    }
    for (std::size_t w = 0; w < words; ++w) below_u_[w] |= around_u_[w];
    const auto to_v = [&](std::size_t y) { return y == v || test_bit(above_v_, y); };
    const auto from_u = [&](std::size_t x) { return x == u || test_bit(below_u_, x); };
    const auto touched = [u, v](std::size_t i) { return i == u || i == v; };
    Change c;
    std::vector<std::size_t> freed;
    for (const Blocked& b : released_[arc]) {
      if (touched(b.from)) continue;
      if (b.reversal && b.to == v) {
        freed.push_back(b.from);
      } else if (!(b.reversal && b.to == u) && !(to_v(b.from) && from_u(b.to))) {
        c.gains(b.gain);
      }
    }
    lose_cyclic(above_v_.data(), count_bits(above_v_.data()), v, below_u_.data(), count_bits(below_u_.data()),
                u, touched, c);
    const Touched t[] = {{child, v, k}, {parent, u, static_cast<std::size_t>(space_.reverse[k])}};
    touch(
        t,
        [&](std::size_t y, std::size_t x) {
          return y == v ? below_.test(v, x) || from_u(x) : test_bit(below_u_, x);
        },
        [&](std::size_t x, std::size_t z) {
          if (z == v) return around_.test(x, v) && !contains(freed, x);
          if (z == u) return x != v && (around_.test(x, u) || test_bit(above_v_, x));
          if (x == v) return around_.test(v, z) || test_bit(below_u_, z);
          return test_bit(around_u_, z);
        },
        c);
    return c;
  }

  const NeighbourScores& neighbour_scores_;
  std::vector<std::vector<Blocked>> released_;  // per arc: the moves that its removal makes legal
  std::vector<double> family_sum_;              // gains of the legal additions and removals of a family
  std::vector<std::int64_t> family_count_;
  std::vector<std::vector<Entry>> additions_into_, additions_from_, turns_from_, turns_into_;
  std::vector<std::uint64_t> above_v_, below_u_, around_u_;
  double own_ = 0.0, sum_ = 0.0;
  std::int64_t count_ = 0;
};

}  // namespace mahc
