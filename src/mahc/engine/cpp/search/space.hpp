// The search space: which arcs may be used, how many parents a variable may have, what must stay.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mahc {

enum class Hold : std::uint8_t {
  none = 0,        // may be added, deleted, reversed
  adjacency = 1,   // the edge must stay, its direction may turn
  arc = 2,         // must stay as it is
  start_only = 3,  // forbidden, but in the start graph: may be deleted or reversed, never added again
};

// Candidate parents of each child as one flat list: slot k of child v lies in [first[v], first[v + 1]).
// Beside the variables there may be virtual nodes with fixed arcs: they only forbid paths (temporal tiers).
struct Space {
  std::size_t variables = 0;
  std::size_t nodes = 0;
  std::vector<std::size_t> first;
  std::vector<std::int32_t> parent;   // per slot
  std::vector<std::int32_t> child;    // per slot
  std::vector<std::int64_t> reverse;  // slot of the opposite arc, or -1
  std::vector<Hold> hold;             // per slot
  std::vector<std::int32_t> limit;    // most parents, per variable
  std::vector<std::pair<std::int32_t, std::int32_t>> virtual_arcs;

  std::size_t slots() const { return parent.size(); }
  std::size_t candidates(std::size_t v) const { return first[v + 1] - first[v]; }
  // What knowledge says of one arc, whatever the graph; legality.hpp adds what the graph says.
  bool fixed(std::size_t k) const { return hold[k] == Hold::arc; }
  bool addable(std::size_t k) const { return hold[k] != Hold::start_only; }
  bool deletable(std::size_t k) const { return hold[k] == Hold::none || hold[k] == Hold::start_only; }
  bool reversible(std::size_t k) const {
    return !fixed(k) && reverse[k] >= 0 && addable(static_cast<std::size_t>(reverse[k]));
  }

  // Slot of parent u in child v, or -1; candidate lists ascend.
  std::int64_t slot(std::int32_t u, std::int32_t v) const {
    std::size_t low = first[static_cast<std::size_t>(v)], high = first[static_cast<std::size_t>(v) + 1];
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (parent[middle] < u) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool found = low < first[static_cast<std::size_t>(v) + 1] && parent[low] == u;
    return found ? static_cast<std::int64_t>(low) : -1;
  }

  // Fills child and reverse from first and parent.
  void complete() {
    child.resize(slots());
    reverse.assign(slots(), -1);
    for (std::size_t v = 0; v < variables; ++v) {
      for (std::size_t k = first[v]; k < first[v + 1]; ++k) {
        child[k] = static_cast<std::int32_t>(v);
        if (k > first[v] && parent[k - 1] >= parent[k]) {
          throw std::invalid_argument("candidate parents must ascend");
        }
      }
    }
    // Slots are visited by ascending child, so the place of that child in the list of each parent only rises.
    std::vector<std::size_t> place(first.begin(), first.end() - (first.empty() ? 0 : 1));
    for (std::size_t k = 0; k < slots(); ++k) {
      const auto u = static_cast<std::size_t>(parent[k]);
      while (place[u] < first[u + 1] && parent[place[u]] < child[k]) ++place[u];
      if (place[u] < first[u + 1] && parent[place[u]] == child[k]) {
        reverse[k] = static_cast<std::int64_t>(place[u]);
      }
    }
  }

  // Every variable is a candidate parent of every other; nothing is held.
  void add_all_arcs() {
    const std::size_t n = variables, others = n == 0 ? 0 : n - 1;
    first.resize(n + 1);
    for (std::size_t v = 0; v <= n; ++v) first[v] = v * others;
    parent.resize(n * others);
    child.resize(n * others);
    reverse.resize(n * others);
    hold.assign(n * others, Hold::none);
    for (std::size_t v = 0; v < n; ++v) {
      std::size_t k = first[v];
      for (std::size_t u = 0; u < n; ++u) {
        if (u == v) continue;
        parent[k] = static_cast<std::int32_t>(u);
        child[k] = static_cast<std::int32_t>(v);
        reverse[k++] = static_cast<std::int64_t>(first[u] + (v < u ? v : v - 1));
      }
    }
  }
};

enum class MoveKind : std::uint8_t { add = 0, remove = 1, reverse = 2 };

struct Move {
  MoveKind kind = MoveKind::add;
  std::size_t slot = 0;
};

// The last tie rule: the arc's variables in their order, then add before remove before reverse.
inline bool comes_first(const Space& space, const Move& a, const Move& b) {
  if (a.slot != b.slot) {
    const auto key = [&](const Move& m) { return std::pair(space.parent[m.slot], space.child[m.slot]); };
    return key(a) < key(b);
  }
  return a.kind < b.kind;
}

enum class StopReason : std::uint8_t { converged = 0, time_limit = 1, interrupted = 2, step_limit = 3 };

struct Step {
  Move move;
  double own;
  double averaged;  // NaN where nothing is averaged
  double seconds;
};

}  // namespace mahc
