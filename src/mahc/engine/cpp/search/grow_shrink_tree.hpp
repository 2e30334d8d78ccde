// Grow-shrink trees (Andrews, Ramsey, Sanchez Romero, Camchong and Kummerfeld, 2023): the parents of one
// child given the variables that precede it, remembered for every set of predecessors that was asked about.
//
// Growing adds the best next parent while that improves the score; shrinking then takes parents away while
// that improves it. A node of the tree is a set grown so far; its branches are all parents that improve it,
// best first. A trace takes at each node the first branch that precedes the child, so one node serves all
// orders that agree on the branches passed.
//
// Knowledge: required arcs are in the root, required edges are the first branches of a trace, and neither
// shrinks.
#pragma once
#include <cmath>
#include <deque>
#include <vector>

#include "child_scores.hpp"
#include "parent_set.hpp"
#include "space.hpp"

namespace mahc {

class GrowShrinkTree {
 public:
  GrowShrinkTree(const Space& space, const ChildScores& scores, std::size_t child, double tolerance)
      : space_(space), scores_(scores), child_(child), tolerance_(tolerance) {
    for (std::size_t k = space.first[child]; k < space.first[child + 1]; ++k) {
      if (space.hold[k] == Hold::arc) required_.push_back(space.parent[k]);
      if (space.hold[k] == Hold::adjacency) edges_.push_back(space.parent[k]);
      never_added_.push_back(!space.addable(k));
    }
    clear();
  }

  std::size_t nodes() const { return nodes_.size(); }
  void clear() {
    nodes_.clear();
    nodes_.emplace_back();
  }

  // The parents given the predecessors, or null while scores are missing: they are then asked for, and the
  // trace is to be repeated after a flush.
  template <class Precedes>
  const ParentSet* trace(const Precedes& precedes) {
    if (!start(precedes)) return &illegal_;
    Node* node = &nodes_.front();
    for (const std::int32_t u : forced_) node = forced_branch(*node, u);
    if (!scored(*node)) return nullptr;
    while (true) {
      if (!grown(*node)) return nullptr;
      Node* next = nullptr;
      for (Branch& branch : node->branches) {
        passed_[branch.offset] = true;
        if (!precedes(candidate(branch.offset))) continue;
        next = enter(branch);
        insert(path_, candidate(branch.offset));
        break;
      }
      if (!next) return shrunk(*node) ? &node->result : nullptr;
      node = next;
    }
  }

 private:
  struct Node;
  struct Branch {
    std::size_t offset;
    double score;
    Node* node;  // null until a trace comes by
  };
  struct Node {
    double score = kUnknown;
    bool asked = false, grown = false, shrinking = false, shrunk = false;
    std::vector<std::size_t> available;  // while growth waits for scores
    std::vector<double> scores;          // of growth or of shrinking, while it waits
    std::vector<Branch> branches;        // best first
    std::vector<Branch> forced;          // required edges
    ParentSet result;                    // after shrinking
  };

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::int32_t candidate(std::size_t offset) const { return space_.parent[space_.first[child_] + offset]; }
  std::size_t offset_of(std::int32_t u) const {
    return static_cast<std::size_t>(space_.slot(u, static_cast<std::int32_t>(child_))) - space_.first[child_];
  }
  bool full() const { return static_cast<std::int64_t>(path_.size()) >= space_.limit[child_]; }
  static bool waits(const std::vector<double>& scores) {
    return std::any_of(scores.begin(), scores.end(), [](double s) { return std::isnan(s); });
  }
  static void insert(std::vector<std::int32_t>& list, std::int32_t u) {
    list.insert(std::lower_bound(list.begin(), list.end(), u), u);
  }
  static bool holds(const std::vector<std::int32_t>& list, std::int32_t u) {
    return std::find(list.begin(), list.end(), u) != list.end();
  }

  // Sets the path to all that is required; false where the predecessors do not allow that.
  template <class Precedes>
  bool start(const Precedes& precedes) {
    path_ = required_;
    forced_.clear();
    passed_ = never_added_;
    for (const std::int32_t u : required_) {
      if (!precedes(u)) return false;
      passed_[offset_of(u)] = true;
    }
    for (const std::int32_t u : edges_) {
      passed_[offset_of(u)] = true;
      if (!precedes(u)) continue;
      forced_.push_back(u);
      insert(path_, u);
    }
    return static_cast<std::int64_t>(path_.size()) <= space_.limit[child_];
  }

