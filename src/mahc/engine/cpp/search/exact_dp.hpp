// The best graph over all orders of the variables: dynamic programming over the sets that may come first.
#pragma once
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/pool.hpp"
#include "control.hpp"

namespace mahc {

// Candidate parent sets as bit masks, child by child; variables are at most kMost.
struct ParentSets {
  std::size_t variables = 0;
  std::vector<std::size_t> first;  // candidates of v: first[v] .. first[v + 1]
  std::vector<std::uint32_t> parents;
  std::vector<double> score;
  // A variable of held[v] that precedes v must be its parent.
  std::vector<std::uint32_t> held;
  // All of before[v] must precede v.
  std::vector<std::uint32_t> before;
};

class OrderProgram {
 public:
  static constexpr std::size_t kMost = 20;

  // Totals within the tolerance are equal; among these the later variable comes last.
  OrderProgram(const ParentSets& sets, double tolerance, Control& control)
      : sets_(sets), tolerance_(tolerance), control_(control) {
    if (sets.variables > kMost) throw std::invalid_argument("the dynamic program takes at most 20 variables");
  }

  // The chosen candidate of every variable; none where no order is legal. Throws Stopped.
  std::vector<std::int64_t> run() {
    const std::size_t n = sets_.variables;
    best_with_.resize(n);
    for (std::size_t v = 0; v < n; ++v) fill(v);
    find_last();
    std::vector<std::int64_t> chosen(n);
    for (std::uint32_t set = everything(); set != 0;) {
      if (last_[set] == kNobody) return {};
      const std::size_t v = last_[set];
      set &= ~(std::uint32_t{1} << v);
      chosen[v] = choose(v, set);
    }
    return chosen;
  }

 private:
  static constexpr std::uint8_t kNobody = 255;
  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  std::uint32_t everything() const {
    return static_cast<std::uint32_t>((std::uint64_t{1} << sets_.variables) - 1);
  }
  // A set without v, numbered among such sets.
  static std::uint32_t squeeze(std::uint32_t set, std::size_t v) {
    const std::uint32_t low = (std::uint32_t{1} << v) - 1;
    return (set & low) | (set >> 1 & ~low);
  }

  // best_with_[v][C]: the best candidate of v among those within C. A held variable is in it or not before v,
  // so the best of the sets without it is not passed on to the sets with it.
  void fill(std::size_t v) {
    std::vector<double>& best = best_with_[v];
    best.assign(std::size_t{1} << (sets_.variables - 1), kNone);
    for (std::size_t k = sets_.first[v]; k < sets_.first[v + 1]; ++k) {
      double& here = best[squeeze(sets_.parents[k], v)];
      if (sets_.score[k] > here) here = sets_.score[k];
    }
    for (std::size_t u = 0; u < sets_.variables; ++u) {
      if (control_.stop()) throw Stopped{};
      if (u == v || (sets_.held[v] >> u & 1)) continue;
      const std::size_t bit = std::size_t{1} << (u < v ? u : u - 1);
      for (std::size_t block = 0; block < best.size(); block += 2 * bit) {
        for (std::size_t i = block; i < block + bit; ++i) {
          if (best[i] > best[i + bit]) best[i + bit] = best[i];
        }
      }
    }
  }

  void find_last() {
    const std::size_t all = std::size_t{1} << sets_.variables;
    total_.assign(all, kNone);
    last_.assign(all, kNobody);
    total_[0] = 0.0;
    for (std::uint32_t set = 1; set < all; ++set) {
      if (set % 4096 == 0 && control_.stop()) throw Stopped{};
      for (std::size_t v = sets_.variables; v-- > 0;) {
        const std::uint32_t rest = set & ~(std::uint32_t{1} << v);
        if (rest == set || (sets_.before[v] & ~rest) != 0) continue;
        const double score = total_[rest] + best_with_[v][squeeze(rest, v)];
        if (score > total_[set] + tolerance_) {
          total_[set] = score;
          last_[set] = static_cast<std::uint8_t>(v);
        }
      }
    }
  }

  // The first candidate within the set that has the best score.
  std::int64_t choose(std::size_t v, std::uint32_t set) const {
    const double wanted = best_with_[v][squeeze(set, v)];
    for (std::size_t k = sets_.first[v]; k < sets_.first[v + 1]; ++k) {
      const bool fits = (sets_.parents[k] & ~set) == 0 && (set & sets_.held[v] & ~sets_.parents[k]) == 0;
      if (fits && sets_.score[k] == wanted) return static_cast<std::int64_t>(k);
    }
    throw std::logic_error("the dynamic program lost a parent set");
  }

  const ParentSets& sets_;
  double tolerance_;
  Control& control_;
  std::vector<std::vector<double>> best_with_;
  std::vector<double> total_;
  std::vector<std::uint8_t> last_;
};

}  // namespace mahc
