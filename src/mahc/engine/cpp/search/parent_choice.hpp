// The parents of every child given its predecessors: from its grow-shrink tree or, if better, its list of
// pairs.
#pragma once
#include <vector>

#include "grow_shrink_tree.hpp"
#include "order.hpp"
#include "pair_list.hpp"

namespace mahc {

// Which parents has `child` when `moved` stands elsewhere: itself at another place, or before or after the
// child?
struct Question {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t child;
  std::size_t moved = kNone;
  std::size_t place = 0;  // of the child, where that is what moves
  bool first = false;     // whether the moved variable precedes the child, where it is another
  const ParentSet* answer = nullptr;
};

struct ParentChoiceSettings {
  double tolerance;
  std::size_t pair_candidates;
  bool early_dropping;
  std::size_t most_nodes;
};

class ParentChoice {
 public:
  ParentChoice(const Space& space, ScoreCache& scores, const double* pairs,
               const ParentChoiceSettings& settings)
      : scores_(scores), bounds_(scores, pairs), most_nodes_(settings.most_nodes) {
    for (std::size_t v = 0; v < space.variables; ++v) {
      const ChildScores mine(scores, v, pairs);
      trees_.emplace_back(space, mine, bounds_, v, settings.tolerance, settings.early_dropping);
      nodes_ += trees_.back().nodes();
      if (settings.pair_candidates > 1)
        lists_.emplace_back(space, mine, v, settings.tolerance, settings.pair_candidates);
    }
  }

  void make_pair_lists() {
    for (PairList& list : lists_) list.ask_singles();
    scores_.flush();
    for (PairList& list : lists_) list.ask_pairs();
    scores_.flush();
    for (PairList& list : lists_) list.finish();
  }

  // Answers all questions; the scores that several of them lack are counted in one batch.
  void answer(const Order& order, std::vector<Question>& questions) {
    for (bool complete = false; !complete;) {
      complete = true;
      for (Question& question : questions) {
        if (!question.answer) question.answer = trace(order, question);
        if (!question.answer) complete = false;
      }
      if (!complete) scores_.flush();
    }
  }

  // Bounds memory: trees are built again as they are needed. Answers given before are no longer valid.
  void trim() {
    if (nodes_ <= most_nodes_) return;
    for (GrowShrinkTree& tree : trees_) tree.clear();
    nodes_ = 0;
    for (const GrowShrinkTree& tree : trees_) nodes_ += tree.nodes();
  }

 private:
  const ParentSet* trace(const Order& order, const Question& q) {
    if (q.child == q.moved) {
      return best(q.child, [&](std::int32_t u) {
        return order.place_without(static_cast<std::size_t>(u), q.child) < q.place;
      });
    }
    return best(q.child, [&](std::int32_t u) {
      const auto parent = static_cast<std::size_t>(u);
      return parent == q.moved ? q.first : order.precedes(parent, q.child);
    });
  }

  template <class Precedes>
  const ParentSet* best(std::size_t child, const Precedes& precedes) {
    GrowShrinkTree& tree = trees_[child];
    const std::size_t before = tree.nodes();
    const ParentSet* grown = tree.trace(precedes);
    nodes_ += tree.nodes() - before;
    if (!grown || !grown->legal() || lists_.empty()) return grown;
    const ParentSet* pair = lists_[child].best(grown->score, precedes);
    return pair ? pair : grown;
  }

  ScoreCache& scores_;
  GainBounds bounds_;
  std::size_t most_nodes_, nodes_ = 0;  // of all trees
  std::vector<GrowShrinkTree> trees_;
  std::vector<PairList> lists_;
};

}  // namespace mahc
