// Local scores of batches of families, whatever the source of the counts.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/batch.hpp"
#include "../counting/counter.hpp"
#include "../counting/pool.hpp"
#include "../counting/projection.hpp"
#include "../counting/table.hpp"
#include "../counting/twins.hpp"
#include "score.hpp"

namespace mahc {

// The source of a search's local scores: rows in this process, out of core, or elsewhere.
class FamilyScorer {
 public:
  virtual ~FamilyScorer() = default;
  virtual std::size_t variables() const = 0;
  virtual void score(const FamilyBatch& batch, double* out) = 0;
  // The threads that score, for work of the same search between two batches; null where there are none.
  virtual Pool* pool() { return nullptr; }
  // A hint: from now on the parents of child v are among candidates[v].
  virtual void focus(const std::vector<std::vector<std::int32_t>>& /*candidates*/) {}
  // What the score of a family takes from its log-likelihood; not a number if it is not of that kind.
  virtual double penalty(std::int32_t /*child*/, const std::int32_t* /*parents*/,
                         std::size_t /*count*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // most[i]: a bound on the score of the child with the parents, one at least, and candidates[i]; `now` is
  // the score without candidates. False where bounds would not cost less than scores.
  virtual bool bound_additions(std::int32_t /*child*/, const std::vector<std::int32_t>& /*parents*/,
                               double /*now*/, const std::vector<std::int32_t>& /*candidates*/,
                               double* /*most*/) {
    return false;
  }
};

// The single parents with which a child scores higher than alone, by child, ascending.
struct BetterParents {
  std::vector<double> alone;        // per child
  std::vector<std::int64_t> first;  // those of child v are [first[v], first[v + 1])
  std::vector<std::int32_t> parents;
  std::vector<double> scores;  // of the child with that parent, less the price
};

class LocalScorer final : public FamilyScorer {
 public:
  LocalScorer(const Table& table, const Kernels& kernels, Pool& pool, std::unique_ptr<Score> score,
              double factor, std::uint64_t projection_bytes)
      : table_(table),
        kernels_(kernels),
        pool_(pool),
        score_(std::move(score)),
        factor_(factor),
        projection_bytes_(projection_bytes),
        buffers_(pool.threads()),
        projections_(table.variables()) {}

  std::size_t variables() const override { return table_.variables(); }
  Pool* pool() override { return &pool_; }

  void score(const FamilyBatch& batch, double* out) override {
    const bool alone = is_small(batch);
    const BatchTasks tasks = TwinFinder(batch).split(alone ? 1 : pool_.threads());
    const std::size_t twins = tasks.twins.size();
    pool_.run(
        twins + tasks.slices.size(),
        [&](std::size_t t, unsigned thread) {
          if (t < twins) {
            work_on_twins(batch, tasks.twins[t], thread, out);
          } else {
            work(batch, tasks.slices[t - twins], thread, out, nullptr);
          }
        },
        alone);
  }

  void score(const FamilyBatch& batch, double* out, const CountingMethod* forced) {
    if (!forced) return score(batch, out);
    const std::vector<FamilySlice> tasks = cut_families(batch, pool_.threads());
    pool_.run(tasks.size(),
              [&](std::size_t t, unsigned thread) { work(batch, tasks[t], thread, out, forced); });
  }

  // out[u * n + v] = local score of v with the one parent u; out[v * n + v] = v without parents.
  void score_pairs(double* out) {
    const std::size_t n = table_.variables();
    pool_.run(
        n, [&](std::size_t v, unsigned) { out[v * n + v] = score_alone(static_cast<std::int32_t>(v)); },
        true);
    each_pair([&](std::size_t v, std::size_t u, const Counts& counts, unsigned) {
      // One table serves both directions: the configurations are the counts of the other variable.
      out[u * n + v] = of_pair(v, u, counts);
      out[v * n + u] = of_pair(u, v, counts);
    });
  }

