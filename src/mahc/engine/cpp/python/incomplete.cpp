// Rows with missing values: counts, local scores, expected counts.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "../incomplete/incomplete_counts.hpp"
#include "../incomplete/incomplete_scorer.hpp"
#include "../inference/row_completer.hpp"
#include "arrays.hpp"
#include "control.hpp"
#include "engine.hpp"
#include "module.hpp"

using namespace nanobind::literals;

namespace mahc {
namespace {

constexpr std::uint32_t kMostStates =
    std::numeric_limits<std::uint32_t>::max() - 1;  // the next code is "missing"

void check_logs(const std::int16_t* logs, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::abs(logs[i]) > kMostLog * kLogSteps)
      throw std::invalid_argument("the logarithm of a weight is out of range");
  }
}

IncompleteColumn make_column(const Vector<std::uint32_t>& codes, std::uint32_t states,
                             const std::optional<Vector<std::int16_t>>& log_weights,
                             const std::vector<std::int32_t>& causes, std::size_t variables) {
  if (states < 1 || states > kMostStates) throw std::invalid_argument("a column has no states, or too many");
  IncompleteColumn made;
  made.states = states;
  made.causes = causes;
  for (const std::int32_t cause : causes) check_family(cause, nullptr, 0, variables);
  if (states < 255) {
    made.narrow.resize(codes.shape(0));
  } else {
    made.wide.resize(codes.shape(0));
  }
  for (std::size_t i = 0; i < codes.shape(0); ++i) {
    const std::uint32_t code = codes.data()[i];
    if (code > states) throw std::invalid_argument("a code is out of range");
    made.has_missing = made.has_missing || code == states;
    if (states < 255) {
      made.narrow[i] = static_cast<std::uint8_t>(code);
    } else {
      made.wide[i] = code;
    }
  }
  if (log_weights) {
    if (log_weights->shape(0) != codes.shape(0))
      throw std::invalid_argument("there must be one weight per row");
    check_logs(log_weights->data(), log_weights->shape(0));
    made.log_weights.assign(log_weights->data(), log_weights->data() + codes.shape(0));
  }
  return made;
}

// The variables that have class logs have their columns of classes after all others, in order.
std::vector<WeightClasses> make_classes(const IncompleteRows& rows, const Table& table,
                                        const std::vector<std::vector<std::int16_t>>& logs) {
  std::vector<WeightClasses> made(rows.variables());
  if (logs.size() != rows.variables())
    throw std::invalid_argument("there must be class logs for each variable");
  std::size_t next = rows.variables();
  for (std::size_t v = 0; v < rows.variables(); ++v) {
    const IncompleteColumn& column = rows.column(static_cast<std::int32_t>(v));
    if (v >= table.variables() || table.column(v).states != column.digits()) {
      throw std::invalid_argument("the two kinds of rows differ");
    }
    if (logs[v].empty()) continue;
    check_logs(logs[v].data(), logs[v].size());
    if (next >= table.variables() || table.column(next).states != column.states * logs[v].size() + 1) {
      throw std::invalid_argument("a column of classes does not fit its variable");
    }
    made[v] = {static_cast<std::int32_t>(next++), logs[v]};
  }
  if (next != table.variables() || table.rows() != rows.rows()) {
    throw std::invalid_argument("the two kinds of rows differ");
  }
  return made;
}

void check_network(const std::vector<std::uint32_t>& states,
                   const std::vector<std::vector<std::int32_t>>& parents) {
  if (states.empty() || parents.size() != states.size())
    throw std::invalid_argument("there must be variables, and parents for each of them");
  for (std::size_t v = 0; v < states.size(); ++v) {
    if (states[v] > kMostStates) throw std::invalid_argument("a variable has too many states");
    check_family(static_cast<std::int32_t>(v), parents[v].data(), parents[v].size(), states.size());
  }
}

void check_tables(const Vector<double>& tables, const RowCompleter& rows) {
  if (tables.shape(0) != rows.numbers()) throw std::invalid_argument("the tables do not fit the network");
  for (std::size_t k = 0; k < tables.shape(0); ++k) {
    if (!(tables.data()[k] >= 0.0) || std::isinf(tables.data()[k]))
      throw std::invalid_argument("a number of the tables is not a probability");
  }
}

constexpr std::size_t kMostDraws = 1024;  // of a row: with any weight, their number is below 2^63

