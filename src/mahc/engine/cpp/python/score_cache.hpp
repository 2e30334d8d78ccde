// Scores of either kind behind the one seam: counted by this module, or answered by Python.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "../scores/priced_scorer.hpp"
#include "../scores/scorer.hpp"
#include "../search/score_cache.hpp"
#include "arrays.hpp"

namespace mahc {

// A scorer written in Python behind the same seam.
class PythonScorer final : public FamilyScorer {
 public:
  explicit PythonScorer(nb::object scorer)
      : scorer_(std::move(scorer)),
        variables_(nb::cast<std::size_t>(scorer_.attr("variables"))),
        method_(nb::hasattr(scorer_, "score_or_stop") ? "score_or_stop" : "score_families") {}
  std::size_t variables() const override { return variables_; }
  // Large batches are split, so that the run can be stopped in between.
  void score(const FamilyBatch& batch, double* out) override {
    for (std::size_t first = 0; first < batch.count; first += kMostFamilies) {
      if (Poll::wants_stop()) throw Stopped{};
      score_part(batch, first, std::min(first + kMostFamilies, batch.count), out + first);
    }
  }

 private:
  static constexpr std::size_t kMostFamilies = 8192;

  // A source of counts that was stopped raises mahc.engine.control.Stopped. What stopped it stops the core's
  // control as well, at the latest when that asks again.
  nb::object answer(const nb::object& asked) const {
    try {
      return scorer_.attr(method_)(asked);
    } catch (nb::python_error& error) {
      if (!error.matches(nb::module_::import_("mahc.engine.control").attr("Stopped"))) throw;
    }
    nb::gil_scoped_release release;
    for (int i = 0; i < 100 && !Poll::wants_stop(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    throw Stopped{};
  }

  void score_part(const FamilyBatch& batch, std::size_t first, std::size_t last, double* out) {
    nb::gil_scoped_acquire lock;
    const std::size_t n = last - first;
    std::vector<std::int64_t> offsets(batch.offsets + first, batch.offsets + last + 1);
    const std::int64_t start = offsets.front(), stop = offsets.back();
    for (std::int64_t& offset : offsets) offset -= start;
    std::vector<std::int32_t> parents(batch.parents + start, batch.parents + stop);
    const std::size_t m = parents.size();
    const nb::object families = nb::module_::import_("mahc.engine.families").attr("Families");
    const nb::object asked =
        families(hand_out(std::vector(batch.children + first, batch.children + last), {n}),
                 hand_out(std::move(offsets), {n + 1}), hand_out(std::move(parents), {m}));
    const auto scores = nb::cast<Vector<double>>(answer(asked));
    if (scores.shape(0) != n) throw std::invalid_argument("a scorer must give one score per family");
    if (!std::all_of(scores.data(), scores.data() + n, [](double score) { return std::isfinite(score); })) {
      throw std::invalid_argument("a scorer gave a score that is not a number");
    }
    std::copy(scores.data(), scores.data() + n, out);
  }

  nb::object scorer_;
  std::size_t variables_;
  const char* method_;
};

// Remembered local scores over a scorer of either kind; pruning and search share one.
class SharedScoreCache {
 public:
  SharedScoreCache(nb::object scorer, std::uint64_t bytes, ArcPrices prices) : kept_(scorer) {
    const nb::object native = nb::hasattr(scorer, "native") ? scorer.attr("native") : nb::none();
    if (nb::isinstance<FamilyScorer>(native)) {
      native_ = &nb::cast<FamilyScorer&>(native);
    } else {
      python_ = std::make_unique<PythonScorer>(scorer);
    }
    FamilyScorer& plain = native_ ? *native_ : *python_;
    check(prices, plain.variables());
    const bool none = prices.none();
    priced_ = std::make_unique<PricedScorer>(plain, std::move(prices));
    scores = std::make_unique<ScoreCache>(none ? plain : *priced_, bytes);
  }
  std::unique_ptr<ScoreCache> scores;
  // Threads take turns; to be locked without the interpreter's lock, which the holder may need.
  std::mutex turn;

 private:
  static void check(const ArcPrices& prices, std::size_t variables) {
    const auto finite = [](double price) { return std::isfinite(price); };
    if (!finite(prices.constant) || !std::all_of(prices.extra.begin(), prices.extra.end(), finite)) {
      throw std::invalid_argument("the price of an arc must be a number");
    }
    if (prices.first.empty() && prices.parents.empty() && prices.extra.empty()) return;
    const auto arcs = static_cast<std::int64_t>(prices.parents.size());
    if (prices.extra.size() != prices.parents.size() || prices.first.size() != variables + 1 ||
        prices.first.front() != 0 || prices.first.back() != arcs ||
        !std::is_sorted(prices.first.begin(), prices.first.end())) {
      throw std::invalid_argument("the lists of extra prices do not fit each other");
    }
    for (std::size_t v = 0; v < variables; ++v) {
      const auto begin = prices.parents.begin() + prices.first[v],
                 end = prices.parents.begin() + prices.first[v + 1];
      if (std::adjacent_find(begin, end, std::greater_equal<>()) != end) {
        throw std::invalid_argument("the parents with an extra price must ascend");
      }
    }
  }

  nb::object kept_;
  FamilyScorer* native_ = nullptr;
  std::unique_ptr<PythonScorer> python_;
  std::unique_ptr<PricedScorer> priced_;
};

}  // namespace mahc
