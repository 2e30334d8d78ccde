// Rows that are stored as often as their weights say: a resample of a table.
#pragma once
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "pool.hpp"
#include "table.hpp"

namespace mahc {

class RepeatedRows {
 public:
  RepeatedRows(const std::vector<Column>& columns, const std::uint32_t* weights, std::size_t rows, Pool& pool)
      : columns_(columns), codes_(columns.size()) {
    const std::uint64_t size = std::accumulate(weights, weights + rows, std::uint64_t{0});
    if (size > Table::kMostRows) throw std::invalid_argument("a table holds at most 2^28 rows");
    std::vector<std::uint32_t> places;
    places.reserve(size);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::uint32_t k = 0; k < weights[i]; ++k) places.push_back(static_cast<std::uint32_t>(i));
    }
    rows_ = places.size();
    pool.run(columns.size(), [&](std::size_t v, unsigned) {
      const Column& from = columns[v];
      if (from.bytes == 1) return gather<std::uint8_t>(from, places, v);
      if (from.bytes == 2) return gather<std::uint16_t>(from, places, v);
      gather<std::uint32_t>(from, places, v);
    });
  }

  std::size_t rows() const { return rows_; }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  template <class Code>
  void gather(const Column& from, const std::vector<std::uint32_t>& places, std::size_t v) {
    const Code* codes = static_cast<const Code*>(from.codes);
    codes_[v].resize(places.size() * sizeof(Code));
    Code* out = reinterpret_cast<Code*>(codes_[v].data());
    for (std::size_t k = 0; k < places.size(); ++k) out[k] = codes[places[k]];
    columns_[v].codes = out;
  }

  std::vector<Column> columns_;
  std::vector<std::vector<std::uint8_t>> codes_;
  std::size_t rows_ = 0;
};

}  // namespace mahc
