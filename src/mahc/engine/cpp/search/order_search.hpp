// Order search: BOSS (Andrews, Ramsey, Sanchez Romero, Camchong and Kummerfeld, 2023) with kicks.
//
// BOSS moves each variable to the place in the order where the total score is best, until no move helps; a
// variable's parents follow from those that precede it. A kick starts again from a random order of a random
// member of the best graph's equivalence class, with some variables moved at random.
//
// Moving v changes the parents of v and of the children that have v as a candidate, and only where v passes
// them: a move costs as many traces as v has neighbours among the candidate arcs. A variable is tried again
// only if a move since has changed the outcome it could have.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "control.hpp"
#include "kick.hpp"
#include "parent_choice.hpp"

namespace mahc {

struct OrderSettings {
  double tolerance = 1e-9;
  std::size_t kicks = 0;
  std::uint64_t seed = 0;
  std::size_t pair_candidates = 0;  // of a child, for its list of pairs; below 2: no lists
  bool early_dropping = false;
  std::size_t most_nodes = std::size_t{1} << 22;
};

struct OrderMove {
  std::size_t variable, place;
  double score;
};

// A better graph than any before it: the families in which it differs.
struct Improvement {
  double score, seconds;
  std::vector<std::pair<std::size_t, std::vector<std::int32_t>>> families;
};

class OrderSearch {
 public:
  OrderSearch(const Space& space, ScoreCache& scores, const double* pairs, const OrderSettings& settings,
              Control& control, Parents start)
      : space_(space),
        scores_(scores),
        settings_(settings),
        control_(control),
        precedence_(space),
        choice_(space, scores, pairs,
                {settings.tolerance, settings.pair_candidates, settings.early_dropping, settings.most_nodes}),
        kick_(space, precedence_, settings.seed),
        best_(std::move(start)),
        neighbours_(space.variables),
        outdated_(space.variables, true) {
    for (std::size_t k = 0; k < space.slots(); ++k) {
      if (!space.addable(k)) continue;
      const auto u = static_cast<std::size_t>(space.parent[k]), v = static_cast<std::size_t>(space.child[k]);
      const bool both = is_candidate(v, u);
      neighbours_[v].push_back({u, true, both});
      if (!both) neighbours_[u].push_back({v, false, true});
    }
  }

  const Parents& best() const { return best_; }
  double best_score() const { return best_score_; }
  const std::vector<Improvement>& improvements() const { return improvements_; }
  const std::vector<OrderMove>& moves() const { return moves_; }

  // From the start graph's order; the start graph itself is the best until an order gives a better one.
  StopReason run() {
    try {
      best_score_ = score_of(best_);
      choice_.make_pair_lists();
      descend_from(topological_order(space_, precedence_, best_));
      for (std::size_t kick = 0; kick < settings_.kicks && space_.variables > 1; ++kick)
        descend_from(kick_.disturb(best_));
      return StopReason::converged;
    } catch (const Stopped&) {
      return control_.reason();
    }
  }

 private:
  // Another variable that a candidate arc joins to this one.
  struct Neighbour {
    std::size_t variable;
    bool may_be_parent, may_be_child;  // of this one
  };

  // One way for a variable to go: past the neighbours up to and including one of them.
  struct Passing {
    std::size_t neighbour, place;
    std::size_t own, other;  // questions: the variable's own parents here, the neighbour's; or kNone
  };

  double score_of(const Parents& parents) {
    std::vector<double> local(parents.size());
    for (std::size_t v = 0; v < parents.size(); ++v) {
      const auto child = static_cast<std::int32_t>(v);
      scores_.ask(scores_.key(child, parents[v]), child, parents[v], -1, &local[v]);
    }
    scores_.flush();
    double total = 0.0;
    for (const double score : local) total += score;
    return total;
  }

  double total() const {
    double total = 0.0;
    for (const ParentSet& family : current_) total += family.score;
    return total;
  }