  Node* forced_branch(Node& node, std::int32_t u) {
    const std::size_t offset = offset_of(u);
    for (Branch& branch : node.forced) {
      if (branch.offset == offset) return branch.node;
    }
    node.forced.push_back({offset, kUnknown, nullptr});
    return enter(node.forced.back());
  }

  Node* enter(Branch& branch) {
    if (!branch.node) {
      nodes_.emplace_back();
      branch.node = &nodes_.back();
      branch.node->score = branch.score;
      branch.node->asked = !std::isnan(branch.score);
    }
    return branch.node;
  }

  bool scored(Node& node) {
    if (!node.asked) {
      node.asked = true;
      scores_.ask(path_, -1, &node.score);
    }
    return !std::isnan(node.score);
  }

  bool grown(Node& node) {
    if (node.grown) return true;
    if (!full() && node.available.empty()) ask_additions(node);
    if (waits(node.scores)) return false;
    std::vector<std::pair<double, std::size_t>> better;
    for (std::size_t i = 0; i < node.available.size(); ++i) {
      if (node.scores[i] > node.score + tolerance_) better.emplace_back(node.scores[i], node.available[i]);
    }
    rank_by_score(better, tolerance_, [](const auto& item) { return item.first; });
    for (const auto& [score, offset] : better) node.branches.push_back({offset, score, nullptr});
    node.available = {};
    node.scores = {};
    return node.grown = true;
  }

  void ask_additions(Node& node) {
    for (std::size_t offset = 0; offset < passed_.size(); ++offset) {
      if (!passed_[offset]) node.available.push_back(offset);
    }
    node.scores.assign(node.available.size(), kUnknown);
    for (std::size_t i = 0; i < node.available.size(); ++i)
      scores_.ask(path_, candidate(node.available[i]), &node.scores[i]);
  }

  bool shrunk(Node& node) {
    if (node.shrunk) return true;
    if (!node.shrinking) {
      node.shrinking = true;
      node.result = {node.score, path_};
    }
    ParentSet& result = node.result;
    while (true) {
      const std::vector<std::int32_t> free = removable(result.parents);
      if (free.size() < 2) break;  // the only grown parent was an improvement
      if (node.scores.empty()) ask_removals(node, free);
      if (waits(node.scores)) return false;
      const double best = *std::max_element(node.scores.begin(), node.scores.end());
      if (!(best > result.score + tolerance_)) break;
      const auto first = std::find_if(node.scores.begin(), node.scores.end(),
                                      [&](double score) { return score >= best - tolerance_; });
      const std::int32_t gone = free[static_cast<std::size_t>(first - node.scores.begin())];
      result.score = *first;
      result.parents.erase(std::find(result.parents.begin(), result.parents.end(), gone));
      node.scores.clear();
    }
    node.scores = {};
    return node.shrunk = true;
  }

  std::vector<std::int32_t> removable(const std::vector<std::int32_t>& parents) const {
    std::vector<std::int32_t> free;
    for (const std::int32_t u : parents) {
      if (!holds(required_, u) && !holds(forced_, u)) free.push_back(u);
    }
    return free;
  }

  void ask_removals(Node& node, const std::vector<std::int32_t>& free) {
    node.scores.assign(free.size(), kUnknown);
    for (std::size_t i = 0; i < free.size(); ++i) {
      std::vector<std::int32_t> rest = node.result.parents;
      rest.erase(std::find(rest.begin(), rest.end(), free[i]));
      scores_.ask(rest, -1, &node.scores[i]);
    }
  }

  const Space& space_;
  ChildScores scores_;
  std::size_t child_;
  double tolerance_;
  std::vector<std::int32_t> required_, edges_;
  std::vector<bool> never_added_;
  std::deque<Node> nodes_;  // the root first; a deque keeps their addresses
  const ParentSet illegal_;
  // Of the trace that runs: the parents so far, the required edges among them, and the candidates passed.
  std::vector<std::int32_t> path_, forced_;
  std::vector<bool> passed_;
};

}  // namespace mahc
