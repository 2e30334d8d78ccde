// Local scores from data with missing values, comparable between families that different rows are complete
// in.
//
// The gain of a parent u of v is the score of v with all its parents P less that without u, both on the rows
// that are complete in v and P, divided by the number of those rows and multiplied by that of all rows. The
// score of a family is the gain of its weakest parent more than the score of the family without it; that of v
// alone comes from the rows in which v is observed. So a useless parent is always judged on the same rows
// with and without it, where the scores of two families from different rows would differ by chance alone, by
// more than any penalty.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../counting/count_families.hpp"
#include "../counting/pool.hpp"
#include "../scores/formula.hpp"
#include "../scores/scorer.hpp"
#include "incomplete_rows.hpp"
#include "incomplete_tables.hpp"

namespace mahc {

class IncompleteScorer final : public FamilyScorer {
 public:
  // `table`: the same rows, with missing values as one more state where there are any, and the columns of
  // `classes`.
  IncompleteScorer(const IncompleteRows& rows, const Table& table, const Kernels& kernels,
                   std::vector<WeightClasses> classes, const Formula& formula, std::vector<double> divisors,
                   double factor, bool use_weights, unsigned threads)
      : rows_(rows),
        factor_(factor),
        use_weights_(use_weights && rows.weighted()),
        plain_(rows.size()),
        fine_(static_cast<double>(rows.size()) * static_cast<double>(kUnit << kMostLog) *
              std::log2(static_cast<double>(rows.size() * (kUnit << kMostLog)) + 1.0)),
        pool_(threads),
        tables_(rows, table, kernels, pool_, std::move(classes)),
        known_(rows.variables()),
        locks_(rows.variables()) {
    DataShape data{{}, rows.size(), true};
    for (std::size_t v = 0; v < rows.variables(); ++v)
      data.states.push_back(rows.column(static_cast<std::int32_t>(v)).states);
    std::unique_ptr<Score> score = formula.make(data, divisors);  // checks the divisors
    penalty_ = formula.penalty_of_rows(std::move(divisors));
    if (!penalty_) score_ = std::move(score);
  }

  std::size_t variables() const override { return rows_.variables(); }
  Pool* pool() override { return &pool_; }

  void score(const FamilyBatch& batch, double* out) override {
    count_tables(batch);
    const std::vector<FamilySlice> tasks = cut_families(batch, pool_.threads());
    pool_.run(tasks.size(), [&](std::size_t t, unsigned) { work(batch, tasks[t], out); });
  }

 private:
  using Parents = std::vector<std::int32_t>;

  // Reused by one thread from score to score.
  struct Buffers {
    std::vector<Cell> merged;
    std::vector<std::uint64_t> sums, own, configurations;
  };

  void work(const FamilyBatch& batch, const FamilySlice& task, double* out) {
    const std::int32_t child = batch.children[task.first];
    const std::size_t count = batch.parent_count(task.first);
    if (count == 0) {
      for (std::size_t i = task.first; i < task.last; ++i) out[i] = find(batch.children[i], {}, nullptr);
      return;
    }
    Parents base{child};
    const std::int32_t* parents = batch.parents + batch.offsets[task.first];
    base.insert(base.end(), parents, parents + count - 1);
    std::unique_ptr<IncompleteRows::Group> group;
    for (std::size_t i = task.first; i < task.last; ++i) {
      const std::int32_t* mine = batch.parents + batch.offsets[i];
      const Parents family(mine, mine + count);
      if (known(child, sorted(family), out[i])) continue;
      if (!group) group = std::make_unique<IncompleteRows::Group>(rows_, base);
      out[i] = find(child, family, group.get());
    }
  }

  // The score of a family; `group` counts all its members but the last parent, or is null.
  double find(std::int32_t child, const Parents& parents, IncompleteRows::Group* group) {
    const Parents key = sorted(parents);
    double found = 0.0;
    if (known(child, key, found)) return found;
    Parents base{child};
    if (!parents.empty()) base.insert(base.end(), parents.begin(), parents.end() - 1);
    const CompleteCells counts =
        group ? group->count(parents.back(), use_weights_)
              : IncompleteRows::Group(rows_, base).count(parents.empty() ? -1 : parents.back(), use_weights_);
    return remember(child, parents, counts);
  }

