// Rows with missing values: the counts of a set of variables, from the rows that are complete in it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mahc {

// One variable: code k < states is a state, code `states` means that the value is missing.
struct IncompleteColumn {
  std::vector<std::uint8_t> narrow;  // the codes where they fit into a byte, else `wide`
  std::vector<std::uint32_t> wide;
  std::uint32_t states = 0;
  bool has_missing = false;
  std::uint32_t digits() const { return states + (has_missing ? 1 : 0); }  // of a code
  // Weight of a row because this variable is observed in it: log2 in steps of 1 / kLogSteps, and the
  // variables that its values depend on. Empty: no weights.
  std::vector<std::int16_t> log_weights;
  std::vector<std::int32_t> causes;
};

// A cell that occurs: `code` has the first variable's state as its fastest digit, and one digit per variable.
struct Cell {
  std::uint64_t code;
  std::uint64_t weight;
};

// What the rows complete in some variables say: their cells in order of code, their number, their weight.
struct CompleteCells {
  std::vector<Cell> cells;
  std::vector<std::uint64_t> strides;  // one more than variables: the last is the number of all codes
  std::uint64_t rows = 0;              // weighted by the data's own weights only
  std::uint64_t weight = 0;
};

inline constexpr int kLogSteps = 128;                               // steps of a log weight per bit
inline constexpr int kMostLog = 5;                                  // weights lie between 2^-5 and 2^5
inline constexpr std::uint64_t kUnit = 4096;                        // the weight 1
inline constexpr std::uint64_t kMostRows = std::uint64_t{1} << 23;  // weights counted: sums share 64 bits

class IncompleteRows {
 public:
  IncompleteRows(std::vector<IncompleteColumn> columns, std::vector<std::uint32_t> weights, std::size_t rows)
      : columns_(std::move(columns)), weights_(std::move(weights)), rows_(rows) {
    for (const std::uint32_t weight : weights_) size_ += weight;
    if (weights_.empty()) size_ = rows_;
    for (int step = -kMostLog * kLogSteps; step <= kMostLog * kLogSteps; ++step) {
      const double weight = std::exp2(static_cast<double>(step) / kLogSteps) * static_cast<double>(kUnit);
      powers_.push_back(kOneRow + static_cast<std::uint64_t>(weight + 0.5));
    }
  }

