// The rows: coded columns, optional row weights, one bit vector per (variable, state), and lists of rows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "pool.hpp"
#include "row_bits.hpp"
#include "uncommon_rows.hpp"

namespace mahc {

struct Column {
  const void* codes;
  std::uint32_t states;
  std::uint8_t bytes;  // 1, 2 or 4 per code

  std::uint32_t at(std::size_t row) const {
    if (bytes == 1) return static_cast<const std::uint8_t*>(codes)[row];
    if (bytes == 2) return static_cast<const std::uint16_t*>(codes)[row];
    return static_cast<const std::uint32_t*>(codes)[row];
  }
};

class Table {
 public:
  // Columns and weights are borrowed: the creator of the table keeps them alive.
  Table(std::size_t rows, std::vector<Column> columns, const std::uint32_t* weights, Pool& pool)
      : rows_(rows), columns_(std::move(columns)), weights_(weights), marginals_(columns_.size()) {
    if (rows_ == 0) throw std::invalid_argument("a table needs at least one row");
    if (rows_ > kMostRows) throw std::invalid_argument("a table holds at most 2^28 rows");
    size_ = rows_;
    if (weights_) {
      size_ = 0;
      for (std::size_t i = 0; i < rows_; ++i) size_ += weights_[i];
    }
    if (size_ == 0 || size_ > UINT32_MAX) {
      throw std::invalid_argument("the total weight must lie between 1 and 4294967295");
    }
    pool.run(columns_.size(), [this](std::size_t v, unsigned) { count_marginal(v); });
  }

  std::size_t rows() const { return rows_; }
  std::uint64_t size() const { return size_; }
  std::size_t variables() const { return columns_.size(); }
  const Column& column(std::size_t v) const { return columns_[v]; }
  const std::uint32_t* weights() const { return weights_; }
  const std::vector<std::uint32_t>& marginal(std::size_t v) const { return marginals_[v]; }

  bool has_bitmaps(std::size_t v) const { return !offsets_.empty() && offsets_[v] != kNone; }
  std::size_t words() const { return words_; }
  const std::uint64_t* bitmap(std::size_t v, std::uint32_t state) const {
    return bits_.data() + offsets_[v] + state * words_;
  }

  // The list of a variable, or null where it has none.
  const UncommonRows* uncommon_rows(std::size_t v) const {
    return uncommon_.empty() ? nullptr : uncommon_[v].get();
  }
  // How many rows it has: infinite without a list. The sizes lie side by side, since every family asks for
  // one.
  float uncommon_count(std::size_t v) const {
    return uncommon_counts_.empty() ? std::numeric_limits<float>::infinity() : uncommon_counts_[v];
  }

  // Made when first asked for; null where they would not fit the memory set aside for them.
  const RowBits* row_bits() const {
    std::call_once(row_bits_made_, [this] { make_row_bits(); });
    return row_bits_.get();
  }
  void set_row_bits_memory(std::uint64_t most_bytes) { most_row_bits_bytes_ = most_bytes; }

  // How often the variables were renumbered.
  std::uint64_t arrangement() const { return arrangement_; }

  // Renumbers the variables: position i becomes what was variable order[i]. Not while anything is counted.
  void arrange(const std::vector<std::size_t>& order) {
    std::vector<bool> seen(columns_.size(), false);
    if (order.size() != columns_.size()) throw std::invalid_argument("the order must name every column once");
    for (const std::size_t v : order) {
      if (v >= seen.size() || seen[v]) throw std::invalid_argument("the order must name every column once");
      seen[v] = true;
    }
    const auto permute = [&order](auto& list) {
      if (list.empty()) return;
      std::remove_reference_t<decltype(list)> moved(list.size());
      for (std::size_t i = 0; i < order.size(); ++i) moved[i] = std::move(list[order[i]]);
      list = std::move(moved);
    };
    permute(columns_);
    permute(marginals_);
    permute(offsets_);
    permute(uncommon_);
    permute(uncommon_counts_);
    if (row_bits_) permute(row_bits_->first);
    ++arrangement_;
  }

  // Bit vectors for the byte-wide columns of few states, while they fit `most_bytes`.
  void build_bitmaps(const Kernels& kernels, Pool& pool, std::uint64_t most_bytes) {
    if (weights_) return;  // a bit counts one row
    words_ = (rows_ + 63) / 64;
    // Whole vectors of words need no loop for what is left over; in short columns they would cost more.
    if (words_ >= 4 * kVectorWords) words_ = (words_ + kVectorWords - 1) / kVectorWords * kVectorWords;
    offsets_.assign(columns_.size(), kNone);
    std::size_t total = 0;
    for (std::size_t v = 0; v < columns_.size(); ++v) {
      const std::size_t need = words_ * columns_[v].states;
      if (columns_[v].bytes != 1 || columns_[v].states > kMostBitmapStates) continue;
      if ((total + need) * sizeof(std::uint64_t) > most_bytes) continue;
      offsets_[v] = total;
      total += need;
    }
    bits_.assign(total, 0);
    pool.run(columns_.size(), [&](std::size_t v, unsigned) {
      if (offsets_[v] == kNone) return;
      kernels.bitmaps_u8(static_cast<const std::uint8_t*>(columns_[v].codes), rows_, columns_[v].states,
                         bits_.data() + offsets_[v], words_);
    });
  }