  void descend_from(std::vector<std::size_t> order) {
    order_ = Order(std::move(order));
    std::vector<Question> questions;
    for (std::size_t v = 0; v < space_.variables; ++v) questions.push_back({v});
    choice_.answer(order_, questions);
    current_.clear();
    for (const Question& question : questions) current_.push_back(*question.answer);
    outdated_.assign(space_.variables, true);
    differing_.resize(space_.variables);
    std::iota(differing_.begin(), differing_.end(), std::size_t{0});
    keep_if_better(total());
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t v = 0; v < space_.variables; ++v) {
        if (!outdated_[v]) continue;
        if (control_.stop()) throw Stopped{};
        outdated_[v] = false;
        moved |= move_to_best_place(v);
      }
    }
  }

  bool move_to_best_place(std::size_t v) {
    choice_.trim();
    questions_.clear();
    place_neighbours(v);
    std::vector<Passing> ways[2];
    for (const bool right : {false, true}) ways[right] = ways_of(v, right);
    choice_.answer(order_, questions_);
    std::vector<double> gains[2];
    for (const bool right : {false, true}) gains[right] = gains_of(v, ways[right]);
    const auto [side, count] = nearest_best(v, ways, gains);
    if (count == 0) return false;
    take(v, {ways[side].begin(), ways[side].begin() + static_cast<std::ptrdiff_t>(count)});
    return true;
  }

  // Fills `placed_`: the neighbours of v by their positions.
  void place_neighbours(std::size_t v) {
    placed_.clear();
    for (std::size_t i = 0; i < neighbours_[v].size(); ++i)
      placed_.push_back({order_.position(neighbours_[v][i].variable), i});
    std::sort(placed_.begin(), placed_.end());
  }

  // The neighbours in `placed_` that v can pass to one side, nearest first; what has to be asked goes to
  // `questions_`.
  std::vector<Passing> ways_of(std::size_t v, bool right) {
    const std::pair<std::size_t, std::size_t> here{order_.position(v), 0};
    const auto before =
        static_cast<std::size_t>(std::lower_bound(placed_.begin(), placed_.end(), here) - placed_.begin());
    const std::size_t count = right ? placed_.size() - before : before;
    const auto [low, high] = precedence_.window(v, [&](std::size_t u) { return order_.place_without(u, v); });
    std::vector<Passing> ways;
    ways.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = placed_[right ? before + i : before - 1 - i].second;
      const auto& [u, may_be_parent, may_be_child] = neighbours_[v][at];
      const std::size_t place = order_.place_without(u, v) + (right ? 1 : 0);
      if (place < low || place > high) break;
      Passing way{u, place, Question::kNone, Question::kNone};
      if (may_be_parent) {
        way.own = questions_.size();
        questions_.push_back({v, v, place});
      }
      if (may_be_child) {
        way.other = questions_.size();
        questions_.push_back({u, v, 0, !right});
      }
      ways.push_back(way);
    }
    return ways;
  }

  bool is_candidate(std::size_t u, std::size_t v) const {
    const std::int64_t slot = space_.slot(static_cast<std::int32_t>(u), static_cast<std::int32_t>(v));
    return slot >= 0 && space_.addable(static_cast<std::size_t>(slot));
  }

  std::vector<double> gains_of(std::size_t v, const std::vector<Passing>& ways) const {
    std::vector<double> gains;
    double own = current_[v].score, others = 0.0;
    for (const Passing& way : ways) {
      if (way.own != Question::kNone) own = questions_[way.own].answer->score;
      if (way.other != Question::kNone)
        others += questions_[way.other].answer->score - current_[way.neighbour].score;
      gains.push_back(others + (own - current_[v].score));
    }
    return gains;
  }

  // The side and the number of neighbours to pass there; 0: stay. Of equally good places the nearest, then
  // the earlier.
  std::pair<int, std::size_t> nearest_best(std::size_t v, const std::vector<Passing> (&ways)[2],
                                           const std::vector<double> (&gains)[2]) const {
    double best = settings_.tolerance;
    for (const auto& side : gains) {
      for (const double gain : side) best = std::max(best, gain);
    }
    if (!(best > settings_.tolerance)) return {0, 0};
    std::size_t nearest = order_.size(), count = 0;
    int chosen = 0;
    for (const int side : {0, 1}) {
      for (std::size_t i = 0; i < ways[side].size(); ++i) {
        if (gains[side][i] < best - settings_.tolerance) continue;
        const std::size_t here = order_.position(v), there = ways[side][i].place;
        const std::size_t distance = there > here ? there - here : here - there;
        if (distance >= nearest) continue;
        nearest = distance;
        count = i + 1;
        chosen = side;
      }
    }
    return {chosen, count};
  }

  void take(std::size_t v, const std::vector<Passing>& passed) {
    order_.move(v, passed.back().place);
    for (const Neighbour& one : neighbours_[v]) outdated_[one.variable] = true;
    for (const Passing& way : passed) {
      if (way.own != Question::kNone) settle(v, questions_[way.own]);
      if (way.other != Question::kNone) settle(way.neighbour, questions_[way.other]);
    }
    outdated_[v] = false;
    moves_.push_back({v, passed.back().place, total()});
    keep_if_better(moves_.back().score);
  }

  void settle(std::size_t child, const Question& question) {
    current_[child] = *question.answer;
    differing_.push_back(child);
    outdated_[child] = true;
    for (std::size_t k = space_.first[child]; k < space_.first[child + 1]; ++k)
      outdated_[static_cast<std::size_t>(space_.parent[k])] = true;
  }

  void keep_if_better(double score) {
    if (!(score > best_score_ + settings_.tolerance)) return;
    Improvement improvement{score, control_.seconds(), {}};
    std::sort(differing_.begin(), differing_.end());
    for (const std::size_t v : std::exchange(differing_, {})) {
      if (best_[v] == current_[v].parents) continue;
      best_[v] = current_[v].parents;
      improvement.families.emplace_back(v, best_[v]);
    }
    best_score_ = score;
    improvements_.push_back(std::move(improvement));
    control_.steps = improvements_.size();
    control_.own = score;
  }

  const Space& space_;
  ScoreCache& scores_;
  OrderSettings settings_;
  Control& control_;
  Precedence precedence_;
  ParentChoice choice_;
  Kick kick_;
  Parents best_;
  double best_score_ = -std::numeric_limits<double>::infinity();
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<bool> outdated_;  // may gain from a move, for all that is known
  Order order_;
  std::vector<ParentSet> current_;
  std::vector<std::size_t> differing_;  // variables whose parents may differ from those in `best_`
  std::vector<Question> questions_;     // of the move that is being tried
  std::vector<std::pair<std::size_t, std::size_t>>
      placed_;  // positions of its neighbours, and which these are
  std::vector<Improvement> improvements_;
  std::vector<OrderMove> moves_;
};

}  // namespace mahc