  double remember(std::int32_t child, const Parents& parents, const CompleteCells& counts) {
    const double found = parents.empty() ? alone(child, counts) : with_parents(child, parents, counts);
    store(child, sorted(parents), found);
    // The table of a pair serves both directions.
    if (parents.size() == 1) store(parents[0], {child}, with_parents(parents[0], {child}, turned(counts)));
    return found;
  }

  void store(std::int32_t child, const Parents& key, double score) {
    const std::lock_guard<std::mutex> lock(locks_[static_cast<std::size_t>(child)]);
    auto& cache = known_[static_cast<std::size_t>(child)];
    if (cache.size() >= kMostKnown) cache.clear();
    cache.emplace(key, score);
  }

  static CompleteCells turned(const CompleteCells& counts) {
    const std::uint64_t child = counts.strides[1], parent = counts.strides[2] / child;
    CompleteCells found{{}, {1, parent, counts.strides[2]}, counts.rows, counts.weight};
    found.cells.reserve(counts.cells.size());
    for (const Cell& cell : counts.cells) {
      found.cells.push_back({cell.code / child + cell.code % child * parent, cell.weight});
    }
    std::sort(found.cells.begin(), found.cells.end(),
              [](const Cell& a, const Cell& b) { return a.code < b.code; });
    return found;
  }

  // Scores new families from whole tables where that is faster.
  void count_tables(const FamilyBatch& batch) {
    const auto take = [this](std::int32_t child, const Parents& parents, const CompleteCells& counts) {
      remember(child, parents, counts);
    };
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const std::int32_t* mine = batch.parents + batch.offsets[i];
      const Parents family(mine, mine + batch.parent_count(i));
      double ignored = 0.0;
      if (family.empty() || known(batch.children[i], sorted(family), ignored)) continue;
      // The table of a pair serves both directions.
      if (family.size() == 1 && !pairs.insert(std::minmax(batch.children[i], family[0])).second) continue;
      Parents members = family;
      members.push_back(batch.children[i]);
      tables_.add(batch.children[i], family, use_weights_ ? rows_.weighing(members) : Parents());
      if (tables_.full()) tables_.count(take);
    }
    tables_.count(take);
  }

  double alone(std::int32_t child, const CompleteCells& counts) const {
    if (counts.rows == 0) return 0.0;
    return local(child, {}, counts, -1) * per_row(counts) * factor_;
  }