  // All pairs are scored; only the parents are kept whose score, less `price`, is higher than the child's
  // alone by more than the tolerance. More than `most` of them are a std::length_error.
  BetterParents score_better_parents(double price, double tolerance, std::size_t most) {
    struct Better {
      std::int32_t child, parent;
      double score;
    };
    const std::size_t n = table_.variables();
    BetterParents found;
    found.alone.resize(n);
    pool_.run(n,
              [&](std::size_t v, unsigned) { found.alone[v] = score_alone(static_cast<std::int32_t>(v)); });
    std::vector<std::vector<Better>> kept(pool_.threads());
    std::atomic<std::size_t> total{0};
    each_pair([&](std::size_t v, std::size_t u, const Counts& counts, unsigned thread) {
      const auto keep = [&](std::size_t child, std::size_t parent, double score) {
        if (!(score - price > found.alone[child] + tolerance)) return;
        kept[thread].push_back(
            {static_cast<std::int32_t>(child), static_cast<std::int32_t>(parent), score - price});
        if (++total > most) throw std::length_error("too many candidate parents");
      };
      keep(v, u, of_pair(v, u, counts));
      keep(u, v, of_pair(u, v, counts));
    });
    found.first.assign(n + 1, 0);
    for (const auto& list : kept) {
      for (const Better& one : list) ++found.first[static_cast<std::size_t>(one.child) + 1];
    }
    for (std::size_t v = 0; v < n; ++v) found.first[v + 1] += found.first[v];
    std::vector<Better> sorted(total);
    std::vector<std::int64_t> place(found.first.begin(), found.first.end() - 1);
    for (auto& list : kept) {
      for (const Better& one : list)
        sorted[static_cast<std::size_t>(place[static_cast<std::size_t>(one.child)]++)] = one;
      list = {};
    }
    for (std::size_t v = 0; v < n; ++v) {
      std::sort(sorted.begin() + found.first[v], sorted.begin() + found.first[v + 1],
                [](const Better& a, const Better& b) { return a.parent < b.parent; });
    }
    for (const Better& one : sorted) {
      found.parents.push_back(one.parent);
      found.scores.push_back(one.score);
    }
    return found;
  }

  double penalty(std::int32_t child, const std::int32_t* parents, std::size_t count) const override {
    const auto states = [this](std::int32_t v) { return table_.column(v).states; };
    const double configurations = count_configurations(parents, count, states);
    return score_->penalty({child, static_cast<double>(states(child)), configurations}) * factor_;
  }

  void focus(const std::vector<std::vector<std::int32_t>>& candidates) override {
    for (const auto& list : candidates) {
      for (const std::int32_t v : list) {
        if (v < 0 || static_cast<std::size_t>(v) >= table_.variables()) {
          throw std::invalid_argument("a candidate is out of range");
        }
      }
    }
    const std::uint64_t share = projection_bytes_ / std::max<std::size_t>(1, candidates.size());
    pool_.run(candidates.size(), [&](std::size_t v, unsigned) {
      std::vector<std::int32_t> columns{static_cast<std::int32_t>(v)};
      columns.insert(columns.end(), candidates[v].begin(), candidates[v].end());
      projections_[v] = columns.size() > 2 ? build_projection(table_, kernels_, std::move(columns)) : nullptr;
      if (projections_[v] && projections_[v]->bytes() > share) projections_[v] = nullptr;
    });
  }

 private:
  // use(v, u, counts of v given u, thread) for all pairs v < u. What belongs to a variable is used again
  // while it is near the processor: a task is a rectangle of pairs.
  template <class Use>
  void each_pair(Use&& use) {
    constexpr std::size_t kLasts = 256, kChildren = 32;
    const std::size_t n = table_.variables(), children = n <= kLasts ? 1 : kChildren;
    struct Rectangle {
      std::size_t first, last, from, to;  // children [first, last), others [from, to)
    };
    std::vector<Rectangle> tasks;
    for (std::size_t from = 0; from < n; from += kLasts) {
      const std::size_t to = std::min(n, from + kLasts);
      for (std::size_t first = 0; first + 1 < to; first += children)
        tasks.push_back({first, std::min(first + children, to), from, to});
    }
    pool_.run(tasks.size(), [&](std::size_t t, unsigned thread) {
      std::vector<std::int32_t> lasts;
      for (std::size_t v = tasks[t].first; v < tasks[t].last; ++v) {
        lasts.clear();
        for (std::size_t u = std::max(v + 1, tasks[t].from); u < tasks[t].to; ++u)
          lasts.push_back(static_cast<std::int32_t>(u));
        const Group group{static_cast<std::int32_t>(v), nullptr, 0, lasts.data(), lasts.size()};
        Counter(table_, kernels_)
            .count(group, 0, lasts.size(), buffers_[thread], nullptr,
                   [&](std::size_t i, const Counts& counts) {
                     use(v, static_cast<std::size_t>(lasts[i]), counts, thread);
                   });
      }
    });
  }

