// The exact posterior of the missing values of one row, by eliminating them one after another (bucket tree).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace mahc {

inline constexpr std::size_t kMostNumbers = std::size_t{1} << 40;  // of one table

// A Bayesian network's shape: the table of v has one axis per parent and one for v, which varies fastest.
struct NetworkShape {
  std::vector<std::uint32_t> states;
  std::vector<std::vector<std::int32_t>> parents;
  std::vector<std::vector<std::int32_t>> families_with;  // per variable: itself and its children
  std::vector<std::size_t> first;  // of each table among all numbers; one more at the end

  NetworkShape(std::vector<std::uint32_t> all_states, std::vector<std::vector<std::int32_t>> all_parents)
      : states(std::move(all_states)),
        parents(std::move(all_parents)),
        families_with(states.size()),
        first{0} {
    for (std::size_t v = 0; v < states.size(); ++v) {
      std::size_t cells = 1;
      const auto multiply = [&](std::size_t digits) {
        if (digits == 0) throw std::invalid_argument("a variable has no states");
        if (cells > kMostNumbers / digits) throw std::overflow_error("a table has more than 2^40 numbers");
        cells *= digits;
      };
      multiply(states[v]);
      families_with[v].insert(families_with[v].begin(), static_cast<std::int32_t>(v));
      for (const std::int32_t p : parents[v]) {
        families_with[static_cast<std::size_t>(p)].push_back(static_cast<std::int32_t>(v));
        multiply(states[static_cast<std::size_t>(p)]);
      }
      first.push_back(first.back() + cells);
    }
  }
};

inline constexpr std::size_t kMostCliqueCells = std::size_t{1} << 22;
inline constexpr const char* kImpossible = "a row has probability 0 under the tables";

// Scratch memory of one thread; `update` prepares one row after the other.
class RowPosterior {
 public:
  explicit RowPosterior(const NetworkShape& shape)
      : shape_(shape), place_(shape.states.size(), -1), seen_(shape.states.size(), 0) {}

  // `row`: one code per variable, missing where it equals the number of states. Returns log2 of the
  // probability of the observed part, without the factors of families that are observed as a whole.
  double update(const std::uint32_t* row, const double* tables) {
    find_missing(row);
    find_families();
    find_order();
    for (Factor& factor : factors_) place_factor(factor, cliques_[factor.clique], row);
    underflow_ = false;
    const double log2 = multiply_up(tables);
    return underflow_ ? add_up(tables) : log2;
  }

  // Calls use(cell of all tables, posterior probability) for the cells of families with a missing value.
  template <class Use>
  void visit_families(const Use& use) {
    for (std::size_t i = cliques_.size(); i-- > 0;) send_down(i);
    for (const Factor& factor : factors_) {
      const Clique& clique = cliques_[factor.clique];
      sums_.assign(1, 0.0);
      std::size_t most = 0;
      for (std::size_t k = 0; k < clique.scope.size(); ++k) {
        most += factor.strides[k] * (states_at(clique.scope[k]) - 1);
      }
      sums_.assign(most + 1, 0.0);
      walk(clique, factor.strides,
           [&](std::size_t cell, std::size_t at) { sums_[at] += clique.table[cell]; });
      for (std::size_t at = 0; at <= most; ++at) {
        if (sums_[at] > 0.0) use(factor.offset + at, sums_[at]);
      }
    }
  }

  // Draws the missing values; `uniform(variable)` gives a number in [0, 1). After `update`, before
  // `visit_families`.
  template <class Uniform>
  void draw(std::uint32_t* row, const Uniform& uniform) {
    for (std::size_t i = cliques_.size(); i-- > 0;) {
      const Clique& clique = cliques_[i];
      std::size_t at = 0;
      for (std::size_t k = 1; k < clique.scope.size(); ++k) {
        at += clique.strides[k] * row[missing_[clique.scope[k]]];
      }
      const std::size_t variable = missing_[clique.scope[0]], states = shape_.states[variable];
      double total = 0.0;
      for (std::size_t x = 0; x < states; ++x) total += clique.table[at + x];
      double left = uniform(variable) * total;
      std::size_t chosen = 0;
      for (std::size_t x = 0; x < states; ++x) {
        if (clique.table[at + x] > 0.0) {
          chosen = x;
          left -= clique.table[at + x];
          if (left < 0.0) break;
        }
      }
      row[variable] = static_cast<std::uint32_t>(chosen);
    }
  }

