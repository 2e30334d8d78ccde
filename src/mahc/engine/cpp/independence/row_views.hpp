// For each x the distinct rows of the variables that it is tested with, kept from batch to batch.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "../counting/batch.hpp"
#include "../counting/distinct_rows.hpp"
#include "../counting/pool.hpp"

namespace mahc {

class RowViews {
 public:
  RowViews(const Table& table, const Kernels& kernels)
      : kernels_(kernels), all_(view_of(table)), distinct_(table.variables()) {
    all_.serial = 1;
  }
  RowViews(const RowViews&) = delete;
  RowViews& operator=(const RowViews&) = delete;

  // All rows, or the distinct ones of the variables that the last batch tested together with x.
  const RowView& of(std::int32_t x) const {
    const auto& made = distinct_[static_cast<std::size_t>(x)];
    return made ? *made : all_;
  }

  // Before a batch: merges equal rows where enough tests use them.
  void prepare(const FamilyBatch& batch, Pool& pool) {
    const std::vector<Wanted> wanted = collect(batch);
    pool.run(wanted.size(), [&](std::size_t k, unsigned) { make(wanted[k]); });
    for (const Wanted& w : wanted) {
      if (auto& made = distinct_[static_cast<std::size_t>(w.x)]; made && made->serial == 0)
        made->serial = ++serial_;
    }
  }

 private:
  static constexpr std::size_t kFewestRows = 1000;
  static constexpr std::size_t kFewestQuestions = 40;                  // merging costs as much as about 20
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;  // in total

  struct Wanted {
    std::int32_t x;
    std::size_t questions;
    std::vector<std::int32_t> variables;
  };

  std::vector<Wanted> collect(const FamilyBatch& batch) const {
    const std::size_t n = distinct_.size();
    std::vector<std::size_t> questions(n), longest(n);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const auto x = static_cast<std::size_t>(batch.children[i]);
      ++questions[x];
      longest[x] = std::max(longest[x], batch.parent_count(i));
    }
    std::vector<std::vector<bool>> among(n);
    const auto tested = [&](std::size_t x) { return questions[x] > 0 && (distinct_[x] || longest[x] > 2); };
    for (std::size_t i = 0; i < batch.count; ++i) {
      const auto x = static_cast<std::size_t>(batch.children[i]);
      if (!tested(x)) continue;
      if (among[x].empty()) among[x].resize(n);
      among[x][x] = true;
      for (std::int64_t k = batch.offsets[i]; k < batch.offsets[i + 1]; ++k) {
        among[x][static_cast<std::size_t>(batch.parents[k])] = true;
      }
    }
    std::vector<Wanted> wanted;
    for (std::size_t x = 0; x < n; ++x) {
      if (!tested(x)) continue;
      Wanted w{static_cast<std::int32_t>(x), questions[x], {}};
      for (std::size_t v = 0; v < n; ++v) {
        if (among[x][v]) w.variables.push_back(static_cast<std::int32_t>(v));
      }
      wanted.push_back(std::move(w));
    }
    return wanted;
  }

  void make(const Wanted& w) {
    auto& made = distinct_[static_cast<std::size_t>(w.x)];
    if (made && !made->holds(w.variables)) made.reset();
    if (w.questions < kFewestQuestions || all_.rows < kFewestRows || !all_.holds(w.variables)) return;
    if (made) {
      if (w.variables.size() < made->variables) {
        made = find_distinct_rows(*made, made->rows, w.variables, kernels_);
      }
      return;
    }
    made = find_distinct_rows(all_, all_.rows / 4 * 3, w.variables, kernels_);
    if (made && made->bytes() > kMostBytes / distinct_.size()) made.reset();
  }

  const Kernels& kernels_;
  RowView all_;
  std::vector<std::unique_ptr<RowView>> distinct_;  // [x], or null
  std::uint64_t serial_ = 1;
};

}  // namespace mahc
