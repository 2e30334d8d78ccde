// The projection of the rows on a child and its candidates: unique rows of (child, candidates) with how often
// each occurs.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "renumbering.hpp"
#include "table.hpp"

namespace mahc {

struct Projection {
  std::vector<std::int32_t> position;  // variable -> column, or -1
  std::vector<std::vector<std::uint32_t>> codes;
  std::vector<std::uint32_t> weights;
  std::unique_ptr<Table> table;

  std::uint64_t bytes() const { return weights.size() * 4 * (codes.size() + 1); }
};

// Worth it only where rows repeat a lot; gives up as soon as more than a quarter of them are distinct, or
// more than half of the first eighth.
inline std::unique_ptr<Projection> build_projection(const Table& table, const Kernels& kernels,
                                                    std::vector<std::int32_t> columns) {
  constexpr std::size_t kFewestRows = 2000;
  const std::size_t rows = table.rows();
  if (rows < kFewestRows) return nullptr;
  const std::size_t most = rows / 4;
  // The columns that tell most rows apart come first, so that it gives up early.
  const auto most_common = [&](std::int32_t v) {
    const auto& counts = table.marginal(static_cast<std::size_t>(v));
    return *std::max_element(counts.begin(), counts.end());
  };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](std::int32_t a, std::int32_t b) { return most_common(a) < most_common(b); });
  std::vector<const Column*> sources;
  for (const std::int32_t v : columns) sources.push_back(&table.column(static_cast<std::size_t>(v)));
  Renumbering renumbering;
  std::vector<std::uint32_t> ids(rows / 8), first;
  if (renumbering.number_rows(kernels, sources, rows / 16, ids) > rows / 16) return nullptr;
  ids.resize(rows);
  const std::size_t count = renumbering.number_rows(kernels, sources, most, ids);
  if (count > most) return nullptr;
  auto projection = std::make_unique<Projection>();
  projection->weights.assign(count, 0);
  first.assign(count, UINT32_MAX);
  for (std::size_t i = 0; i < rows; ++i) {
    projection->weights[ids[i]] += table.weights() ? table.weights()[i] : 1;
    if (first[ids[i]] == UINT32_MAX) first[ids[i]] = static_cast<std::uint32_t>(i);
  }
  projection->position.assign(table.variables(), -1);
  std::vector<Column> made;
  projection->codes.resize(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& from = table.column(static_cast<std::size_t>(columns[k]));
    projection->codes[k].resize(count);
    for (std::size_t i = 0; i < count; ++i) projection->codes[k][i] = from.at(first[i]);
    projection->position[static_cast<std::size_t>(columns[k])] = static_cast<std::int32_t>(k);
    made.push_back({projection->codes[k].data(), from.states, 4});
  }
  Pool serial(1);
  projection->table = std::make_unique<Table>(count, std::move(made), projection->weights.data(), serial);
  return projection;
}

}  // namespace mahc