// Runs `work` while the control is checked; false when it was stopped.
template <class Work>
bool run_stoppable(const nb::object& caller, const Work& work) {
  Control control = make_control(caller);
  try {
    nb::gil_scoped_release release;
    const StopChecks checks(control);
    work();
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

}  // namespace

void bind_incomplete(nb::module_& m) {
  nb::class_<IncompleteRows>(m, "IncompleteRows")
      .def(
          "__init__",
          [](IncompleteRows* self, const std::vector<Vector<std::uint32_t>>& columns,
             const std::vector<std::uint32_t>& states, const std::optional<Vector<std::uint32_t>>& weights,
             const std::vector<std::optional<Vector<std::int16_t>>>& log_weights,
             const std::vector<std::vector<std::int32_t>>& causes) {
            const std::size_t n = columns.size(), rows = n == 0 ? 0 : columns[0].shape(0);
            if (n == 0 || states.size() != n || log_weights.size() != n || causes.size() != n) {
              throw std::invalid_argument("there must be states, weights and causes for each column");
            }
            std::vector<IncompleteColumn> made;
            for (std::size_t v = 0; v < n; ++v) {
              if (columns[v].shape(0) != rows) throw std::invalid_argument("columns differ in length");
              made.push_back(make_column(columns[v], states[v], log_weights[v], causes[v], n));
            }
            std::vector<std::uint32_t> own;
            if (weights) own.assign(weights->data(), weights->data() + weights->shape(0));
            if (weights && own.size() != rows)
              throw std::invalid_argument("there must be one weight per row");
            if (std::accumulate(own.begin(), own.end(), std::uint64_t{weights ? 0 : rows}) >= kMostRows)
              throw std::invalid_argument("there may be less than 2^23 rows, their weights counted");
            new (self) IncompleteRows(std::move(made), std::move(own), rows);
          },
          "columns"_a, "states"_a, "weights"_a.none(), "log_weights"_a, "causes"_a)
      .def(
          "count_families",
          [](const IncompleteRows& rows, const Vector<std::int32_t>& children,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents) {
            const FamilyBatch batch = batch_of(children, offsets, parents, rows.variables());
            std::vector<std::int64_t> cells, ends{0};
            {
              nb::gil_scoped_release release;
              for (std::size_t i = 0; i < batch.count; ++i) {
                append_counts(rows, batch, i, cells);
                ends.push_back(static_cast<std::int64_t>(cells.size()));
              }
            }
            const std::size_t n = cells.size();
            return nb::make_tuple(hand_out(std::move(cells), {n}),
                                  hand_out(std::move(ends), {batch.count + 1}));
          },
          "children"_a.noconvert(), "offsets"_a.noconvert(), "parents"_a.noconvert());
  nb::class_<IncompleteScorer, FamilyScorer>(m, "IncompleteScorer")
      .def(
          "__init__",
          [](IncompleteScorer* self, const IncompleteRows& rows, const Engine& engine, const Formula& formula,
             double base, std::vector<double> divisors,
             const std::vector<std::vector<std::int16_t>>& class_logs, bool use_weights, unsigned threads) {
            std::vector<WeightClasses> classes = make_classes(rows, engine.table(), class_logs);
            new (self) IncompleteScorer(rows, engine.table(), engine.kernels(), std::move(classes), formula,
                                        std::move(divisors), factor_of_base(base), use_weights, threads);
          },
          "rows"_a, "engine"_a, "formula"_a, "base"_a, "divisors"_a, "class_logs"_a, "use_weights"_a,
          "threads"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "score_families",
          [](IncompleteScorer& scorer, const Vector<std::int32_t>& children,
             const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& parents,
             const nb::object& caller) -> nb::object {
            const FamilyBatch batch = batch_of(children, offsets, parents, scorer.variables());
            std::vector<double> out(batch.count);
            if (!run_stoppable(caller, [&] { scorer.score(batch, out.data()); })) return nb::none();
            return nb::cast(hand_out(std::move(out), {batch.count}));
          },
          "children"_a.noconvert(), "offsets"_a.noconvert(), "parents"_a.noconvert(),
          "control"_a.none() = nb::none());
  nb::class_<RowCompleter>(m, "RowCompleter")
      .def(
          "__init__",
          [](RowCompleter* self, std::vector<std::uint32_t> states,
             std::vector<std::vector<std::int32_t>> parents, const Vector<std::uint32_t>& codes,
             const Vector<std::int64_t>& weights, unsigned threads) {
            check_network(states, parents);
            new (self) RowCompleter(NetworkShape(std::move(states), std::move(parents)),
                                    std::vector(codes.data(), codes.data() + codes.shape(0)),
                                    std::vector(weights.data(), weights.data() + weights.shape(0)), threads);
          },
          "states"_a, "parents"_a, "codes"_a.noconvert(), "weights"_a.noconvert(), "threads"_a)
      .def(
          "expect",
          [](RowCompleter& rows, const Vector<double>& tables, const nb::object& caller) -> nb::object {
            check_tables(tables, rows);
            std::vector<double> counts;
            double bits = 0.0;
            if (!run_stoppable(caller, [&] { bits = rows.expect(tables.data(), counts); })) {
              return nb::none();
            }
            const std::size_t n = counts.size();
            return nb::make_tuple(hand_out(std::move(counts), {n}), bits);
          },
          "tables"_a.noconvert(), "control"_a.none() = nb::none())
      .def(
          "draw",
          [](RowCompleter& rows, const Vector<double>& tables, const Vector<std::uint64_t>& hashes,
             std::uint64_t seed, std::size_t draws, const nb::object& caller) -> nb::object {
            check_tables(tables, rows);
            if (hashes.shape(0) != rows.rows()) throw std::invalid_argument("there must be one hash per row");
            if (draws > kMostDraws) throw std::invalid_argument("there may be at most 1,024 draws of a row");
            DrawnRows out;
            if (!run_stoppable(caller, [&] { out = rows.draw(tables.data(), hashes.data(), seed, draws); })) {
              return nb::none();
            }
            const std::size_t made = out.weights.size();
            return nb::make_tuple(hand_out(std::move(out.codes), {made, rows.variables()}),
                                  hand_out(std::move(out.weights), {made}));
          },
          "tables"_a.noconvert(), "hashes"_a.noconvert(), "seed"_a, "draws"_a,
          "control"_a.none() = nb::none());
}

}  // namespace mahc
