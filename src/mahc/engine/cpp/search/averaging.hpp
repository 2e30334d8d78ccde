// The paper's objective: the mean of a graph's score and the scores of all its neighbours, for every
// neighbour of the current graph at once (Algorithm 2, lines 5 to 10), without walking the neighbours'
// neighbours.
//
// The score is a sum over families, so the moves of a neighbour differ from the moves of the graph only where
// the move between them reaches: (i) in the one or two families it changes, whose gains come from the second
// level of NeighbourScores; (ii) additions and reversals that would now close a cycle; (iii) additions and
// reversals that were blocked by a cycle through the arc that was removed. With `sum` and `count` of the
// gains of all legal moves of the graph, each neighbour's sum and count are those corrected by (i) to (iii).
//
// The corrections are kept from step to step. A step on x -> y changes families and paths of the ancestors
// and descendants of x and y only, the relatives of the step. It outdates the corrections of moves on arcs
// into or out of relatives, and of moves that (ii) or (iii) lets depend on a move that became legal or
// illegal.
#pragma once
#include <algorithm>
#include <compare>
#include <iterator>
#include <vector>

#include "../counting/pool.hpp"
#include "neighbour_scores.hpp"
#include "paths.hpp"

namespace mahc {

class Averager {
 public:
  // `pool` may be null: the corrections are then computed by the calling thread.
  Averager(const Space& space, const SearchGraph& graph, const NeighbourScores& neighbour_scores, Pool* pool)
      : space_(space),
        graph_(graph),
        neighbour_scores_(neighbour_scores),
        pool_(pool),
        shared_arcs_(space, graph) {}

  // A step on this arc follows: what is related to it now may not be after it, and the other way round.
  void note_step(std::size_t slot) {
    step_ = static_cast<std::int64_t>(slot);
    relate(slot);
  }

  // Collects the moves of the graph as it is now. Between two calls there is one step at most, which
  // note_step() was told of.
  void look() {
    if (legal_.empty()) begin();
    if (step_ >= 0) relate(static_cast<std::size_t>(step_));
    step_ = -1;
    find_relatives();
    for (const std::size_t v : relatives_) collect_family(v);
    for (const std::size_t v : relatives_) collect_reversals(v);
    collect_blocked();
    add_up();
    find_outdated();
    compute_outdated();
    is_above_.assign(is_above_.size(), 0);
    is_below_.assign(is_below_.size(), 0);
    changed_.clear();
  }

  double own() const { return own_; }
  double average() const { return own_ + sum_ / (1.0 + static_cast<double>(count_)); }
  std::int64_t neighbours() const { return count_; }

