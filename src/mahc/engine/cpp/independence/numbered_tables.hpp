// Tests by numbers for the cells that occur: for columns of very many states.
#pragma once
#include <cstdint>
#include <vector>

#include "../counting/choice.hpp"
#include "../counting/renumbering.hpp"
#include "../counting/table.hpp"
#include "statistic.hpp"

namespace mahc {

// Belongs to one thread. Memory grows with the rows, never with the product of the states.
class NumberedTables {
 public:
  void add(const Table& table, const Group& g, std::int32_t last, Sums& sums) {
    const auto column = [&](std::int32_t v) -> const Column& {
      return table.column(static_cast<std::size_t>(v));
    };
    z_.assign(table.rows(), 0);
    std::size_t nz = 1;
    for (std::size_t k = 0; k < g.base_count; ++k) nz = renumbering_.refine(column(g.base[k]), z_, nz);
    xz_ = yz_ = z_;
    const std::size_t nx = renumbering_.refine(column(g.child), xz_, nz);
    const std::size_t ny = renumbering_.refine(column(last), yz_, nz);
    xyz_ = xz_;
    const std::size_t nc = renumbering_.refine(column(last), xyz_, nx);
    std::vector<std::uint32_t> of_z(nz), of_x(nx), of_y(ny), of_cell(nc), x_in(nz), y_in(nz), some_row(nc);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const std::uint32_t weight = table.weights() ? table.weights()[i] : 1;
      if (weight == 0) continue;
      if (of_x[xz_[i]] == 0) ++x_in[z_[i]];
      if (of_y[yz_[i]] == 0) ++y_in[z_[i]];
      for (std::uint32_t* n : {&of_z[z_[i]], &of_x[xz_[i]], &of_y[yz_[i]], &of_cell[xyz_[i]]}) *n += weight;
      some_row[xyz_[i]] = static_cast<std::uint32_t>(i);
    }
    const auto varies = [&](std::size_t q) { return x_in[q] > 1 && y_in[q] > 1; };
    for (std::size_t q = 0; q < nz; ++q) {
      if (!varies(q)) continue;
      sums.degrees += std::uint64_t{x_in[q] - 1} * (y_in[q] - 1);
      if (sums.squared()) sums.total -= sums.fixed().round(of_z[q]);
    }
    if (!sums.squared()) {
      const EntropyTerms& terms = sums.entropy();
      sums.total += terms.sum(of_z.data(), nz) + terms.sum(of_cell.data(), nc);
      sums.total -= terms.sum(of_x.data(), nx) + terms.sum(of_y.data(), ny);
      return;
    }
    for (std::size_t k = 0; k < nc; ++k) {
      const std::size_t i = some_row[k];
      if (of_cell[k] == 0 || !varies(z_[i])) continue;
      sums.total += pearson_term(sums.fixed(), of_cell[k], of_x[xz_[i]], of_y[yz_[i]], of_z[z_[i]]);
    }
  }

 private:
  Renumbering renumbering_;
  std::vector<std::uint32_t> z_, xz_, yz_, xyz_;
};

}  // namespace mahc