  std::size_t rows() const { return rows_; }
  std::uint64_t size() const { return size_; }
  std::size_t variables() const { return columns_.size(); }
  const IncompleteColumn& column(std::int32_t v) const { return columns_[static_cast<std::size_t>(v)]; }
  bool weighted() const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [](const auto& c) { return !c.log_weights.empty(); });
  }

  // The weight of a row, in units of 1 / kUnit, from its log weight.
  std::uint64_t weight_of(int log) const {
    constexpr int most = kMostLog * kLogSteps;
    return powers_[static_cast<std::size_t>(std::clamp(log, -most, most) + most)] & (kOneRow - 1);
  }

  // Counts several sets of variables that differ in the last one only.
  class Group {
   public:
    // `base`: the variables that all sets share, the first with the fastest digit.
    Group(const IncompleteRows& rows, std::vector<std::int32_t> base) : rows_(rows), base_(std::move(base)) {
      strides_.push_back(1);
      for (const std::int32_t v : base_)
        strides_.push_back(multiply(strides_.back(), rows.column(v).digits()));
      if (!rows.fits_dense(strides_.back())) return;
      codes_.assign(rows.rows_, 0);
      for (std::size_t k = 0; k < base_.size(); ++k) rows.add_codes(base_[k], strides_[k], codes_);
    }

    // The cells of the base and `last` (-1: of the base alone); `use_weights` applies the inverse
    // probabilities.
    CompleteCells count(std::int32_t last, bool use_weights) {
      std::vector<std::int32_t> members = base_;
      CompleteCells found{{}, strides_, 0, 0};
      if (last >= 0) {
        members.push_back(last);
        found.strides.push_back(multiply(strides_.back(), rows_.column(last).digits()));
      }
      const std::vector<std::int32_t> weighing =
          use_weights ? rows_.weighing(members) : std::vector<std::int32_t>();
      if (rows_.fits_dense(found.strides.back())) {
        count_dense(last, members, weighing, found);
      } else {
        count_sorted(members, weighing, found);
      }
      return found;
    }

   private:
    static std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
      if (a > (std::uint64_t{1} << 62) / b) throw std::overflow_error("a family has more than 2^62 cells");
      return a * b;
    }

    void count_dense(std::int32_t last, const std::vector<std::int32_t>& members,
                     const std::vector<std::int32_t>& weighing, CompleteCells& found) {
      const std::size_t all = found.strides.back();
      // Two tables, so that a row does not wait for the last one's addition to the same cell.
      table_.assign(2 * all, 0);
      const std::int16_t* logs = weighing.empty() ? nullptr : add_logs(last);
      if (last < 0) {
        pass(static_cast<const std::uint8_t*>(nullptr), 0, logs, all);
      } else if (const IncompleteColumn& column = rows_.column(last); column.wide.empty()) {
        pass(column.narrow.data(), static_cast<std::uint32_t>(strides_.back()), logs, all);
      } else {
        pass(column.wide.data(), static_cast<std::uint32_t>(strides_.back()), logs, all);
      }
      // In step with the codes: the digit of every variable. A digit that means missing ends the cell.
      digits_.assign(members.size(), 0);
      for (std::size_t code = 0; code < all; ++code) {
        if (const std::uint64_t sum = table_[code] + table_[all + code]) {
          bool complete = true;
          for (std::size_t k = 0; k < members.size(); ++k) {
            complete = complete && digits_[k] != rows_.column(members[k]).states;
          }
          if (complete) add(found, code, sum, logs != nullptr);
        }
        for (std::size_t k = 0; k < members.size(); ++k) {
          if (++digits_[k] < rows_.column(members[k]).digits()) break;
          digits_[k] = 0;
        }
      }
    }

    // Adds every row to its cell: its number of rows above bit 40, and its weight below.
    template <class Code>
    void pass(const Code* column, std::uint32_t stride, const std::int16_t* logs, std::size_t all) {
      const std::uint64_t* powers = rows_.powers_.data();
      const std::uint32_t* weights = rows_.weights_.data();
      if (rows_.weights_.empty()) {
        if (logs) {
          scatter(column, stride, all, [=](std::size_t i) { return powers[logs[i]]; });
        } else {
          scatter(column, stride, all, [](std::size_t) { return std::uint64_t{1}; });
        }
      } else if (logs) {
        scatter(column, stride, all, [=](std::size_t i) { return powers[logs[i]] * weights[i]; });
      } else {
        scatter(column, stride, all, [=](std::size_t i) { return std::uint64_t{weights[i]}; });
      }
    }

    template <class Code, class Amount>
    void scatter(const Code* column, std::uint32_t stride, std::size_t all, const Amount& amount) {
      constexpr std::size_t kBlock = 512;
      std::uint32_t cells[kBlock];
      std::uint64_t *even = table_.data(), *odd = even + all;
      for (std::size_t first = 0; first < rows_.rows_; first += kBlock) {
        const std::size_t n = std::min(kBlock, rows_.rows_ - first);
        const std::uint32_t* base = codes_.data() + first;
        if (column) {
          const Code* mine = column + first;
          for (std::size_t i = 0; i < n; ++i)
            cells[i] = base[i] + stride * static_cast<std::uint32_t>(mine[i]);
        } else {
          std::copy(base, base + n, cells);
        }
        std::size_t i = 0;
        for (; i + 2 <= n; i += 2) {
          even[cells[i]] += amount(first + i);
          odd[cells[i + 1]] += amount(first + i + 1);
        }
        if (i < n) even[cells[i]] += amount(first + i);
      }
    }

    // One place among the powers per row: sums of integers, the same in any order of the variables.
    const std::int16_t* add_logs(std::int32_t last) {
      constexpr int most = kMostLog * kLogSteps;
      if (base_logs_.empty()) {
        base_logs_.assign(rows_.rows_, most);
        for (const std::int32_t v : base_) add_logs_of(v, base_logs_);
      }
      logs_ = base_logs_;
      if (last >= 0) add_logs_of(last, logs_);
      for (std::int16_t& log : logs_) log = std::clamp<std::int16_t>(log, 0, 2 * most);
      return logs_.data();
    }

    void add_logs_of(std::int32_t v, std::vector<std::int16_t>& logs) const {
      const auto& mine = rows_.column(v).log_weights;
      for (std::size_t i = 0; i < mine.size(); ++i) logs[i] = static_cast<std::int16_t>(logs[i] + mine[i]);
    }

    void count_sorted(const std::vector<std::int32_t>& members, const std::vector<std::int32_t>& weighing,
                      CompleteCells& found) {
      const std::int16_t* logs =
          weighing.empty() ? nullptr : add_logs(members.size() > base_.size() ? members.back() : -1);
      std::vector<std::pair<std::uint64_t, std::uint64_t>> cells;
      for (std::size_t row = 0; row < rows_.rows_; ++row) {
        std::uint64_t code = 0;
        bool complete = true;
        for (std::size_t k = 0; k < members.size(); ++k) {
          const IncompleteColumn& column = rows_.column(members[k]);
          const std::uint32_t digit = column.wide.empty() ? column.narrow[row] : column.wide[row];
          complete = complete && digit != column.states;
          code += found.strides[k] * digit;
        }
        const std::uint64_t weight = rows_.weights_.empty() ? 1 : rows_.weights_[row];
        if (complete)
          cells.emplace_back(code,
                             logs ? rows_.powers_[static_cast<std::size_t>(logs[row])] * weight : weight);
      }
      std::sort(cells.begin(), cells.end());
      for (std::size_t i = 0; i < cells.size();) {
        std::uint64_t sum = 0;
        const std::uint64_t code = cells[i].first;
        for (; i < cells.size() && cells[i].first == code; ++i) sum += cells[i].second;
        add(found, code, sum, logs != nullptr);
      }
    }

    static void add(CompleteCells& found, std::uint64_t code, std::uint64_t sum, bool weighted) {
      const std::uint64_t weight = weighted ? sum & (kOneRow - 1) : sum;
      found.cells.push_back({code, weight});
      found.rows += weighted ? sum / kOneRow : sum;
      found.weight += weight;
    }

    const IncompleteRows& rows_;
    std::vector<std::int32_t> base_;
    std::vector<std::uint64_t> strides_;
    std::vector<std::uint32_t> codes_;
    std::vector<std::uint64_t> table_;
    std::vector<std::uint32_t> digits_;
    std::vector<std::int16_t> base_logs_, logs_;
  };

  // The variables of a set whose weights apply: none if any of the set depends on a variable outside it that
  // has missing values itself (Liu and Constantinou's adaptive weighting), since those weights are unknown in
  // some rows.
  std::vector<std::int32_t> weighing(const std::vector<std::int32_t>& members) const {
    std::vector<std::int32_t> found;
    for (const std::int32_t v : members) {
      const IncompleteColumn& column = columns_[static_cast<std::size_t>(v)];
      if (column.log_weights.empty()) continue;
      for (const std::int32_t cause : column.causes) {
        const bool inside = std::find(members.begin(), members.end(), cause) != members.end();
        if (!inside && columns_[static_cast<std::size_t>(cause)].has_missing) return {};
      }
      found.push_back(v);
    }
    return found;
  }

 private:
  // A row in the upper bits of a sum, its weight in the lower ones; enough for 2^23 rows of the largest
  // weight.
  static constexpr std::uint64_t kOneRow = std::uint64_t{1} << 40;

  bool fits_dense(std::uint64_t cells) const { return cells <= 10 * rows_ + 4096 && cells < (1ULL << 31); }

  void add_codes(std::int32_t v, std::uint64_t stride, std::vector<std::uint32_t>& codes) const {
    const IncompleteColumn& column = columns_[static_cast<std::size_t>(v)];
    const auto step = static_cast<std::uint32_t>(stride);
    if (column.wide.empty()) {
      for (std::size_t i = 0; i < rows_; ++i) codes[i] += step * static_cast<std::uint32_t>(column.narrow[i]);
    } else {
      for (std::size_t i = 0; i < rows_; ++i) codes[i] += step * column.wide[i];
    }
  }

  std::vector<IncompleteColumn> columns_;
  std::vector<std::uint32_t> weights_;
  std::size_t rows_;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> powers_;  // of a row with that log weight: one row, and its weight
};

}  // namespace mahc
