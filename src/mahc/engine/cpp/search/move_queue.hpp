// Moves from the least loss down, equals by the order of their variables.
#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "space.hpp"

namespace mahc {

// Of the moves that are left, those within the tolerance of the best gain are equal. The best gain only
// falls, so that a move that is equal once stays so until it is taken.
class MoveQueue {
 public:
  MoveQueue(const Space& space, double tolerance)
      : tolerance_(tolerance), equals_([&space, this](std::size_t a, std::size_t b) {
          return comes_first(space, entries_[b].move, entries_[a].move);
        }) {}
  MoveQueue(const MoveQueue&) = delete;
  MoveQueue& operator=(const MoveQueue&) = delete;

  void push(const Move& move, double gain) {
    if (gain > -std::numeric_limits<double>::infinity()) entries_.push_back({move, gain, false});
  }

  // After the last push.
  void sort() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.gain > b.gain; });
  }

  bool empty() {
    while (best_ < entries_.size() && entries_[best_].taken) ++best_;
    return best_ == entries_.size();
  }

  // The queue is not empty.
  Move pop() {
    const double floor = entries_[best_].gain - tolerance_;
    for (; reached_ < entries_.size() && entries_[reached_].gain >= floor; ++reached_) equals_.push(reached_);
    const std::size_t first = equals_.top();
    equals_.pop();
    entries_[first].taken = true;
    return entries_[first].move;
  }

 private:
  struct Entry {
    Move move;
    double gain;
    bool taken;
  };
  using ComesLater = std::function<bool(std::size_t, std::size_t)>;

  double tolerance_;
  std::vector<Entry> entries_;
  std::priority_queue<std::size_t, std::vector<std::size_t>, ComesLater> equals_;
  std::size_t best_ = 0, reached_ = 0;
};

}  // namespace mahc
