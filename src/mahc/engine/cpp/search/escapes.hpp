// Bayesys' TABU: from the top of a climb, try its neighbours from the least loss down; climb from each; start
// over where that leads higher, until as many have failed in a row as there are ordered pairs of variables.
#pragma once
#include <unordered_map>
#include <vector>

#include "climb.hpp"
#include "graph_keys.hpp"
#include "move_queue.hpp"

namespace mahc {

// A climb depends on nothing but the graph it starts from. So the graphs of failed escapes are remembered,
// and an escape that meets one of them, mostly the top itself, has failed too: tops only rise.
class EscapingClimber final : public Climber {
 public:
  EscapingClimber(const Space& space, ScoreCache& scores, const double* pairs, const ClimbSettings& settings,
                  Control& control, const std::vector<std::size_t>& start)
      : Climber(space, scores, pairs, settings, control, start), keys_(space) {
    is_changed_.assign(space.variables, 0);
  }

  StopReason run() override {
    const StopReason reason = Climber::run();
    if (reason != StopReason::converged) return reason;
    try {
      while (escape()) {
      }
      return StopReason::converged;
    } catch (const Stopped&) {
      return control_.reason();
    } catch (const StepLimit&) {
      return StopReason::step_limit;
    }
  }

 private:
  struct StepLimit {};

  // The state at a top. Escapes change the tables of few children, which are copied back.
  struct Top {
    SearchGraph graph;
    std::size_t steps;
    double score;
    FamilyKey key;
    std::vector<double> now, once;
    std::vector<PlainObjective::Ranking> rankings;
  };

  // Tries escapes from the top the climber stands on; true when one led higher (and it stands there now).
  bool escape() {
    const Top top{graph_,
                  steps_.size(),
                  own(),
                  keys_.of(graph_.slots()),
                  neighbour_scores_.now,
                  neighbour_scores_.once,
                  objective_.rankings()};
    forget_changed();
    remember(top.key, 0);
    MoveQueue queue(space_, settings_.tolerance);
    lazy_ = !settings_.stay_connected;  // a deletion that would part the graph is no bar for additions
    objective_.each_move(graph_, neighbour_scores_, [&](const Move& move, double gain) {
      if (wanted(move)) queue.push(move, gain);
    });
    queue.sort();
    try {
      const std::size_t most = space_.variables * (space_.variables - 1);
      for (std::size_t attempt = 0; attempt < most && !queue.empty(); ++attempt) {
        if (leads_higher(queue.pop(), top)) {
          complete();
          return true;
        }
        go_back(top);
        if (control_.stop()) throw Stopped{};
      }
    } catch (...) {  // stand on the higher of the two, whatever ended the attempt
      if (!(control_.own > top.score + settings_.tolerance)) {
        go_back(top);
        control_.own = top.score;
      }
      throw;
    }
    return false;
  }

  // Climbs from a neighbour of the top, as far as the end is not known.
  bool leads_higher(const Move& escape, const Top& top) {
    path_.clear();
    FamilyKey key = keys_.after(top.key, escape);
    if (has_failed(key)) return false;
    take_plain(escape);
    path_.push_back(key);
    while (const std::optional<Move> move = best_plain([this](const Move& m) { return wanted(m); })) {
      key = keys_.after(key, *move);
      if (has_failed(key)) return false;
      take_plain(*move);
      path_.push_back(key);
      if (control_.stop()) throw Stopped{};
      if (steps_.size() >= settings_.most_steps) throw StepLimit{};
    }
    if (own() > top.score + settings_.tolerance) return true;
    remember_path(0);
    return false;
  }

  // Is the graph one move away known to lead no higher? If the step limit falls on the way to its end, the
  // way is gone in full.
  bool has_failed(const FamilyKey& key) {
    const auto known = steps_left_.find(key);
    if (known == steps_left_.end()) return false;
    if (settings_.most_steps - steps_.size() <= known->second + 1) return false;
    remember_path(known->second + 1);
    return true;
  }

  void remember_path(std::size_t steps_left) {
    for (std::size_t i = path_.size(); i-- > 0; ++steps_left) remember(path_[i], steps_left);
  }

  void remember(const FamilyKey& key, std::size_t steps_left) {
    if (steps_left_.size() >= kMostRemembered) steps_left_.clear();
    steps_left_.emplace(key, steps_left);
  }

  void note_changed(const std::vector<std::size_t>& children) override {
    for (const std::size_t v : children) {
      if (is_changed_[v]) continue;
      is_changed_[v] = 1;
      changed_.push_back(v);
    }
  }

  void forget_changed() {
    for (const std::size_t v : changed_) is_changed_[v] = 0;
    changed_.clear();
  }

  void go_back(const Top& top) {
    if (steps_.size() == top.steps) return;  // the escape was known to fail
    graph_ = top.graph;
    objective_.note_released();
    steps_.resize(top.steps);
    for (const std::size_t v : changed_) {
      const auto first = static_cast<std::ptrdiff_t>(space_.first[v]);
      const auto last = static_cast<std::ptrdiff_t>(space_.first[v + 1]);
      neighbour_scores_.note_full(v);
      neighbour_scores_.now[v] = top.now[v];
      std::copy(top.once.begin() + first, top.once.begin() + last, neighbour_scores_.once.begin() + first);
      objective_.put(v, top.rankings[v]);
    }
    forget_changed();
  }

  static constexpr std::size_t kMostRemembered = std::size_t{1} << 20;

  GraphKeys keys_;
  std::vector<FamilyKey> path_;  // graphs of this escape
  std::unordered_map<FamilyKey, std::size_t, GraphKeys::Hash>
      steps_left_;  // from there to the end of the climb
  std::vector<std::uint8_t> is_changed_;
  std::vector<std::size_t> changed_;  // children whose tables differ from the top's
};

}  // namespace mahc