  void work(const FamilyBatch& batch, const FamilySlice& task, unsigned thread, double* out,
            const CountingMethod* forced) {
    const std::int32_t child = batch.children[task.first];
    const std::size_t parents = batch.parent_count(task.first);
    if (parents == 0) {
      for (std::size_t i = task.first; i < task.last; ++i) out[i] = score_alone(batch.children[i]);
      return;
    }
    const std::int32_t* base = batch.parents + batch.offsets[task.first];
    std::vector<std::int32_t> lasts(task.last - task.first), moved_base(base, base + parents - 1);
    for (std::size_t i = 0; i < lasts.size(); ++i)
      lasts[i] = batch.parents[batch.offsets[task.first + i + 1] - 1];
    const Shape shape{child, static_cast<double>(table_.column(child).states), 1.0};
    const auto states = [this](std::int32_t v) { return table_.column(v).states; };
    const double shared = count_configurations(base, parents - 1, states);
    std::vector<double> configurations(lasts.size());
    for (std::size_t i = 0; i < lasts.size(); ++i) {
      configurations[i] = shared * states(lasts[i]);
      if (configurations[i] >= 0x1p53)  // rounded: the order of the factors matters
        configurations[i] =
            count_configurations(batch.parents + batch.offsets[task.first + i], parents, states);
    }
    if (lasts.size() == 1) widest_last(moved_base, lasts[0]);
    Group group{child, moved_base.data(), moved_base.size(), lasts.data(), lasts.size()};
    const Table* rows = forced ? &table_ : narrow(child, group, moved_base, lasts);
    Counter(*rows, kernels_, false)
        .count(group, 0, lasts.size(), buffers_[thread], forced, [&](std::size_t i, const Counts& counts) {
          Shape whole = shape;
          whole.configurations = configurations[i];
          out[task.first + i] = score_->local(whole, counts) * factor_;
        });
  }

  // Is a batch counted sooner than another thread begins to help?
  bool is_small(const FamilyBatch& batch) const {
    constexpr double kWakeNs = 50e3;
    const double rows = static_cast<double>(batch.count) * static_cast<double>(table_.rows());
    return rows * kernels_.histogram_row_ns < 2 * kWakeNs;
  }

  // The child of the second group is the parent that is last among those that all families share, so that
  // its states are blocks of each table.
  void work_on_twins(const FamilyBatch& batch, const TwinGroups& twins, unsigned thread, double* out) {
    const std::size_t first = twins.first.front(), parents = batch.parent_count(first);
    const std::int32_t child = batch.children[first], other = batch.children[twins.second.front()];
    if (projections_[static_cast<std::size_t>(child)] || projections_[static_cast<std::size_t>(other)]) {
      for (const auto* list : {&twins.first, &twins.second}) work_on_runs(batch, *list, thread, out);
      return;
    }
    std::vector<std::int32_t> base, lasts;
    const std::int32_t* shared = batch.parents + batch.offsets[first];
    std::copy_if(shared, shared + parents - 1, std::back_inserter(base), [&](auto v) { return v != other; });
    base.push_back(other);
    for (const std::size_t i : twins.first) lasts.push_back(batch.parents[batch.offsets[i + 1] - 1]);
    const Group group{child, base.data(), base.size(), lasts.data(), lasts.size()};
    const Counter counter(table_, kernels_);
    const std::size_t other_states = table_.column(other).states;
    std::vector<std::size_t> apart[2];  // tables of configurations that occur have no such blocks
    std::vector<std::int32_t> together;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < lasts.size(); ++i) {
      const CountingMethod method = counter.method_of(group, lasts[i], nullptr);
      if (method == CountingMethod::bitmaps || method == CountingMethod::direct) {
        together.push_back(lasts[i]);
        places.push_back(i);
      } else {
        apart[0].push_back(twins.first[i]);
        apart[1].push_back(twins.second[i]);
      }
    }
    for (const auto& list : apart) work_on_runs(batch, list, thread, out);
    const Group dense{child, base.data(), base.size(), together.data(), together.size()};
    std::vector<std::uint32_t> sums;
    counter.count(
        dense, 0, together.size(), buffers_[thread], nullptr, [&](std::size_t i, const Counts& counts) {
          const std::size_t one = twins.first[places[i]], two = twins.second[places[i]];
          out[one] = score_->local(shape_of(batch, one), counts) * factor_;
          const std::size_t block =
              std::size_t{table_.column(child).states} * table_.column(together[i]).states;
          sums.assign(counts.cell_count / other_states, 0);
          for (std::size_t q = 0; q * block < sums.size(); ++q) {
            add_rows(sums.data() + q * block, counts.cells + q * block * other_states, other_states, block);
          }
          const Counts turned{counts.cells, counts.cell_count, sums.data(), sums.size()};
          out[two] = score_->local(shape_of(batch, two), turned) * factor_;
        });
  }

