// Rows with missing values: counts, local scores, expected counts.
#include <memory>

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

IncompleteColumn make_column(const Vector<std::uint32_t>& codes, std::uint32_t states,
                             const std::optional<Vector<std::int16_t>>& log_weights,
                             const std::vector<std::int32_t>& causes, std::size_t variables) {
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
            new (self) RowCompleter(NetworkShape(std::move(states), std::move(parents)),
                                    std::vector(codes.data(), codes.data() + codes.shape(0)),
                                    std::vector(weights.data(), weights.data() + weights.shape(0)), threads);
          },
          "states"_a, "parents"_a, "codes"_a.noconvert(), "weights"_a.noconvert(), "threads"_a)
      .def(
          "expect",
          [](RowCompleter& rows, const Vector<double>& tables, const nb::object& caller) -> nb::object {
            if (tables.shape(0) != rows.numbers())
              throw std::invalid_argument("the tables do not fit the network");
            std::vector<std::int64_t> counts;
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
            if (tables.shape(0) != rows.numbers() || hashes.shape(0) != rows.rows()) {
              throw std::invalid_argument("the tables or the hashes do not fit the rows");
            }
            std::vector<std::uint32_t> out;
            if (!run_stoppable(caller, [&] { out = rows.draw(tables.data(), hashes.data(), seed, draws); })) {
              return nb::none();
            }
            const std::size_t n = rows.variables(), made = out.size() / n;
            return nb::cast(hand_out(std::move(out), {made, n}));
          },
          "tables"_a.noconvert(), "hashes"_a.noconvert(), "seed"_a, "draws"_a,
          "control"_a.none() = nb::none());
}

}  // namespace mahc
