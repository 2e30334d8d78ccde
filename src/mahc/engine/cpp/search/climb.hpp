// The one climb: go to the best neighbour while that is an improvement. What "best" means is the objective's.
#pragma once
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "averaging.hpp"
#include "control.hpp"
#include "lookahead.hpp"
#include "plain_objective.hpp"

namespace mahc {

struct ClimbSettings {
  bool averaging = false;
  double tolerance = 1e-9;  // values this close are equal
  std::size_t most_steps = std::numeric_limits<std::size_t>::max();
  bool stay_connected = false;  // no move may part the graph (plain climbs only)
  // Ties go by the data first: equally good additions to the one with the best lookahead (plain climbs),
  // equal averages to the higher plain score, the present graph's included (averaging climbs).
  bool data_ties = true;
};

class Climber {
 public:
  // `pairs` (may be null): [u * n + v] the score of v with the one parent u, [v * n + v] of v alone.
  Climber(const Space& space, ScoreCache& scores, const double* pairs, const ClimbSettings& settings,
          Control& control, const std::vector<std::size_t>& start)
      : space_(space),
        settings_(settings),
        control_(control),
        graph_(space, start),
        neighbour_scores_(space, scores, settings.averaging, pairs),
        averager_(space, graph_, neighbour_scores_, scores.scorer().pool()),
        objective_(space, settings.tolerance) {}

  virtual ~Climber() = default;

  const SearchGraph& graph() const { return graph_; }
  const std::vector<Step>& steps() const { return steps_; }
  const NeighbourScores& neighbour_scores() const { return neighbour_scores_; }
  double averaged() const { return averaged_; }

  // Algorithm 2, lines 2 to 14 (or plain hill climbing); returns why it ended.
  virtual StopReason run() {
    try {
      fill_all();
      if (settings_.averaging) reference_ = average();
      while (steps_.size() < settings_.most_steps) {
        if (control_.stop()) return control_.reason();
        if (!(settings_.averaging ? step_averaged() : step_plain())) return StopReason::converged;
      }
      return StopReason::step_limit;
    } catch (const Stopped&) {
      return control_.reason();
    }
  }

 protected:
  void fill_all() {
    std::vector<std::size_t> all(space_.variables);
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
    neighbour_scores_.fill(graph_, all);
    if (!settings_.averaging) objective_.rank(neighbour_scores_, all);
    control_.own = own();
  }

  double own() const {
    double total = 0.0;
    for (const double score : neighbour_scores_.now) total += score;
    return total;
  }

  std::vector<std::size_t> touched(const Move& move) const {
    std::vector<std::size_t> list{static_cast<std::size_t>(space_.child[move.slot])};
    if (move.kind == MoveKind::reverse) list.push_back(static_cast<std::size_t>(space_.parent[move.slot]));
    return list;
  }

  // The graph changes first: whatever interrupts the scoring that follows, it stands at the better graph.
  void take(const Move& move, double own_after, double averaged_after) {
    if (settings_.averaging) averager_.note_step(move.slot);
    graph_.apply(move);
    steps_.push_back({move, own_after, averaged_after, control_.seconds()});
    control_.steps = steps_.size();
    control_.own = own_after;
    refill(move);
  }

  void refill(const Move& move) {
    std::vector<std::size_t> changed = touched(move);
    note_changed(changed);
    if (lazy_) {
      fill_lazily(move, changed);
    } else {
      neighbour_scores_.fill(graph_, changed);
    }
    if (settings_.averaging) return;
    if (move.kind != MoveKind::add) {
      objective_.note_released(graph_.released());
      const std::vector<std::size_t> released = neighbour_scores_.fill_released(graph_);
      note_changed(released);
      changed.insert(changed.end(), released.begin(), released.end());
    }
    objective_.rank(neighbour_scores_, changed);
  }

  void fill_lazily(const Move& move, const std::vector<std::size_t>& changed) {
    neighbour_scores_.fill_lazily(graph_, changed, settings_.tolerance);
    if (move.kind == MoveKind::remove) return;
    const bool added = move.kind == MoveKind::add;
    neighbour_scores_.fill_opposite(graph_,
                                    added ? move.slot : static_cast<std::size_t>(space_.reverse[move.slot]));
  }

  // Scores what was left out so far.
  void complete() {
    std::vector<std::size_t> lazy;
    for (std::size_t v = 0; v < space_.variables; ++v) {
      if (neighbour_scores_.lazily_filled(v)) lazy.push_back(v);
    }
    neighbour_scores_.fill(graph_, lazy);
    objective_.rank(neighbour_scores_, lazy);
  }

  // The tables of these children are about to change, or have changed.
  virtual void note_changed(const std::vector<std::size_t>& /*children*/) {}

  bool wanted(const Move& move) const {
    return !settings_.stay_connected || move.kind != MoveKind::remove || joined_without(move.slot);
  }