  // Lists of the columns that have bit vectors and a state that is common enough, while they fit
  // `most_bytes`.
  void list_uncommon_rows(Pool& pool, std::uint64_t most_bytes) {
    if (offsets_.empty()) return;
    uncommon_.resize(columns_.size());
    std::vector<std::size_t> listed;
    std::uint64_t total = 0;
    for (std::size_t v = 0; v < columns_.size(); ++v) {
      if (!has_bitmaps(v)) continue;
      const auto& counts = marginals_[v];
      const std::size_t rest = rows_ - *std::max_element(counts.begin(), counts.end());
      const std::uint64_t need = rest * UncommonRows::kBytesPerRow;
      if (4 * rest > 3 * rows_ || total + need > most_bytes) continue;
      total += need;
      listed.push_back(v);
    }
    pool.run(listed.size(), [&](std::size_t i, unsigned) {
      const std::size_t v = listed[i];
      uncommon_[v] = std::make_unique<UncommonRows>(bitmap(v, 0), words_, marginals_[v]);
    });
    uncommon_counts_.assign(columns_.size(), std::numeric_limits<float>::infinity());
    for (const std::size_t v : listed) uncommon_counts_[v] = static_cast<float>(uncommon_[v]->size());
  }

  static constexpr std::size_t kMostRows = std::size_t{1} << 28;
  static constexpr std::uint32_t kMostBitmapStates = 64;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kVectorWords = 8;  // of the widest vectors

  void count_marginal(std::size_t v) {
    const Column& column = columns_[v];
    auto& counts = marginals_[v];
    if (column.states == 0) throw std::invalid_argument("column " + std::to_string(v) + " has no states");
    switch (column.bytes) {
      case 1:
        counts = histogram(static_cast<const std::uint8_t*>(column.codes), std::size_t{1} << 8);
        break;
      case 2:
        counts = histogram(static_cast<const std::uint16_t*>(column.codes), std::size_t{1} << 16);
        break;
      default:
        counts = checked_histogram(static_cast<const std::uint32_t*>(column.codes), column.states);
    }
    for (std::size_t code = column.states; code < counts.size(); ++code) {
      if (counts[code]) throw std::invalid_argument("a code is not below its column's number of states");
    }
    counts.resize(column.states);
  }

  void make_row_bits() const {
    if (offsets_.empty()) return;
    std::vector<const std::uint64_t*> columns;
    std::vector<std::size_t> first(columns_.size(), RowBits::kNone);
    for (std::size_t v = 0; v < columns_.size(); ++v) {
      if (!has_bitmaps(v)) continue;
      first[v] = columns.size();
      for (std::uint32_t x = 0; x + 1 < columns_[v].states; ++x) columns.push_back(bitmap(v, x));
    }
    if (columns.empty() || RowBits::bytes(rows_, columns.size()) > most_row_bits_bytes_) return;
    row_bits_ = std::make_unique<RowBits>(columns, std::move(first), rows_);
  }

  template <class Code>
  std::vector<std::uint32_t> histogram(const Code* codes, std::size_t range) const {
    std::vector<std::uint32_t> even(range), odd(range);  // two, so that equal neighbours do not wait
    std::size_t i = 0;
    if (weights_) {
      for (; i < rows_; ++i) even[codes[i]] += weights_[i];
    } else {
      for (; i + 2 <= rows_; i += 2) {
        ++even[codes[i]];
        ++odd[codes[i + 1]];
      }
      for (; i < rows_; ++i) ++even[codes[i]];
    }
    for (std::size_t k = 0; k < range; ++k) even[k] += odd[k];
    return even;
  }

  std::vector<std::uint32_t> checked_histogram(const std::uint32_t* codes, std::uint32_t states) const {
    std::vector<std::uint32_t> counts(states);
    for (std::size_t i = 0; i < rows_; ++i) {
      if (codes[i] >= states)
        throw std::invalid_argument("a code is not below its column's number of states");
      counts[codes[i]] += weights_ ? weights_[i] : 1;
    }
    return counts;
  }

  std::size_t rows_;
  std::uint64_t size_ = 0;
  std::vector<Column> columns_;
  const std::uint32_t* weights_;
  std::vector<std::vector<std::uint32_t>> marginals_;
  std::size_t words_ = 0;
  std::uint64_t arrangement_ = 0;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::unique_ptr<UncommonRows>> uncommon_;
  std::vector<float> uncommon_counts_;
  std::uint64_t most_row_bits_bytes_ = 0;
  mutable std::once_flag row_bits_made_;
  mutable std::unique_ptr<RowBits> row_bits_;
};

}  // namespace mahc
