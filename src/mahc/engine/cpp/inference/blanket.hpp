// The distribution of one variable in complete rows: the product of the tables that mention it, which are its
// own and those of its children. No other variable matters (they are its Markov blanket), so nothing is
// propagated.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../counting/pool.hpp"
#include "../counting/table.hpp"

namespace mahc {

// A table of natural logarithms. The cell of a row in which the target has state k is the sum of code *
// stride over the other variables, plus k * target_stride.
struct BlanketTable {
  std::vector<std::size_t> columns;
  std::vector<std::size_t> strides;
  std::size_t target_stride;
  const double* logs;
};

class BlanketPosterior {
 public:
  BlanketPosterior(const std::vector<Column>& columns, const std::vector<BlanketTable>& tables,
                   std::size_t states, std::size_t rows)
      : columns_(columns), tables_(tables), states_(states), rows_(rows) {}

  // Writes rows x states probabilities; a row that is impossible in every state has zeros.
  void run(Pool& pool, double* out) const {
    const std::size_t tasks = (rows_ + kChunk - 1) / kChunk;
    pool.run(tasks, [&](std::size_t task, unsigned) {
      const std::size_t begin = task * kChunk;
      fill(begin, std::min(rows_, begin + kChunk), out + begin * states_);
    });
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  template <class Code>
  static void add_codes(const void* codes, std::size_t begin, std::size_t end, std::size_t stride,
                        std::size_t* cells) {
    const Code* from = static_cast<const Code*>(codes) + begin;
    for (std::size_t i = 0; i < end - begin; ++i) cells[i] += from[i] * stride;
  }

  void fill(std::size_t begin, std::size_t end, double* out) const {
    const std::size_t rows = end - begin;
    std::fill(out, out + rows * states_, 0.0);
    std::vector<std::size_t> cells(rows);
    for (const BlanketTable& table : tables_) {
      std::fill(cells.begin(), cells.end(), std::size_t{0});
      for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const Column& column = columns_[table.columns[k]];
        if (column.bytes == 1) {
          add_codes<std::uint8_t>(column.codes, begin, end, table.strides[k], cells.data());
        } else if (column.bytes == 2) {
          add_codes<std::uint16_t>(column.codes, begin, end, table.strides[k], cells.data());
        } else {
          add_codes<std::uint32_t>(column.codes, begin, end, table.strides[k], cells.data());
        }
      }
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < states_; ++k) {
          out[i * states_ + k] += table.logs[cells[i] + k * table.target_stride];
        }
      }
    }
    for (std::size_t i = 0; i < rows; ++i) normalise(out + i * states_);
  }

  void normalise(double* row) const {
    const double largest = *std::max_element(row, row + states_);
    if (largest == -std::numeric_limits<double>::infinity()) {
      std::fill(row, row + states_, 0.0);
      return;
    }
    double total = 0;
    for (std::size_t k = 0; k < states_; ++k) total += row[k] = std::exp(row[k] - largest);
    for (std::size_t k = 0; k < states_; ++k) row[k] /= total;
  }

  const std::vector<Column>& columns_;
  const std::vector<BlanketTable>& tables_;
  std::size_t states_;
  std::size_t rows_;
};

}  // namespace mahc
