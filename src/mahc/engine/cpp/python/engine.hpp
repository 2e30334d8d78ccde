// The rows, as the other parts of the module see them.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "../counting/repeated_rows.hpp"
#include "../counting/table.hpp"
#include "arrays.hpp"

namespace mahc {

const Kernels& kernels_named(const std::string& name);

// Columns stay where numpy has them; the table borrows and this object keeps them. With `repeated`, a row of
// weight w is stored w times instead: then it is counted as fast as rows without weights.
class Engine {
 public:
  Engine(const std::vector<nb::ndarray<nb::device::cpu, nb::ndim<1>, nb::c_contig, nb::ro>>& columns,
         const std::vector<std::uint32_t>& states, std::optional<Vector<std::uint32_t>> weights,
         unsigned threads, std::uint64_t memory_bytes, const std::string& level, bool repeated)
      : kept_(columns),
        weights_(std::move(weights)),
        kernels_(kernels_named(level)),
        pool(threads),
        memory(memory_bytes) {
    if (kept_.empty()) throw std::invalid_argument("the engine needs at least one column");
    if (states.size() != kept_.size())
      throw std::invalid_argument("there must be one number of states per column");
    const std::size_t rows = kept_[0].shape(0);
    std::vector<Column> made;
    for (std::size_t v = 0; v < kept_.size(); ++v) {
      const auto bytes = static_cast<std::uint8_t>(kept_[v].itemsize());
      if (kept_[v].dtype().code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt) ||
          (bytes != 1 && bytes != 2 && bytes != 4)) {
        throw std::invalid_argument("codes must be uint8, uint16 or uint32");
      }
      if (kept_[v].shape(0) != rows) throw std::invalid_argument("columns differ in length");
      made.push_back({kept_[v].data(), states[v], bytes});
    }
    if (weights_ && weights_->shape(0) != rows)
      throw std::invalid_argument("there must be one weight per row");
    const std::uint32_t* w = weights_ ? weights_->data() : nullptr;
    nb::gil_scoped_release release;
    if (w && repeated) {
      repeated_ = std::make_unique<RepeatedRows>(made, w, rows, pool);
      table_ = std::make_unique<Table>(repeated_->rows(), repeated_->columns(), nullptr, pool);
    } else {
      table_ = std::make_unique<Table>(rows, std::move(made), w, pool);
    }
    table_->build_bitmaps(kernels_, pool, memory / 2);
    table_->list_uncommon_rows(pool, memory / 8);
    table_->set_row_bits_memory(memory / 8);
  }
  const Table& table() const { return *table_; }
  std::vector<std::uint32_t> states() const {
    std::vector<std::uint32_t> found;
    for (std::size_t v = 0; v < table_->variables(); ++v) found.push_back(table_->column(v).states);
    return found;
  }
  void arrange(const std::vector<std::size_t>& order) { table_->arrange(order); }
  const Kernels& kernels() const { return kernels_; }

 private:
  std::vector<nb::ndarray<nb::device::cpu, nb::ndim<1>, nb::c_contig, nb::ro>> kept_;
  std::optional<Vector<std::uint32_t>> weights_;
  const Kernels& kernels_;

 public:
  Pool pool;
  std::uint64_t memory;

 private:
  std::unique_ptr<RepeatedRows> repeated_;
  std::unique_ptr<Table> table_;
};

}  // namespace mahc