  // visit(move, gain in the score, averaged score) for every neighbour.
  template <class Visit>
  void each_neighbour(Visit&& visit) const {
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (v % kPollEvery == 0 && Poll::wants_stop()) throw Stopped{};
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
        const double gain = neighbour_scores_.gain(k);
        if (!graph_.has(k)) {
          if (legal_[k]) visit(Move{MoveKind::add, k}, gain, averaged(gain, toggled_[k]));
          continue;
        }
        if (graph_.may_remove(k)) visit(Move{MoveKind::remove, k}, gain, averaged(gain, toggled_[k]));
        if (turnable_[k]) visit(Move{MoveKind::reverse, k}, turn_gain(k), averaged(turn_gain(k), turned_[k]));
      }
    }
  }

 private:
  static constexpr std::size_t kPollEvery = 64;  // variables
  static constexpr std::size_t kTask = 64;       // outdated slots

  // A move that is illegal only because of a cycle: an addition, or the reversal of an arc.
  struct Blocked {
    std::size_t slot;
    bool reversal;
    auto operator<=>(const Blocked&) const = default;
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
  // A legal move that depends on there being no path from `from` to `to`, and has become legal or illegal.
  struct Dependence {
    std::size_t from, to;
    auto operator<=>(const Dependence&) const = default;
  };
  using Bits = std::vector<std::uint64_t>;
  struct Buffers {
    Bits above_v, below_u, around_u;
  };

  double averaged(double gain, const Change& c) const {
    return own_ + gain + (sum_ + c.sum) / (1.0 + static_cast<double>(count_ + c.count));
  }
  double turn_gain(std::size_t k) const {
    return neighbour_scores_.gain(k) + neighbour_scores_.gain(static_cast<std::size_t>(space_.reverse[k]));
  }
  double gain_of(const Blocked& b) const {
    return b.reversal ? turn_gain(b.slot) : neighbour_scores_.gain(b.slot);
  }
  // The ends of the path that blocks a move.
  std::size_t start_of(const Blocked& b) const {
    return b.reversal ? tail_of(space_, b.slot) : head_of(space_, b.slot);
  }
  std::size_t end_of(const Blocked& b) const {
    return b.reversal ? head_of(space_, b.slot) : tail_of(space_, b.slot);
  }

  static void set_bit(Bits& row, std::size_t i) { row[i >> 6] |= std::uint64_t{1} << (i & 63); }
  static bool test_bit(const Bits& row, std::size_t i) { return test_bit(row.data(), i); }
  static bool test_bit(const std::uint64_t* row, std::size_t i) { return (row[i >> 6] >> (i & 63) & 1) != 0; }
  static void unite(Bits& into, const std::uint64_t* row) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] |= row[w];
  }
  std::size_t words() const { return graph_.descendants().words(); }

  // Everything is related to the first look.
  void begin() {
    const std::size_t slots = space_.slots();
    legal_.assign(slots, 0);
    turnable_.assign(slots, 0);
    is_outdated_.assign(slots, 0);
    toggled_.resize(slots);
    turned_.resize(slots);
    family_sums_.resize(space_.variables);
    family_counts_.resize(space_.variables);
    bridges_[0].resize(slots);
    bridges_[1].resize(slots);
    released_.resize(slots);
    out_first_.assign(space_.variables + 1, 0);
    for (std::size_t k = 0; k < slots; ++k) ++out_first_[tail_of(space_, k) + 1];
    for (std::size_t u = 0; u < space_.variables; ++u) out_first_[u + 1] += out_first_[u];
    out_slots_.resize(slots);
    std::vector<std::size_t> place(out_first_.begin(), out_first_.end() - 1);
    for (std::size_t k = 0; k < slots; ++k) out_slots_[place[tail_of(space_, k)]++] = k;
    buffers_.resize(pool_ ? pool_->threads() : 1);
    is_above_.assign(words(), ~std::uint64_t{0});
    is_below_.assign(words(), ~std::uint64_t{0});
  }

  void relate(std::size_t slot) {
    for (const std::size_t end : {tail_of(space_, slot), head_of(space_, slot)}) {
      unite(is_above_, graph_.ancestors().row(end));
      unite(is_below_, graph_.descendants().row(end));
      set_bit(is_above_, end);
      set_bit(is_below_, end);
    }
  }

  bool is_relative(std::size_t node) const { return test_bit(is_above_, node) || test_bit(is_below_, node); }

  void find_relatives() {
    relatives_.clear();
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (is_relative(v)) relatives_.push_back(v);
    }
  }

  template <class Visit>
  void each_out_slot(std::size_t u, Visit&& visit) const {
    for (std::size_t i = out_first_[u]; i < out_first_[u + 1]; ++i) visit(out_slots_[i]);
  }

  void collect_family(std::size_t v) {
    family_sums_[v] = 0.0;
    family_counts_[v] = 0;
    for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
      const bool legal = graph_.may_add(k);
      if (legal != (legal_[k] != 0)) {
        legal_[k] = legal;
        changed_.push_back({v, tail_of(space_, k)});
      }
      if (!legal && !graph_.may_remove(k)) continue;
      family_sums_[v] += neighbour_scores_.gain(k);
      ++family_counts_[v];
    }
  }

  // Of the arcs into v, those that are gone included. Those out of a relative lead to a relative, or did.
  void collect_reversals(std::size_t v) {
    for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
      const bool turnable = graph_.may_reverse(k);
      if (turnable == (turnable_[k] != 0)) continue;
      turnable_[k] = turnable;
      changed_.push_back({tail_of(space_, k), v});
    }
  }

  // Blocked moves whose paths may have changed lie between an ancestor and a descendant of the step.
  void collect_blocked() {
    for (const std::size_t v : relatives_) {
      if (test_bit(is_above_, v)) {
        for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
          if (test_bit(is_below_, tail_of(space_, k))) collect_blocked({k, false});
        }
      }
      if (test_bit(is_below_, v)) {
        for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) {
          if (test_bit(is_above_, tail_of(space_, k))) collect_blocked({k, true});
        }
      }
    }
  }

  // Lists a blocked move under the arcs whose removal makes it legal.
  void collect_blocked(const Blocked& move) {
    const std::size_t k = move.slot;
    bridges_now_.clear();
    const bool blocked = move.reversal ? may_reverse_but_for_cycles(space_, graph_, k) && !turnable_[k]
                                       : may_add_but_for_cycles(space_, graph_, k) && !legal_[k];
    if (blocked) {
      const std::int64_t except = move.reversal ? static_cast<std::int64_t>(k) : -1;
      shared_arcs_.each(start_of(move), end_of(move), except,
                        [&](std::size_t arc) { bridges_now_.push_back(arc); });
    }
    std::vector<std::size_t>& before = bridges_[move.reversal][k];
    if (before == bridges_now_) return;
    for (const std::size_t arc : before) {
      auto& list = released_[arc];
      list.erase(std::lower_bound(list.begin(), list.end(), move));
    }
    for (const std::size_t arc : bridges_now_) {
      auto& list = released_[arc];
      list.insert(std::lower_bound(list.begin(), list.end(), move), move);
    }
    before = bridges_now_;
    changed_.push_back({start_of(move), end_of(move)});
  }

  void add_up() {
    own_ = sum_ = 0.0;
    count_ = 0;
    for (std::size_t v = 0; v < space_.variables; ++v) {
      own_ += neighbour_scores_.now[v];
      sum_ += family_sums_[v];
      count_ += family_counts_[v];
      for (const std::size_t k : graph_.parent_slots(v)) {
        if (!turnable_[k]) continue;
        sum_ += turn_gain(k);
        ++count_;
      }
    }
  }

  void note_outdated(std::size_t k) {
    if (is_outdated_[k]) return;
    is_outdated_[k] = 1;
    outdated_.push_back(k);
  }

  void find_outdated() {
    for (const std::size_t v : relatives_) {
      for (std::size_t k = space_.first[v]; k < space_.first[v + 1]; ++k) note_outdated(k);
      each_out_slot(v, [this](std::size_t k) { note_outdated(k); });
    }
    if (relatives_.size() == space_.variables) return;
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (const Dependence& d : changed_) note_dependents(d);
  }

  // Arcs u -> v with u below `from` and v above `to` make a path between these, or are on all of them. Arcs
  // of the graph with u above `to` and v below `from` do when they are reversed.
  void note_dependents(const Dependence& d) {
    const auto leads_from = [&](std::size_t u) { return u == d.from || graph_.reaches(d.from, u); };
    const auto visit = [&](std::size_t node) {
      if (node >= space_.variables || is_relative(node)) return;
      for (std::size_t k = space_.first[node]; k < space_.first[node + 1]; ++k) {
        if (leads_from(tail_of(space_, k))) note_outdated(k);
      }
      for (const std::size_t k : graph_.child_slots(node)) {
        if (leads_from(head_of(space_, k))) note_outdated(k);
      }
    };
    visit(d.to);
    BitRows::each_bit(graph_.ancestors().row(d.to), words(), visit);
  }

  void compute_outdated() {
    const std::size_t tasks = (outdated_.size() + kTask - 1) / kTask;
    const auto work = [&](std::size_t task, unsigned thread) {
      const std::size_t end = std::min(outdated_.size(), (task + 1) * kTask);
      for (std::size_t i = task * kTask; i < end; ++i) compute(outdated_[i], buffers_[thread]);
    };
    if (pool_) {
      pool_->run(tasks, work, tasks < 4);
    } else {
      for (std::size_t t = 0; t < tasks; ++t) {
        if (Poll::wants_stop()) throw Stopped{};
        work(t, 0);
      }
    }
    for (const std::size_t k : outdated_) is_outdated_[k] = 0;
    outdated_.clear();
  }

  void compute(std::size_t k, Buffers& buffers) {
    if (!graph_.has(k)) {
      if (legal_[k]) toggled_[k] = after_addition(k);
      return;
    }
    if (graph_.may_remove(k)) toggled_[k] = after_removal(k);
    if (turnable_[k]) turned_[k] = after_reversal(k, buffers);
  }

  // (ii): new paths from `sources` (and s) to `targets` (and t) close cycles for legal moves that run the
  // other way. Families of the variables in `touched` are left to touch().
  template <class IsTouched>
  void lose_cyclic(const std::uint64_t* sources, std::size_t source_count, std::size_t s,
                   const std::uint64_t* targets, std::size_t target_count, std::size_t t, IsTouched&& touched,
                   Change& c) const {
    if (source_count <= target_count) {
      const auto is_target = [&](std::size_t x) { return x == t || test_bit(targets, x); };
      const auto from = [&](std::size_t y) {
        if (y >= space_.variables || touched(y)) return;
        for (std::size_t k = space_.first[y]; k < space_.first[y + 1]; ++k) {
          if (legal_[k] && is_target(tail_of(space_, k))) c.loses(neighbour_scores_.gain(k));
        }
        for (const std::size_t k : graph_.child_slots(y)) {
          const std::size_t x = head_of(space_, k);
          if (turnable_[k] && !touched(x) && is_target(x)) c.loses(turn_gain(k));
        }
      };
      from(s);
      if (source_count > 0) BitRows::each_bit(sources, words(), from);
    } else {
      const auto is_source = [&](std::size_t y) { return y == s || test_bit(sources, y); };
      const auto to = [&](std::size_t x) {
        if (x >= space_.variables) return;
        each_out_slot(x, [&](std::size_t k) {
          const std::size_t y = head_of(space_, k);
          if (legal_[k] && !touched(y) && is_source(y)) c.loses(neighbour_scores_.gain(k));
        });
        if (touched(x)) return;
        for (const std::size_t k : graph_.parent_slots(x)) {
          const std::size_t y = tail_of(space_, k);
          if (turnable_[k] && !touched(y) && is_source(y)) c.loses(turn_gain(k));
        }
      };
      to(t);
      if (target_count > 0) BitRows::each_bit(targets, words(), to);
    }
  }

  struct Touched {
    std::size_t variable, toggled;  // toggled: the slot
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
    bool reaches(std::size_t a, std::size_t b) const { return path(a, b); }
    bool another_path(std::size_t u, std::size_t v) const { return path_around(u, v); }
  };

  // (i): all moves that change a family in `t`, before and after. reaches(y, x): a path from the touched y to
  // x in the neighbour; around(x, z): a path of two arcs or more where x or z is touched.
  template <std::size_t N, class Reaches, class Around>
  void touch(const Touched (&t)[N], Reaches&& reaches, Around&& around, Change& c) const {
    const auto is_touched = [&](std::size_t v) {
      return std::any_of(std::begin(t), std::end(t), [v](const Touched& one) { return one.variable == v; });
    };
    const auto gain_after = [&](std::size_t k) {
      const std::size_t v = head_of(space_, k);
      for (const Touched& one : t) {
        if (one.variable != v) continue;
        return neighbour_scores_.twice(v, one.toggled)[k - space_.first[v]] -
               neighbour_scores_.once[one.toggled];
      }
      return neighbour_scores_.gain(k);
    };
    const Neighbour<N, Reaches, Around> after{*this, t, reaches, around};
    for (const Touched& one : t) {
      const std::size_t v = one.variable;
      c.sum -= family_sums_[v];
      c.count -= family_counts_[v];
      for (const std::size_t k : graph_.parent_slots(v)) {
        if (turnable_[k]) c.loses(turn_gain(k));
      }
      for (const std::size_t k : graph_.child_slots(v)) {
        if (turnable_[k] && !is_touched(head_of(space_, k))) c.loses(turn_gain(k));
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
        if (is_touched(head_of(space_, k)) || !may_reverse(space_, after, k)) continue;
        c.gains(neighbour_scores_.gain(k) + gain_after(static_cast<std::size_t>(space_.reverse[k])));
      }
    }
  }

  Change after_addition(std::size_t k) const {
    const std::size_t u = tail_of(space_, k), v = head_of(space_, k);
    Change c;
    lose_cyclic(
        graph_.ancestors().row(u), graph_.ancestor_count(u), u, graph_.descendants().row(v),
        graph_.descendant_count(v), v, [v](std::size_t i) { return i == v; }, c);
    const auto from_u = [&](std::size_t x) { return x == u || graph_.reaches(x, u); };
    const auto to_v = [&](std::size_t z) { return z == v || graph_.reaches(v, z); };
    const Touched t[] = {{v, k}};
    touch(
        t,
        [&](std::size_t y, std::size_t x) {
          return graph_.reaches(y, x);
        },  // nothing above v is new below it
        [&](std::size_t x, std::size_t z) {
          return graph_.another_path(x, z) || (x == u ? graph_.reaches(v, z) : from_u(x) && to_v(z));
        },
        c);
    return c;
  }

  Change after_removal(std::size_t k) const {
    const std::size_t v = head_of(space_, k);
    Change c;
    std::vector<std::size_t> freed;  // parents of v whose arc loses its only detour
    for (const Blocked& b : released_[k]) {
      if (b.reversal && end_of(b) == v) {
        freed.push_back(start_of(b));
      } else {
        c.gains(gain_of(b));
      }
    }
    const Touched t[] = {{v, k}};
    touch(
        t, [&](std::size_t y, std::size_t x) { return graph_.reaches(y, x); },
        [&](std::size_t x, std::size_t z) {
          return graph_.another_path(x, z) && !(z == v && contains(freed, x));
        },
        c);
    return c;
  }

  static bool contains(const std::vector<std::size_t>& list, std::size_t x) {
    return std::find(list.begin(), list.end(), x) != list.end();
  }

  static std::size_t count_bits(const Bits& row) {
    std::size_t total = 0;
    for (const std::uint64_t word : row) total += count_ones(word);
    return total;
  }

  // A reversal is a removal followed by the opposite addition; paths without the arc are computed when
  // needed.
  Change after_reversal(std::size_t k, Buffers& buffers) const {
    const std::size_t u = tail_of(space_, k), v = head_of(space_, k);
    auto& [above_v, below_u, around_u] = buffers;
    for (Bits* row : {&above_v, &below_u, &around_u}) row->assign(words(), 0);
    graph_.each_parent(v, [&](std::size_t p) {
      if (p == u) return;
      unite(above_v, graph_.ancestors().row(p));
      set_bit(above_v, p);
    });
    graph_.each_child(u, [&](std::size_t w) {
      if (w == v) return;
      unite(around_u, graph_.descendants().row(w));
      set_bit(below_u, w);
    });
    unite(below_u, around_u.data());
    const auto to_v = [&](std::size_t y) { return y == v || test_bit(above_v, y); };
    const auto from_u = [&](std::size_t x) { return x == u || test_bit(below_u, x); };
    const auto touched = [u, v](std::size_t i) { return i == u || i == v; };
    Change c;
    std::vector<std::size_t> freed;
    for (const Blocked& b : released_[k]) {
      const std::size_t from = start_of(b), to = end_of(b);
      if (touched(from)) continue;
      if (b.reversal && to == v) {
        freed.push_back(from);
      } else if (!(b.reversal && to == u) && !(to_v(from) && from_u(to))) {
        c.gains(gain_of(b));
      }
    }
    lose_cyclic(above_v.data(), count_bits(above_v), v, below_u.data(), count_bits(below_u), u, touched, c);
    const Touched t[] = {{v, k}, {u, static_cast<std::size_t>(space_.reverse[k])}};
    touch(
        t,
        [&](std::size_t y, std::size_t x) {
          return y == v ? graph_.reaches(v, x) || from_u(x) : test_bit(below_u, x);
        },
        [&](std::size_t x, std::size_t z) {
          if (z == v) return graph_.another_path(x, v) && !contains(freed, x);
          if (z == u) return x != v && (graph_.another_path(x, u) || test_bit(above_v, x));
          if (x == v) return graph_.another_path(v, z) || test_bit(below_u, z);
          return test_bit(around_u, z);
        },
        c);
    return c;
  }

  const Space& space_;
  const SearchGraph& graph_;
  const NeighbourScores& neighbour_scores_;
  Pool* pool_;
  SharedArcs shared_arcs_;
  std::int64_t step_ = -1;                // its slot, or -1
  Bits is_above_, is_below_;              // ancestors and descendants of the step's ends, before or after it
  std::vector<std::size_t> relatives_;    // the variables among them
  std::vector<Dependence> changed_;       // by the step
  std::vector<std::uint8_t> legal_;       // per slot: the addition
  std::vector<std::uint8_t> turnable_;    // per slot: the reversal
  std::vector<Change> toggled_, turned_;  // per slot: corrections of a legal addition or removal; reversal
  std::vector<double> family_sums_;       // gains of the legal additions and removals of a family
  std::vector<std::int64_t> family_counts_;
  std::vector<std::vector<std::size_t>>
      bridges_[2];                              // per slot: arcs that release its addition; its reversal
  std::vector<std::vector<Blocked>> released_;  // per arc: the moves that its removal makes legal
  std::vector<std::size_t> bridges_now_;
  std::vector<std::size_t> out_first_, out_slots_;  // slots by parent
  std::vector<std::uint8_t> is_outdated_;
  std::vector<std::size_t> outdated_;  // slots
  std::vector<Buffers> buffers_;       // per thread
  double own_ = 0.0, sum_ = 0.0;
  std::int64_t count_ = 0;
};

}  // namespace mahc