 private:
  // The variable eliminated (first) and those it is connected with then; cells vary fastest with the first.
  struct Clique {
    std::vector<std::size_t> scope;  // places in missing_
    std::vector<std::size_t> strides;
    std::size_t cells = 0;
    std::size_t parent = 0;  // the clique that its message goes to; itself at a root
    std::vector<double> table, message;
  };
  struct Factor {
    std::int32_t family;
    std::size_t clique = 0;
    std::size_t offset = 0;            // in all tables, of the observed members
    std::vector<std::size_t> strides;  // per member of the clique's scope; 0: not in the family
  };

  std::size_t states_at(std::size_t place) const { return shape_.states[missing_[place]]; }

  void find_missing(const std::uint32_t* row) {
    for (const std::size_t v : missing_) place_[v] = -1;
    missing_.clear();
    for (std::size_t v = 0; v < shape_.states.size(); ++v) {
      if (row[v] < shape_.states[v]) continue;
      place_[v] = static_cast<std::int32_t>(missing_.size());
      missing_.push_back(v);
    }
  }

  void find_families() {
    factors_.clear();
    ++turn_;
    for (const std::size_t v : missing_) {
      for (const std::int32_t family : shape_.families_with[v]) {
        if (seen_[static_cast<std::size_t>(family)] == turn_) continue;
        seen_[static_cast<std::size_t>(family)] = turn_;
        factors_.push_back({family, 0, 0, {}});
      }
    }
  }

