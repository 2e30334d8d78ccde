// Keys of whole graphs, so that a graph is recognised when a search meets it again.
#pragma once
#include <vector>

#include "random_generator.hpp"
#include "score_cache.hpp"
#include "space.hpp"

namespace mahc {

// A graph's key: 128 bits, the exclusive or of random words of its arcs. Two graphs share a key with
// probability 2^-128.
class GraphKeys {
 public:
  explicit GraphKeys(const Space& space) : space_(space) {
    RandomGenerator words(0x74616275);  // fixed: keys must not differ from run to run
    arcs_.resize(space.slots());
    for (FamilyKey& key : arcs_) key = {words.next(), words.next()};
  }

  FamilyKey of(const std::vector<std::size_t>& slots) const {
    FamilyKey key;
    for (const std::size_t k : slots) key = key ^ arcs_[k];
    return key;
  }
  FamilyKey after(const FamilyKey& key, const Move& move) const {
    const FamilyKey toggled = key ^ arcs_[move.slot];
    if (move.kind != MoveKind::reverse) return toggled;
    return toggled ^ arcs_[static_cast<std::size_t>(space_.reverse[move.slot])];
  }

  struct Hash {
    std::size_t operator()(const FamilyKey& key) const { return static_cast<std::size_t>(key.a); }
  };

 private:
  const Space& space_;
  std::vector<FamilyKey> arcs_;
};

}  // namespace mahc