  double with_parents(std::int32_t child, const Parents& parents, const CompleteCells& counts) {
    std::vector<double> gains;
    const double whole = counts.rows == 0 ? 0.0 : local(child, parents, counts, -1);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      // Without a row to count, a parent costs its parameters and gains nothing.
      const double gain =
          counts.rows == 0 ? parameters(child, without(parents, k)) - parameters(child, parents)
                           : (whole - local(child, parents, counts, static_cast<int>(k))) * per_row(counts);
      gains.push_back(gain * factor_);
    }
    const double least = *std::min_element(gains.begin(), gains.end());
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < parents.size(); ++k) {
      if (gains[k] == least) best = std::max(best, find(child, without(parents, k), nullptr) + least);
    }
    return best;
  }

  double per_row(const CompleteCells& counts) const {
    return static_cast<double>(rows_.size()) / static_cast<double>(counts.rows);
  }

  static Parents without(const Parents& parents, std::size_t k) {
    Parents found = parents;
    found.erase(found.begin() + static_cast<std::ptrdiff_t>(k));
    return found;
  }

  // In bits, on the rows counted; `left_out` is the place of a parent to sum out, or -1.
  double local(std::int32_t child, const Parents& parents, const CompleteCells& counts, int left_out) const {
    const std::uint64_t digit = rows_.column(child).digits();
    thread_local Buffers buffers;
    const std::vector<Cell>* cells = &counts.cells;
    if (left_out >= 0) {
      sum_out(counts, static_cast<std::size_t>(left_out) + 1, buffers);
      cells = &buffers.merged;
    }
    auto &own = buffers.own, &configurations = buffers.configurations;
    own.clear();
    configurations.clear();
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    for (const Cell& cell : *cells) {
      const std::uint64_t weight = use_rows(counts, cell.weight);
      own.push_back(weight);
      if (cell.code / digit != last) configurations.push_back(0);
      last = cell.code / digit;
      configurations.back() += weight;
    }
    const Parents kept = left_out < 0 ? parents : without(parents, static_cast<std::size_t>(left_out));
    const Shape shape = shape_of(child, kept);
    const WideCounts all{own.data(), own.size(), configurations.data(), configurations.size()};
    if (score_) return score_->local(shape, all);
    const double rows = static_cast<double>(counts.rows);
    const bool plain = counts.weight == counts.rows;
    const double bits = plain ? plain_(all) : sum_fine(all) * rows / static_cast<double>(counts.weight);
    return bits - penalty_(shape, counts.rows);
  }

  // The log-likelihood of weights, in bits and units of a weight.
  double sum_fine(const WideCounts& counts) const {
    const auto term = [this](std::uint64_t weight) {
      const double x = static_cast<double>(weight);
      return weight < 2 ? 0 : fine_.round(x * std::log2(x));
    };
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < counts.cell_count; ++k) sum += term(counts.cells[k]);
    for (std::size_t k = 0; k < counts.configuration_count; ++k) sum -= term(counts.configurations[k]);
    return fine_.value(sum);
  }

  // Scores that are defined on whole rows get weights rounded to whole rows.
  std::uint64_t use_rows(const CompleteCells& counts, std::uint64_t weight) const {
    if (!score_ || counts.weight == counts.rows) return weight;
    const double rows = static_cast<double>(counts.rows);
    return static_cast<std::uint64_t>(
        static_cast<double>(weight) * rows / static_cast<double>(counts.weight) + 0.5);
  }

  // Leaves the cells without one variable in `merged`, in order of code.
  static void sum_out(const CompleteCells& counts, std::size_t place, Buffers& buffers) {
    const std::uint64_t low = counts.strides[place], high = counts.strides[place + 1];
    const std::uint64_t all = counts.strides.back() / high * low;
    std::vector<Cell>& found = buffers.merged;
    found.clear();
    if (all <= 4 * counts.cells.size() + 1024) {
      std::vector<std::uint64_t>& sums = buffers.sums;
      sums.assign(all, 0);
      for (const Cell& cell : counts.cells) sums[cell.code % low + cell.code / high * low] += cell.weight;
      for (std::uint64_t code = 0; code < all; ++code) {
        if (sums[code] > 0) found.push_back({code, sums[code]});
      }
      return;
    }
    for (const Cell& cell : counts.cells) {
      found.push_back({cell.code % low + cell.code / high * low, cell.weight});
    }
    std::sort(found.begin(), found.end(), [](const Cell& a, const Cell& b) { return a.code < b.code; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (kept > 0 && found[kept - 1].code == found[i].code) {
        found[kept - 1].weight += found[i].weight;
      } else {
        found[kept++] = found[i];
      }
    }
    found.resize(kept);
  }

  Shape shape_of(std::int32_t child, const Parents& parents) const {
    const auto states = [this](std::int32_t v) { return static_cast<double>(rows_.column(v).states); };
    return {child, states(child), count_configurations(parents.data(), parents.size(), states)};
  }

  double parameters(std::int32_t child, const Parents& parents) const {
    const Shape shape = shape_of(child, parents);
    return (shape.child_states - 1.0) * shape.configurations;
  }

  static Parents sorted(Parents parents) {
    std::sort(parents.begin(), parents.end());
    return parents;
  }

  bool known(std::int32_t child, const Parents& key, double& out) {
    const std::lock_guard<std::mutex> lock(locks_[static_cast<std::size_t>(child)]);
    const auto& cache = known_[static_cast<std::size_t>(child)];
    const auto place = cache.find(key);
    if (place == cache.end()) return false;
    out = place->second;
    return true;
  }

  static constexpr std::size_t kMostKnown = 1 << 17;  // families of one child

  const IncompleteRows& rows_;
  double factor_;  // from bits to the requested base
  bool use_weights_;
  LikelihoodSum plain_;
  FixedPoint fine_;
  PenaltyOfRows penalty_;         // empty if the score is not log-likelihood less a penalty
  std::unique_ptr<Score> score_;  // then this one computes it
  Pool pool_;
  IncompleteTables tables_;
  std::vector<std::map<Parents, double>> known_;
  std::vector<std::mutex> locks_;
};

}  // namespace mahc
