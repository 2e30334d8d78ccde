// Expected counts and draws of the missing values over many rows, with the same bits in any order of rows or
// threads.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/pool.hpp"
#include "../counting/wide_sum.hpp"
#include "../search/random_generator.hpp"
#include "row_posterior.hpp"

namespace mahc {

inline constexpr double kExpectedUnit = 0x1p30;                           // the expected count 1
inline constexpr double kLikelihoodUnit = 0x1p30;                         // one bit of log-likelihood
inline constexpr std::int64_t kMostWeight = (std::int64_t{1} << 53) - 1;  // of all rows: a double has it

// Rows with their numbers of copies.
struct DrawnRows {
  std::vector<std::uint32_t> codes;
  std::vector<std::int64_t> weights;
};

class RowCompleter {
 public:
  // `codes`: rows x variables, missing where a code equals the number of states; a row stands for `weights`
  // rows.
  RowCompleter(NetworkShape shape, std::vector<std::uint32_t> codes, std::vector<std::int64_t> weights,
               unsigned threads)
      : shape_(std::move(shape)), codes_(std::move(codes)), weights_(std::move(weights)), pool_(threads) {
    const std::size_t n = shape_.states.size();
    if (codes_.size() != n * weights_.size()) throw std::invalid_argument("there must be one code per value");
    std::int64_t left = kMostWeight;
    for (const std::int64_t weight : weights_) {
      if (weight < 0 || weight > left)
        throw std::invalid_argument("weights must be 0 or more, and sum to less than 2^53");
      left -= weight;
    }
    observed_.assign(shape_.first.back(), 0);
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      bool complete = true;
      for (std::size_t v = 0; v < n; ++v) {
        if (code(row, v) > shape_.states[v]) throw std::invalid_argument("a code is out of range");
        complete = complete && code(row, v) < shape_.states[v];
        count_observed(row, v);
      }
      if (!complete) incomplete_.push_back(row);
    }
  }

  Pool& pool() { return pool_; }
  std::size_t rows() const { return weights_.size(); }
  std::size_t numbers() const { return shape_.first.back(); }
  std::size_t variables() const { return shape_.states.size(); }

  // Expected counts, and the log-likelihood of the observed values in bits. A share of a row is rounded to a
  // multiple of 2^-30; the rest is exact, for any weights.
  double expect(const double* tables, std::vector<double>& counts) {
    const std::size_t size = numbers(), chunks = (incomplete_.size() + kChunk - 1) / kChunk;
    std::vector<std::vector<WideSum>> parts(pool_.threads());
    std::vector<WideSum> bits(pool_.threads());
    pool_.run(chunks, [&](std::size_t chunk, unsigned thread) {
      auto& part = parts[thread];
      if (part.empty()) part.assign(size, {});
      RowPosterior posterior(shape_);
      const std::size_t last = std::min(incomplete_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < last; ++i) {
        const std::int64_t weight = weights_[incomplete_[i]];
        const double log2 = posterior.update(&codes_[incomplete_[i] * variables()], tables);
        bits[thread].add(weight, rounded(log2 * kLikelihoodUnit));
        posterior.visit_families([&](std::size_t cell, double probability) {
          part[cell].add(weight, rounded(probability * kExpectedUnit));
        });
      }
    });
    counts.assign(size, 0.0);
    double log2 = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      WideSum sum;
      sum.add(observed_[k], static_cast<std::int64_t>(kExpectedUnit));
      for (const auto& part : parts) {
        if (!part.empty()) sum.add(part[k]);
      }
      counts[k] = sum.value() / kExpectedUnit;
      if (observed_[k] == 0) continue;
      if (!(tables[k] > 0.0)) throw std::domain_error(kImpossible);
      log2 += static_cast<double>(observed_[k]) * std::log2(tables[k]);
    }
    WideSum whole;
    for (const WideSum& part : bits) whole.add(part);
    return log2 + whole.value() / kLikelihoodUnit;
  }

  // Every row `draws` times its weight, the missing values drawn from their joint posterior. Equal draws of a
  // row are one row with their number as its weight. `hashes`: one number per row that depends on its content
  // only.
  DrawnRows draw(const double* tables, const std::uint64_t* hashes, std::uint64_t seed, std::size_t draws) {
    struct Block {
      std::size_t row;
      std::uint64_t first, last;
    };
    using Completions = std::map<std::vector<std::uint32_t>, std::int64_t>;
    const std::size_t n = variables();
    std::vector<Block> blocks;  // of one row each, and small: work is stopped between them
    for (const std::size_t row : incomplete_) {
      const std::uint64_t copies = static_cast<std::uint64_t>(weights_[row]) * draws;
      for (std::uint64_t k = 0; k < copies; k += kBlock)
        blocks.push_back({row, k, std::min(copies, k + kBlock)});
    }
    std::vector<Completions> found(blocks.size());
    pool_.run(blocks.size(), [&](std::size_t i, unsigned) {
      const Block& block = blocks[i];
      const std::uint32_t* const codes = &codes_[block.row * n];
      RowPosterior posterior(shape_);
      posterior.update(codes, tables);
      std::vector<std::uint32_t> drawn(codes, codes + n);
      for (std::uint64_t k = block.first; k < block.last; ++k) {
        const std::uint64_t key = mixed(mixed(hashes[block.row] ^ seed) + k);
        posterior.draw(drawn.data(), [&](std::size_t v) {
          return static_cast<double>(mixed(key + 0x9E3779B97F4A7C15ULL * (v + 1)) >> 11) * 0x1p-53;
        });
        ++found[i][drawn];
      }
    });
    DrawnRows out;
    std::size_t next = 0;
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      Completions completions;
      for (; next < blocks.size() && blocks[next].row == row; ++next) {
        for (const auto& [codes, copies] : found[next]) completions[codes] += copies;
        found[next].clear();
      }
      if (!std::binary_search(incomplete_.begin(), incomplete_.end(), row) && weights_[row] > 0) {
        completions[{&codes_[row * n], &codes_[row * n] + n}] =
            weights_[row] * static_cast<std::int64_t>(draws);
      }
      for (const auto& [codes, copies] : completions) {
        out.codes.insert(out.codes.end(), codes.begin(), codes.end());
        out.weights.push_back(copies);
      }
    }
    return out;
  }

 private:
  static constexpr std::size_t kChunk = 64;
  static constexpr std::uint64_t kBlock = 1 << 14;

  static std::int64_t rounded(double x) { return static_cast<std::int64_t>(x < 0.0 ? x - 0.5 : x + 0.5); }

  static std::uint64_t mixed(std::uint64_t x) { return RandomGenerator(x).next(); }

  std::uint32_t code(std::size_t row, std::size_t v) const { return codes_[row * shape_.states.size() + v]; }

  void count_observed(std::size_t row, std::size_t v) {
    std::size_t cell = 0;
    for (const std::int32_t p : shape_.parents[v]) {
      const auto parent = static_cast<std::size_t>(p);
      if (code(row, parent) >= shape_.states[parent]) return;
      cell = cell * shape_.states[parent] + code(row, parent);
    }
    if (code(row, v) >= shape_.states[v]) return;
    observed_[shape_.first[v] + cell * shape_.states[v] + code(row, v)] += weights_[row];
  }

  NetworkShape shape_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::int64_t> weights_;
  std::vector<std::size_t> incomplete_;
  std::vector<std::int64_t> observed_;  // counts of families that are observed as a whole
  Pool pool_;
};

}  // namespace mahc
