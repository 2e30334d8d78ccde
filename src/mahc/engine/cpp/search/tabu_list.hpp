// Tabu search with a list, as in other programs: always to the best neighbour that is not among the last
// graphs, be it worse, until that has brought no better graph for as many steps as the list is long.
#pragma once
#include <deque>
#include <vector>

#include "climb.hpp"
#include "graph_keys.hpp"
#include "move_queue.hpp"

namespace mahc {

class TabuListClimber final : public Climber {
 public:
  TabuListClimber(const Space& space, ScoreCache& scores, const double* pairs, const ClimbSettings& settings,
                  Control& control, const std::vector<std::size_t>& start, std::size_t list_length)
      : Climber(space, scores, pairs, settings, control, start),
        list_length_(list_length),
        keys_(space),
        key_(keys_.of(start)),
        last_{key_},
        best_(graph_) {}

  StopReason run() override {
    StopReason reason = StopReason::converged;
    try {
      fill_all();
      best_score_ = own();
      reason = walk();
      go_to_best();
    } catch (const Stopped&) {
      stand_on_best();
      reason = control_.reason();
    }
    return reason;
  }

 private:
  StopReason walk() {
    for (std::size_t in_vain = 0; in_vain < list_length_;) {
      if (control_.stop()) return control_.reason();
      if (steps_.size() >= settings_.most_steps) return StopReason::step_limit;
      const std::optional<Move> move = choose();
      if (!move) break;
      key_ = keys_.after(key_, *move);
      last_.push_back(key_);
      if (last_.size() > list_length_) last_.pop_front();
      take_plain(*move);
      in_vain = keep_if_best() ? 0 : in_vain + 1;
    }
    return StopReason::converged;
  }

  // The best move to a graph that is not on the list; an improvement is chosen as in every climb.
  std::optional<Move> choose() {
    const auto open = [this](const Move& move) {
      return wanted(move) && std::find(last_.begin(), last_.end(), keys_.after(key_, move)) == last_.end();
    };
    if (const std::optional<Move> better = best_plain(open)) return better;
    MoveQueue queue(space_, settings_.tolerance);
    objective_.each_move(graph_, neighbour_scores_, [&](const Move& move, double gain) {
      if (open(move)) queue.push(move, gain);
    });
    queue.sort();
    return queue.empty() ? std::nullopt : std::optional<Move>(queue.pop());
  }

  bool keep_if_best() {
    const double score = own();
    if (!(score > best_score_ + settings_.tolerance)) return false;
    best_ = graph_;
    best_score_ = score;
    steps_to_best_ = steps_.size();
    return true;
  }

  void stand_on_best() {
    graph_ = best_;
    steps_.resize(steps_to_best_);
    control_.own = best_score_;
  }

  void go_to_best() {
    stand_on_best();
    fill_all();
  }

  std::size_t list_length_;
  GraphKeys keys_;
  FamilyKey key_;
  std::deque<FamilyKey> last_;  // the graphs visited last, the present one included
  SearchGraph best_;
  double best_score_ = 0.0;
  std::size_t steps_to_best_ = 0;
};

}  // namespace mahc
