// Grow-shrink trees (Andrews, Ramsey, Sanchez Romero, Camchong and Kummerfeld, 2023): the parents of one
// child given the variables that precede it, remembered for every set of predecessors that was asked about.
//
// Growing adds the best next parent while that improves the score; shrinking then takes parents away while
// that improves it. A node is a set grown so far, with the parents that improve it, best first; a trace takes
// at each node the best that precedes the child. Unlike the published tree, a candidate is scored at a node
// only once it precedes the child in some trace that comes by.
//
// With early dropping (Borboudakis and Tsamardinos 2019), a candidate that does not improve a set is not
// tried again while that set grows.
//
// Knowledge: required arcs are in the root, required edges are the first branches of a trace, and neither
// shrinks.
#pragma once
#include <cmath>
#include <deque>
#include <list>
#include <unordered_map>
#include <vector>

#include "child_scores.hpp"
#include "gain_bounds.hpp"
#include "parent_set.hpp"
#include "space.hpp"

namespace mahc {

class GrowShrinkTree {
 public:
  GrowShrinkTree(const Space& space, const ChildScores& scores, GainBounds& bounds, std::size_t child,
                 double tolerance, bool early_dropping)
      : space_(space),
        scores_(scores),
        bounds_(bounds),
        child_(child),
        tolerance_(tolerance),
        early_dropping_(early_dropping) {
    for (std::size_t k = space.first[child]; k < space.first[child + 1]; ++k) {
      if (space.hold[k] == Hold::arc) required_.push_back(space.parent[k]);
      if (space.hold[k] == Hold::adjacency) edges_.push_back(space.parent[k]);
      if (space.hold[k] == Hold::none) free_.push_back(space.parent[k]);
    }
  }

  std::size_t nodes() const { return nodes_.size(); }
  void clear() {
    root_ = nullptr;
    roots_.clear();
    nodes_.clear();
  }

  // The parents given the predecessors, or null while scores are missing: they are then asked for, and the
  // trace is to be repeated after a flush.
  template <class Precedes>
  const ParentSet* trace(const Precedes& precedes) {
    Node* node = start(precedes);
    if (!node) return &illegal_;
    if (std::isnan(node->score)) return nullptr;
    while (true) {
      if (!grown(*node, precedes)) return nullptr;
      Branch* branch = best_branch(*node, precedes);
      if (!branch) return shrink(*node) ? &node->result : nullptr;
      if (!branch->node) {
        std::vector<std::int32_t> path = node->path;
        insert(path, branch->candidate);
        branch->node = new_node(node, std::move(path), branch->score);
      }
      node = branch->node;
    }
  }

 private:
  struct Node;
  struct Branch {
    std::int32_t candidate;
    double score;
    Node* node;  // null until a trace comes by
  };
  struct Pending {
    std::int32_t candidate;
    double score;  // NaN until it is flushed
  };
  struct Node {
    Node* parent = nullptr;  // of a root: null
    double score = kUnknown;
    bool shrinking = false, shrunk = false;
    std::size_t listed = 0;               // how many of the candidates it may try were listed
    std::vector<std::int32_t> unscored;   // candidates that preceded the child in no trace so far
    std::list<Pending> pending;           // a list keeps their addresses
    std::vector<std::int32_t> improving;  // candidates that improve, as they were found
    std::vector<Branch> branches;         // the same, best first
    std::vector<double> removals;         // while shrinking waits for scores
    std::vector<std::int32_t> path;       // the parents so far, ascending
    ParentSet result;                     // after shrinking
  };
  struct Hash {
    std::size_t operator()(const FamilyKey& key) const { return static_cast<std::size_t>(key.a); }
  };

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  bool full(const Node& node) const {
    return static_cast<std::int64_t>(node.path.size()) >= space_.limit[child_];
  }
  static bool holds(const std::vector<std::int32_t>& list, std::int32_t u) {
    return std::find(list.begin(), list.end(), u) != list.end();
  }
  static void insert(std::vector<std::int32_t>& list, std::int32_t u) {
    list.insert(std::lower_bound(list.begin(), list.end(), u), u);
  }

  // Where traces start: always at the same node, unless required edges may go either way. Null where the
  // predecessors do not allow all that is required.
  template <class Precedes>
  Node* start(const Precedes& precedes) {
    if (!std::all_of(required_.begin(), required_.end(), precedes)) return nullptr;
    if (edges_.empty() && root_) return root_;
    std::vector<std::int32_t> path = required_;
    for (const std::int32_t u : edges_) {
      if (precedes(u)) insert(path, u);
    }
    if (static_cast<std::int64_t>(path.size()) > space_.limit[child_]) return nullptr;
    Node*& root = edges_.empty() ? root_ : roots_[scores_.key(path)];
    if (!root) {
      root = new_node(nullptr, std::move(path), kUnknown);
      scores_.ask(root->path, -1, &root->score);
    }
    return root;
  }

  Node* new_node(Node* parent, std::vector<std::int32_t> path, double score) {
    nodes_.emplace_back();
    nodes_.back().parent = parent;
    nodes_.back().path = std::move(path);
    nodes_.back().score = score;
    return &nodes_.back();
  }