  // Families of one group, not all of which follow each other.
  void work_on_runs(const FamilyBatch& batch, const std::vector<std::size_t>& families, unsigned thread,
                    double* out) {
    for (std::size_t i = 0; i < families.size();) {
      std::size_t j = i + 1;
      while (j < families.size() && families[j] == families[j - 1] + 1) ++j;
      work(batch, {families[i], families[j - 1] + 1}, thread, out, nullptr);
      i = j;
    }
  }

  Shape shape_of(const FamilyBatch& batch, std::size_t family) const {
    const std::int32_t child = batch.children[family];
    const auto states = [this](std::int32_t v) { return table_.column(v).states; };
    return {child, static_cast<double>(states(child)),
            count_configurations(batch.parents + batch.offsets[family], batch.parent_count(family), states)};
  }

  // In a group of one family any parent may be last. The one with most states is fastest there, since all
  // others are composed or intersected first.
  void widest_last(std::vector<std::int32_t>& base, std::int32_t& last) const {
    for (std::int32_t& v : base) {
      if (table_.column(v).states > table_.column(last).states) std::swap(v, last);
    }
  }

  // The projection of the child if it holds all requested columns, with the group renumbered to it.
  const Table* narrow(std::int32_t child, Group& group, std::vector<std::int32_t>& base,
                      std::vector<std::int32_t>& lasts) const {
    const Projection* projection = projections_[static_cast<std::size_t>(child)].get();
    if (!projection) return &table_;
    const auto at = [&](std::int32_t v) { return projection->position[static_cast<std::size_t>(v)]; };
    for (const auto* list : {&base, &lasts}) {
      for (const std::int32_t v : *list) {
        if (at(v) < 0) return &table_;
      }
    }
    for (auto* list : {&base, &lasts}) {
      for (std::int32_t& v : *list) v = at(v);
    }
    group.child = at(child);
    return projection->table.get();
  }

  double score_alone(std::int32_t child) const {
    const auto& cells = table_.marginal(static_cast<std::size_t>(child));
    const std::uint32_t all = static_cast<std::uint32_t>(table_.size());
    const Shape shape{child, static_cast<double>(cells.size()), 1.0};
    return score_->local(shape, Counts{cells.data(), cells.size(), &all, 1}) * factor_;
  }

  double of_pair(std::size_t child, std::size_t parent, const Counts& counts) const {
    const auto& own = table_.marginal(parent);
    const Shape shape{static_cast<std::int32_t>(child), static_cast<double>(table_.column(child).states),
                      static_cast<double>(own.size())};
    return score_->local(shape, Counts{counts.cells, counts.cell_count, own.data(), own.size()}) * factor_;
  }

  const Table& table_;
  const Kernels& kernels_;
  Pool& pool_;
  std::unique_ptr<Score> score_;
  double factor_;  // from bits to the requested base
  std::uint64_t projection_bytes_;
  std::vector<ThreadBuffers> buffers_;
  std::vector<std::unique_ptr<Projection>> projections_;
};

}  // namespace mahc
