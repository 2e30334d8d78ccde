// Predictions of one variable in complete rows.
#include "../inference/blanket.hpp"
#include "../inference/row_posterior.hpp"
#include "arrays.hpp"
#include "module.hpp"

using namespace nanobind::literals;

namespace mahc {

namespace {

using CodeColumn = nb::ndarray<nb::device::cpu, nb::ndim<1>, nb::c_contig, nb::ro>;

std::vector<Column> columns_of(const std::vector<CodeColumn>& arrays,
                               const std::vector<std::uint32_t>& states, std::size_t rows) {
  if (states.size() != arrays.size())
    throw std::invalid_argument("there must be one number of states per column");
  std::vector<Column> made;
  for (std::size_t v = 0; v < arrays.size(); ++v) {
    const auto bytes = static_cast<std::uint8_t>(arrays[v].itemsize());
    if (arrays[v].dtype().code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt) ||
        (bytes != 1 && bytes != 2 && bytes != 4)) {
      throw std::invalid_argument("codes must be uint8, uint16 or uint32");
    }
    if (arrays[v].shape(0) != rows) throw std::invalid_argument("columns differ in length");
    made.push_back({arrays[v].data(), states[v], bytes});
  }
  return made;
}

// The largest cell that codes within their states can give must be in the table.
void check_table(const BlanketTable& table, const std::vector<Column>& columns, std::size_t states,
                 std::size_t cells) {
  if (table.columns.size() != table.strides.size())
    throw std::invalid_argument("there must be one stride per column");
  std::size_t left = cells;  // so many cells are there beyond the largest that was reached, and it
  const auto reach = [&](std::size_t codes, std::size_t stride) {
    if (codes == 0 || left == 0 || (stride != 0 && codes - 1 > (left - 1) / stride))
      throw std::invalid_argument("the strides lead out of the table");
    left -= (codes - 1) * stride;
  };
  reach(states, table.target_stride);
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    if (table.columns[k] >= columns.size()) throw std::invalid_argument("a column is out of range");
    reach(columns[table.columns[k]].states, table.strides[k]);
  }
}

void check_codes(const std::vector<Column>& columns, std::size_t rows) {
  for (const Column& column : columns) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (column.at(i) >= column.states)
        throw std::invalid_argument("a code is not below its number of states");
    }
  }
}

Owned<double> blanket_posteriors(const std::vector<CodeColumn>& arrays,
                                 const std::vector<std::uint32_t>& counts, std::size_t rows,
                                 std::size_t states, const std::vector<std::vector<std::size_t>>& members,
                                 const std::vector<std::vector<std::size_t>>& strides,
                                 const std::vector<std::size_t>& target_strides,
                                 const std::vector<Vector<double>>& logs, unsigned threads) {
  if (states < 1) throw std::invalid_argument("the target needs at least one state");
  if (members.size() != strides.size() || members.size() != target_strides.size() ||
      members.size() != logs.size()) {
    throw std::invalid_argument("tables, members and strides differ in number");
  }
  const std::vector<Column> columns = columns_of(arrays, counts, rows);
  std::vector<BlanketTable> tables;
  for (std::size_t f = 0; f < members.size(); ++f) {
    tables.push_back({members[f], strides[f], target_strides[f], logs[f].data()});
    check_table(tables.back(), columns, states, logs[f].shape(0));
  }
  if (rows > kMostNumbers / states) throw std::invalid_argument("there are more than 2^40 probabilities");
  std::vector<double> out(rows * states);
  {
    nb::gil_scoped_release release;
    check_codes(columns, rows);
    Pool pool(threads);
    BlanketPosterior(columns, tables, states, rows).run(pool, out.data());
  }
  return hand_out(std::move(out), {rows, states});
}

}  // namespace

void bind_inference(nb::module_& m) {
  m.def("blanket_posteriors", &blanket_posteriors, "columns"_a, "states"_a, "rows"_a, "target_states"_a,
        "members"_a, "strides"_a, "target_strides"_a, "logs"_a.noconvert(), "threads"_a);
}

}  // namespace mahc