  // Eliminates next what makes the smallest table; ties go to the first variable.
  void find_order() {
    const std::size_t n = missing_.size();
    std::vector<std::vector<char>> linked(n, std::vector<char>(n, 0));
    std::vector<std::size_t> members;
    for (const Factor& factor : factors_) {
      members.clear();
      const auto add = [&](std::int32_t v) {
        if (const std::int32_t place = place_[static_cast<std::size_t>(v)]; place >= 0)
          members.push_back(static_cast<std::size_t>(place));
      };
      add(factor.family);
      for (const std::int32_t p : shape_.parents[static_cast<std::size_t>(factor.family)]) add(p);
      for (const std::size_t a : members) {
        for (const std::size_t b : members) linked[a][b] = a != b;
      }
    }
    std::vector<std::size_t> when(n, n);
    cliques_.resize(n);
    for (std::size_t step = 0; step < n; ++step) {
      std::size_t best = n;
      double least = 0.0;
      for (std::size_t x = 0; x < n; ++x) {
        if (when[x] < n) continue;
        double cells = static_cast<double>(states_at(x));
        for (std::size_t y = 0; y < n; ++y) {
          if (linked[x][y] && when[y] == n) cells *= static_cast<double>(states_at(y));
        }
        if (best == n || cells < least) {
          best = x;
          least = cells;
        }
      }
      if (least > static_cast<double>(kMostCliqueCells)) {
        throw std::overflow_error("the missing values of a row need a table of more than 2^22 numbers");
      }
      when[best] = step;
      Clique& clique = cliques_[step];
      clique.scope.assign(1, best);
      for (std::size_t y = 0; y < n; ++y) {
        if (linked[best][y] && when[y] == n) clique.scope.push_back(y);
      }
      for (std::size_t a = 1; a < clique.scope.size(); ++a) {
        for (std::size_t b = 1; b < clique.scope.size(); ++b) {
          if (a != b) linked[clique.scope[a]][clique.scope[b]] = 1;
        }
      }
      clique.strides.clear();
      clique.cells = 1;
      for (const std::size_t x : clique.scope) {
        clique.strides.push_back(clique.cells);
        clique.cells *= states_at(x);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      cliques_[i].parent = i;
      std::size_t next = n;
      for (std::size_t k = 1; k < cliques_[i].scope.size(); ++k)
        next = std::min(next, when[cliques_[i].scope[k]]);
      if (next < n) cliques_[i].parent = next;
    }
    for (Factor& factor : factors_) {
      std::size_t earliest = n;
      const auto consider = [&](std::int32_t v) {
        const std::int32_t place = place_[static_cast<std::size_t>(v)];
        if (place >= 0) earliest = std::min(earliest, when[static_cast<std::size_t>(place)]);
      };
      consider(factor.family);
      for (const std::int32_t p : shape_.parents[static_cast<std::size_t>(factor.family)]) consider(p);
      factor.clique = earliest;
    }
  }

  void place_factor(Factor& factor, const Clique& clique, const std::uint32_t* row) const {
    const auto family = static_cast<std::size_t>(factor.family);
    factor.offset = shape_.first[family];
    factor.strides.assign(clique.scope.size(), 0);
    std::size_t stride = 1;
    const auto put = [&](std::size_t v) {
      if (place_[v] < 0) {
        factor.offset += stride * row[v];
      } else {
        const auto at =
            std::find(clique.scope.begin(), clique.scope.end(), static_cast<std::size_t>(place_[v]));
        factor.strides[static_cast<std::size_t>(at - clique.scope.begin())] = stride;
      }
      stride *= shape_.states[v];
    };
    put(family);
    const auto& parents = shape_.parents[family];
    for (std::size_t k = parents.size(); k-- > 0;) put(static_cast<std::size_t>(parents[k]));
  }

  // Calls use(cell of the clique, place in another array with these strides) for each cell.
  template <class Use>
  void walk(const Clique& clique, const std::vector<std::size_t>& strides, const Use& use) {
    digits_.assign(clique.scope.size(), 0);
    std::size_t at = 0;
    for (std::size_t cell = 0; cell < clique.cells; ++cell) {
      use(cell, at);
      for (std::size_t k = 0; k < digits_.size(); ++k) {
        at += strides[k];
        if (++digits_[k] < states_at(clique.scope[k])) break;
        at -= strides[k] * digits_[k];
        digits_[k] = 0;
      }
    }
  }

  // The strides of clique i's separator (its scope but the first) in the scope of its parent.
  void separator_strides(std::size_t i) {
    const Clique &clique = cliques_[i], &parent = cliques_[clique.parent];
    separator_.assign(parent.scope.size(), 0);
    const std::size_t states = states_at(clique.scope[0]);
    for (std::size_t k = 1; k < clique.scope.size(); ++k) {
      const auto at = std::find(parent.scope.begin(), parent.scope.end(), clique.scope[k]);
      separator_[static_cast<std::size_t>(at - parent.scope.begin())] = clique.strides[k] / states;
    }
  }

  // Fills the cliques and passes messages up, in probabilities; notes whether a product underflowed.
  double multiply_up(const double* tables) {
    for (Clique& clique : cliques_) clique.table.assign(clique.cells, 1.0);
    for (const Factor& factor : factors_) {
      Clique& clique = cliques_[factor.clique];
      walk(clique, factor.strides, [&](std::size_t cell, std::size_t at) {
        multiply(clique.table[cell], tables[factor.offset + at]);
      });
    }
    double log2 = 0.0;
    for (std::size_t i = 0; i < cliques_.size() && !underflow_; ++i) log2 += send_up(i);
    return log2;
  }

  void multiply(double& number, double by) {
    const double product = number * by;
    underflow_ = underflow_ || (product < std::numeric_limits<double>::min() && number > 0.0 && by > 0.0);
    number = product;
  }

  // The same in binary logarithms, which is slower. Leaves in each clique the distribution of its first
  // variable given the others, with the message 1 (0 where there is none).
  double add_up(const double* tables) {
    for (Clique& clique : cliques_) clique.table.assign(clique.cells, 0.0);
    for (const Factor& factor : factors_) {
      Clique& clique = cliques_[factor.clique];
      walk(clique, factor.strides, [&](std::size_t cell, std::size_t at) {
        clique.table[cell] += std::log2(tables[factor.offset + at]);
      });
    }
    double log2 = 0.0;
    for (std::size_t i = 0; i < cliques_.size(); ++i) {
      Clique& clique = cliques_[i];
      const std::size_t states = states_at(clique.scope[0]), rest = clique.cells / states;
      clique.message.assign(rest, 0.0);
      for (std::size_t s = 0; s < rest; ++s) {
        double* const numbers = &clique.table[s * states];
        const double largest = *std::max_element(numbers, numbers + states);
        if (std::isinf(largest)) {
          clique.message[s] = largest;
          std::fill(numbers, numbers + states, 0.0);
          continue;
        }
        double total = 0.0;
        for (std::size_t x = 0; x < states; ++x) total += numbers[x] = std::exp2(numbers[x] - largest);
        for (std::size_t x = 0; x < states; ++x) numbers[x] /= total;
        clique.message[s] = largest + std::log2(total);
      }
      if (clique.parent == i) {
        if (std::isinf(clique.message[0])) throw std::domain_error(kImpossible);
        log2 += clique.message[0];
      } else {
        separator_strides(i);
        Clique& parent = cliques_[clique.parent];
        walk(parent, separator_,
             [&](std::size_t cell, std::size_t at) { parent.table[cell] += clique.message[at]; });
      }
      for (double& number : clique.message) number = std::isinf(number) ? 0.0 : 1.0;
    }
    return log2;
  }

  // Sums the first variable out and multiplies the result into the parent; returns log2 of its scale.
  double send_up(std::size_t i) {
    Clique& clique = cliques_[i];
    const std::size_t states = states_at(clique.scope[0]), rest = clique.cells / states;
    clique.message.assign(rest, 0.0);
    double largest = 0.0;
    for (std::size_t s = 0; s < rest; ++s) {
      for (std::size_t x = 0; x < states; ++x) clique.message[s] += clique.table[s * states + x];
      largest = std::max(largest, clique.message[s]);
    }
    if (!(largest > 0.0)) throw std::domain_error(kImpossible);
    for (double& number : clique.message) number /= largest;
    for (double& number : clique.table) number /= largest;
    if (clique.parent != i) {
      separator_strides(i);
      Clique& parent = cliques_[clique.parent];
      walk(parent, separator_,
           [&](std::size_t cell, std::size_t at) { multiply(parent.table[cell], clique.message[at]); });
    }
    return std::log2(largest);
  }

  // Turns the table of clique i into the posterior of its scope.
  void send_down(std::size_t i) {
    Clique& clique = cliques_[i];
    const std::size_t states = states_at(clique.scope[0]);
    sums_.assign(clique.message.size(), 0.0);
    if (clique.parent == i) {
      sums_[0] = 1.0;
    } else {
      separator_strides(i);
      const Clique& parent = cliques_[clique.parent];
      walk(parent, separator_, [&](std::size_t cell, std::size_t at) { sums_[at] += parent.table[cell]; });
    }
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      const double ratio = clique.message[s] > 0.0 ? sums_[s] / clique.message[s] : 0.0;
      for (std::size_t x = 0; x < states; ++x) clique.table[s * states + x] *= ratio;
    }
  }

  const NetworkShape& shape_;
  std::vector<std::int32_t> place_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t turn_ = 0;
  bool underflow_ = false;
  std::vector<std::size_t> missing_, digits_, separator_;
  std::vector<Factor> factors_;
  std::vector<Clique> cliques_;
  std::vector<double> sums_;
};

}  // namespace mahc
