// Expected counts and draws of the missing values over many rows, with the same bits in any order of rows or
// threads.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/pool.hpp"
#include "../search/random_generator.hpp"
#include "row_posterior.hpp"

namespace mahc {

inline constexpr double kExpectedUnit = 0x1p30;    // the expected count 1
inline constexpr double kLikelihoodUnit = 0x1p30;  // one bit of log-likelihood

class RowCompleter {
 public:
  // `codes`: rows x variables, missing where a code equals the number of states; a row stands for `weights`
  // rows.
  RowCompleter(NetworkShape shape, std::vector<std::uint32_t> codes, std::vector<std::int64_t> weights,
               unsigned threads)
      : shape_(std::move(shape)), codes_(std::move(codes)), weights_(std::move(weights)), pool_(threads) {
    const std::size_t n = shape_.states.size();
    if (codes_.size() != n * weights_.size()) throw std::invalid_argument("there must be one code per value");
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

  // Expected counts in units of 2^-30, and the log-likelihood of the observed values in bits.
  double expect(const double* tables, std::vector<std::int64_t>& counts) {
    const std::size_t size = numbers(), chunks = (incomplete_.size() + kChunk - 1) / kChunk;
    std::vector<std::vector<std::int64_t>> parts(pool_.threads());
    std::vector<std::int64_t> bits(pool_.threads(), 0);
    pool_.run(chunks, [&](std::size_t chunk, unsigned thread) {
      auto& part = parts[thread];
      if (part.empty()) part.assign(size, 0);
      RowPosterior posterior(shape_);
      const std::size_t last = std::min(incomplete_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < last; ++i) {
        const std::int64_t weight = weights_[incomplete_[i]];
        const double log2 = posterior.update(&codes_[incomplete_[i] * variables()], tables);
        bits[thread] += weight * rounded(log2 * kLikelihoodUnit);
        posterior.visit_families([&](std::size_t cell, double probability) {
          part[cell] += weight * rounded(probability * kExpectedUnit);
        });
      }
    });
    counts.assign(size, 0);
    double log2 = 0.0;
    std::int64_t whole = 0;
    for (std::size_t k = 0; k < size; ++k) {
      counts[k] = observed_[k] << 30;
      for (const auto& part : parts) counts[k] += part.empty() ? 0 : part[k];
      if (observed_[k] == 0) continue;
      if (!(tables[k] > 0.0)) throw std::domain_error("a row has probability 0 under the tables");
      log2 += static_cast<double>(observed_[k]) * std::log2(tables[k]);
    }
    for (const std::int64_t part : bits) whole += part;
    return log2 + static_cast<double>(whole) / kLikelihoodUnit;
  }

  // Every row `draws` times its weight, the missing values drawn from their joint posterior. `hashes`: one
  // number per row that depends on its content only.
  std::vector<std::uint32_t> draw(const double* tables, const std::uint64_t* hashes, std::uint64_t seed,
                                  std::size_t draws) {
    const std::size_t n = variables();
    std::vector<std::size_t> first(weights_.size() + 1, 0);
    for (std::size_t row = 0; row < weights_.size(); ++row) {
      first[row + 1] = first[row] + static_cast<std::size_t>(weights_[row]) * draws;
    }
    std::vector<std::uint32_t> out(first.back() * n);
    const std::size_t chunks = (weights_.size() + kChunk - 1) / kChunk;
    pool_.run(chunks, [&](std::size_t chunk, unsigned) {
      RowPosterior posterior(shape_);
      const std::size_t last = std::min(weights_.size(), (chunk + 1) * kChunk);
      for (std::size_t row = chunk * kChunk; row < last; ++row) {
        const std::uint32_t* codes = &codes_[row * n];
        bool complete = true;
        for (std::size_t v = 0; v < n; ++v) complete = complete && codes[v] < shape_.states[v];
        if (!complete) posterior.update(codes, tables);
        for (std::size_t k = first[row]; k < first[row + 1]; ++k) {
          std::copy(codes, codes + n, &out[k * n]);
          if (complete) continue;
          const std::uint64_t key = mixed(mixed(hashes[row] ^ seed) + (k - first[row]));
          posterior.draw(&out[k * n], [&](std::size_t v) {
            return static_cast<double>(mixed(key + 0x9E3779B97F4A7C15ULL * (v + 1)) >> 11) * 0x1p-53;
          });
        }
      }
    });
    return out;
  }

 private:
  static constexpr std::size_t kChunk = 64;

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
