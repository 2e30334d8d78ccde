// Telling variables with equal marginal counts apart by the company their states keep, without looking at any
// order: of columns, of rows, of states.
//
// A state is a hash of its variable's class and its count; a row is the sum of the hashes of its states; then
// a state becomes the sum of its rows, and so on, until a round parts no more variables. Sums wrap around and
// do not see any order.
#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "../counting/table.hpp"

namespace mahc {

inline std::uint64_t mix_bits(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

template <class Visit>
void with_codes(const Column& column, Visit&& visit) {
  if (column.bytes == 1) {
    visit(static_cast<const std::uint8_t*>(column.codes));
  } else if (column.bytes == 2) {
    visit(static_cast<const std::uint16_t*>(column.codes));
  } else {
    visit(static_cast<const std::uint32_t*>(column.codes));
  }
}

class Signatures {
 public:
  Signatures(const Table& table, Pool& pool, const std::vector<std::uint64_t>& classes)
      : table_(table), pool_(pool), found_(classes), states_(table.variables()) {
    for (std::size_t v = 0; v < states_.size(); ++v) {
      for (const std::uint32_t count : table.marginal(v))
        states_[v].push_back(mix_bits(mix_bits(classes[v]) + count));
    }
  }

  // One number per variable; equal only for variables that the rounds could not part.
  std::vector<std::uint64_t> run() {
    std::size_t parted = std::set<std::uint64_t>(found_.begin(), found_.end()).size();
    for (int round = 0; round < kMostRounds && parted < found_.size(); ++round) {
      sum_rows();
      sum_states();
      const std::size_t now = std::set<std::uint64_t>(found_.begin(), found_.end()).size();
      if (now == parted) break;
      parted = now;
    }
    return found_;
  }

 private:
  static constexpr int kMostRounds = 6;
  static constexpr std::size_t kRowsAtATime = 8192;

  void sum_rows() {
    rows_.assign(table_.rows(), 0);
    pool_.run((table_.rows() + kRowsAtATime - 1) / kRowsAtATime, [&](std::size_t block, unsigned) {
      const std::size_t start = block * kRowsAtATime, stop = std::min(start + kRowsAtATime, table_.rows());
      for (std::size_t v = 0; v < states_.size(); ++v) {
        if (states_[v].size() < 2) continue;  // a constant column says nothing about a row
        const std::uint64_t* hash = states_[v].data();
        with_codes(table_.column(v), [&](const auto* codes) {
          for (std::size_t i = start; i < stop; ++i) rows_[i] += hash[codes[i]];
        });
      }
      for (std::size_t i = start; i < stop; ++i) {
        rows_[i] = mix_bits(rows_[i]) * (table_.weights() ? table_.weights()[i] : 1);
      }
    });
  }

  void sum_states() {
    std::vector<std::uint64_t> sorted(found_);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint64_t> next(found_);
    pool_.run(states_.size(), [&](std::size_t v, unsigned) {
      const auto range = std::equal_range(sorted.begin(), sorted.end(), found_[v]);
      if (range.second - range.first < 2) return;  // stands alone already
      std::vector<std::uint64_t> sums(states_[v].size(), 0);
      with_codes(table_.column(v), [&](const auto* codes) {
        for (std::size_t i = 0; i < rows_.size(); ++i) sums[codes[i]] += rows_[i];
      });
      std::uint64_t summary = mix_bits(found_[v]);
      for (std::size_t s = 0; s < sums.size(); ++s) {
        states_[v][s] = mix_bits(states_[v][s] ^ mix_bits(sums[s]));
        summary += mix_bits(states_[v][s]);
      }
      next[v] = summary;
    });
    found_ = std::move(next);
  }

  const Table& table_;
  Pool& pool_;
  std::vector<std::uint64_t> found_;
  std::vector<std::vector<std::uint64_t>> states_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace mahc