  // Lists the candidates that may be tried here and were not listed before.
  void list_candidates(Node& node) const {
    if (full(node)) return;
    const auto& source = early_dropping_ && node.parent ? node.parent->improving : free_;
    for (; node.listed < source.size(); ++node.listed) {
      const std::int32_t u = source[node.listed];
      if (!holds(node.path, u)) node.unscored.push_back(u);
    }
  }

  // Are all candidates that precede the child scored here? Asks for those that are not.
  template <class Precedes>
  bool grown(Node& node, const Precedes& precedes) {
    list_candidates(node);
    std::size_t left = 0;
    preceding_.clear();
    for (const std::int32_t u : node.unscored) {
      if (!precedes(u)) {
        node.unscored[left++] = u;
      } else if (!gains_too_little(node, u)) {
        preceding_.push_back(u);
      }
    }
    node.unscored.resize(left);
    if (!preceding_.empty()) ask_additions(node);
    for (const Pending& asked : node.pending) {
      if (std::isnan(asked.score)) return false;
    }
    if (!node.pending.empty()) rank_pending(node);
    return true;
  }

  // Asks for the scores of `preceding_`, except those whose bounds are no better than the node.
  void ask_additions(Node& node) {
    most_.assign(preceding_.size(), std::numeric_limits<double>::infinity());
    scores_.bound_additions(node.path, node.score, preceding_, most_.data());
    for (std::size_t i = 0; i < preceding_.size(); ++i) {
      if (most_[i] <= node.score + tolerance_) continue;
      node.pending.push_back({preceding_[i], kUnknown});
      scores_.ask(node.path, preceding_[i], &node.pending.back().score);
    }
  }

  // No branch, whatever the count.
  bool gains_too_little(const Node& node, std::int32_t u) {
    if (!bounds_.known() || node.path.empty()) return false;
    const double most = bounds_.most(static_cast<std::int32_t>(child_), node.path, u, node.score);
    return most <= node.score + tolerance_;
  }

  void rank_pending(Node& node) {
    for (const Pending& asked : node.pending) {
      if (!(asked.score > node.score + tolerance_)) continue;
      node.branches.push_back({asked.candidate, asked.score, nullptr});
      if (early_dropping_) node.improving.push_back(asked.candidate);
    }
    node.pending.clear();
    std::sort(node.branches.begin(), node.branches.end(), [](const Branch& a, const Branch& b) {
      return a.score != b.score ? a.score > b.score : a.candidate < b.candidate;
    });
  }

  // Of the branches that precede the child the best; of equally good ones the first variable.
  template <class Precedes>
  Branch* best_branch(Node& node, const Precedes& precedes) const {
    Branch* best = nullptr;
    double floor = 0.0;
    for (Branch& branch : node.branches) {
      if (best && branch.score < floor) break;
      if (!precedes(branch.candidate)) continue;
      if (!best) floor = branch.score - tolerance_;
      if (!best || branch.candidate < best->candidate) best = &branch;
    }
    return best;
  }

  // False while scores are missing: they are then asked for.
  bool shrink(Node& node) {
    if (node.shrunk) return true;
    if (!node.shrinking) {
      node.shrinking = true;
      node.result = {node.score, node.path};
    }
    ParentSet& result = node.result;
    while (true) {
      const std::vector<std::int32_t> free = removable(result.parents);
      if (free.size() < 2) break;  // the only grown parent was an improvement
      if (node.removals.empty()) ask_removals(node, free);
      const auto& scores = node.removals;
      if (std::any_of(scores.begin(), scores.end(), [](double s) { return std::isnan(s); })) return false;
      const double best = *std::max_element(scores.begin(), scores.end());
      if (!(best > result.score + tolerance_)) break;
      const auto first = std::find_if(scores.begin(), scores.end(),
                                      [&](double score) { return score >= best - tolerance_; });
      const std::int32_t gone = free[static_cast<std::size_t>(first - scores.begin())];
      result.score = *first;
      result.parents.erase(std::find(result.parents.begin(), result.parents.end(), gone));
      node.removals.clear();
    }
    node.removals = {};
    return node.shrunk = true;
  }

  std::vector<std::int32_t> removable(const std::vector<std::int32_t>& parents) const {
    std::vector<std::int32_t> free;
    for (const std::int32_t u : parents) {
      if (!holds(required_, u) && !holds(edges_, u)) free.push_back(u);
    }
    return free;
  }

  void ask_removals(Node& node, const std::vector<std::int32_t>& free) {
    node.removals.assign(free.size(), kUnknown);
    for (std::size_t i = 0; i < free.size(); ++i) {
      std::vector<std::int32_t> rest = node.result.parents;
      rest.erase(std::find(rest.begin(), rest.end(), free[i]));
      scores_.ask(rest, -1, &node.removals[i]);
    }
  }

  const Space& space_;
  ChildScores scores_;
  GainBounds& bounds_;
  std::size_t child_;
  double tolerance_;
  bool early_dropping_;
  std::vector<std::int32_t> required_, edges_, free_;
  std::vector<std::int32_t> preceding_;  // scratch: candidates that a node has not tried, and their bounds
  std::vector<double> most_;
  std::deque<Node> nodes_;  // a deque keeps their addresses
  Node* root_ = nullptr;
  // Where required edges may go either way: by those that point to the child.
  std::unordered_map<FamilyKey, Node*, Hash> roots_;
  const ParentSet illegal_;
};

}  // namespace mahc