  // Are the ends of an arc joined by others, whatever their directions?
  bool joined_without(std::size_t slot) const {
    const auto goal = static_cast<std::size_t>(space_.child[slot]);
    std::vector<std::size_t> waiting{static_cast<std::size_t>(space_.parent[slot])};
    std::vector<bool> seen(space_.nodes, false);
    seen[waiting[0]] = true;
    const auto visit = [&](std::size_t k, std::int32_t to) {
      const auto node = static_cast<std::size_t>(to);
      if (k == slot || seen[node]) return;
      seen[node] = true;
      waiting.push_back(node);
    };
    while (!waiting.empty() && !seen[goal]) {
      const std::size_t node = waiting.back();
      waiting.pop_back();
      for (const std::size_t k : graph_.parent_slots(node)) visit(k, space_.parent[k]);
      for (const std::size_t k : graph_.child_slots(node)) visit(k, space_.child[k]);
    }
    return seen[goal];
  }

  bool step_plain() {
    const std::optional<Move> move = best_plain([this](const Move& m) { return wanted(m); });
    if (move) take_plain(*move);
    return move.has_value();
  }

  // The improvement to take among those for which `wanted` holds.
  template <class Wanted>
  std::optional<Move> best_plain(Wanted&& wanted) {
    const std::vector<Move> equals = objective_.best(graph_, neighbour_scores_, wanted);
    if (equals.empty()) return std::nullopt;
    return settings_.data_ties ? most_promising(equals) : equals.front();
  }

  void take_plain(const Move& move) {
    const double after = own() + objective_.gain_of(neighbour_scores_, move);
    take(move, after, std::numeric_limits<double>::quiet_NaN());
  }

  // Of equal additions the one with the best lookahead; the first where these are equal too, or not all are
  // additions.
  Move most_promising(const std::vector<Move>& equals) {
    const auto is_addition = [](const Move& m) { return m.kind == MoveKind::add; };
    if (equals.size() < 2 || !std::all_of(equals.begin(), equals.end(), is_addition)) return equals.front();
    const std::vector<Move> compared(
        equals.begin(),
        equals.begin() + static_cast<std::ptrdiff_t>(std::min(equals.size(), Lookahead::kMostCompared)));
    complete();
    neighbour_scores_.score_after(graph_, compared);
    Lookahead lookahead(space_, graph_, neighbour_scores_, objective_, compared);
    std::vector<double> after;
    for (const Move& move : compared) after.push_back(lookahead.after(move));
    const double floor = *std::max_element(after.begin(), after.end()) - settings_.tolerance;
    const auto first = std::find_if(after.begin(), after.end(), [&](double value) { return value >= floor; });
    return compared[static_cast<std::size_t>(first - after.begin())];
  }

  struct Neighbour {
    Move move;
    double gain, averaged;
  };

  // Algorithm 2, lines 4 to 13: to the neighbour with the highest average if that is higher. With `data_ties`
  // a neighbour with an equal average is taken too if its plain score is higher.
  bool step_averaged() {
    std::optional<Neighbour> choice = choose(reference_ + settings_.tolerance, kLowest);
    if (choice) {
      reference_ = choice->averaged;
    } else if (settings_.data_ties) {
      choice = choose(reference_ - settings_.tolerance, settings_.tolerance);
    }
    if (!choice) return false;
    averaged_ = choice->averaged;
    take(choice->move, averager_.own() + choice->gain, choice->averaged);
    average();
    return true;
  }

  double average() {
    averager_.look();
    return averaged_ = averager_.average();
  }

  // The best of the neighbours with an average above `average` and a gain in the plain score above `gain`.
  // Equal averages go to the higher plain score, then by the order of the variables.
  std::optional<Neighbour> choose(double average, double gain) {
    std::vector<Neighbour> near;
    double best = kLowest;
    averager_.each_neighbour([&](const Move& move, double own_gain, double averaged) {
      if (averaged <= average || own_gain <= gain || averaged < best - settings_.tolerance) return;
      best = std::max(best, averaged);
      near.push_back({move, own_gain, averaged});
    });
    std::erase_if(near, [&](const Neighbour& n) { return n.averaged < best - settings_.tolerance; });
    double highest = kLowest;
    for (const Neighbour& n : near) highest = std::max(highest, n.gain);
    std::erase_if(near, [&](const Neighbour& n) { return n.gain < highest - settings_.tolerance; });
    const auto first = std::min_element(
        near.begin(), near.end(),
        [&](const Neighbour& a, const Neighbour& b) { return comes_first(space_, a.move, b.move); });
    return first == near.end() ? std::nullopt : std::optional<Neighbour>(*first);
  }

  const Space& space_;
  ClimbSettings settings_;
  Control& control_;
  SearchGraph graph_;
  NeighbourScores neighbour_scores_;
  Averager averager_;
  PlainObjective objective_;
  std::vector<Step> steps_;
  bool lazy_ = false;  // leave out additions that cannot be the best move (plain climbs)
  static constexpr double kLowest = -std::numeric_limits<double>::infinity();

  double averaged_ = std::numeric_limits<double>::quiet_NaN();
  // The average that neighbours are compared with: that of the start, or of the last graph with a higher one.
  // It only rises, and between two rises the plain score only rises, so the climb ends however ties fall.
  double reference_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace mahc
