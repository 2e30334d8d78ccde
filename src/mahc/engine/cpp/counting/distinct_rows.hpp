// The distinct rows of a few variables, with how often each occurs.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "renumbering.hpp"
#include "table.hpp"

namespace mahc {

// Columns of bytes, by variable; null where a variable is not among them or is wider. Borrowed from a table,
// or owned where rows were put together.
struct RowView {
  std::size_t rows = 0;
  const std::uint32_t* weights = nullptr;  // or null
  std::vector<const std::uint8_t*> columns;
  std::vector<std::uint32_t> states;
  std::size_t variables = 0;  // columns at hand
  std::uint64_t serial = 0;   // tells one view from a later one at the same address

  std::vector<std::vector<std::uint8_t>> own_codes;
  std::vector<std::uint32_t> own_weights;

  std::uint32_t weight(std::size_t row) const { return weights ? weights[row] : 1; }
  const std::uint8_t* column(std::int32_t v) const { return columns[static_cast<std::size_t>(v)]; }
  std::uint32_t states_of(std::int32_t v) const { return states[static_cast<std::size_t>(v)]; }
  std::uint64_t bytes() const { return own_weights.size() * (own_codes.size() + 4); }
  bool holds(const std::vector<std::int32_t>& all) const {
    for (const std::int32_t v : all) {
      if (!column(v)) return false;
    }
    return true;
  }
};

inline RowView view_of(const Table& table) {
  RowView view;
  view.rows = table.rows();
  view.weights = table.weights();
  for (std::size_t v = 0; v < table.variables(); ++v) {
    const Column& column = table.column(v);
    const bool narrow = column.bytes == 1;
    view.columns.push_back(narrow ? static_cast<const std::uint8_t*>(column.codes) : nullptr);
    view.states.push_back(column.states);
    view.variables += narrow;
  }
  return view;
}

// Numbers for the distinct rows of some variables; stops early beyond `most` of them. Returns how many.
inline std::size_t number_rows(const RowView& from, const std::vector<std::int32_t>& variables,
                               std::size_t most, const Kernels& kernels, std::vector<std::uint32_t>& ids) {
  std::vector<Column> columns;
  for (const std::int32_t v : variables) columns.push_back({from.column(v), from.states_of(v), 1});
  std::vector<const Column*> sources;
  for (const Column& column : columns) sources.push_back(&column);
  ids.resize(from.rows);
  return Renumbering().number_rows(kernels, sources, most, ids);
}

// The distinct rows of some variables, all of which `from` holds; null where there are more than `most`.
inline std::unique_ptr<RowView> find_distinct_rows(const RowView& from, std::size_t most,
                                                   const std::vector<std::int32_t>& variables,
                                                   const Kernels& kernels) {
  std::vector<std::uint32_t> ids;
  const std::size_t count = number_rows(from, variables, most, kernels, ids);
  if (count > most) return nullptr;
  std::vector<std::uint32_t> weights(count, 0), some_row(count, 0);
  for (std::size_t i = 0; i < from.rows; ++i) {
    weights[ids[i]] += from.weight(i);
    some_row[ids[i]] = static_cast<std::uint32_t>(i);
  }
  auto made = std::make_unique<RowView>();
  made->columns.assign(from.columns.size(), nullptr);
  made->states = from.states;
  made->variables = variables.size();
  for (const std::int32_t v : variables) {
    std::vector<std::uint8_t> codes(count);
    for (std::size_t i = 0; i < count; ++i) codes[i] = from.column(v)[some_row[i]];
    made->own_codes.push_back(std::move(codes));
    made->columns[static_cast<std::size_t>(v)] = made->own_codes.back().data();
  }
  made->rows = count;
  made->own_weights = std::move(weights);
  made->weights = made->own_weights.data();
  return made;
}

}  // namespace mahc
