// Order search: from a start graph to the best graph that was found.
#include "../search/order_search.hpp"

#include "control.hpp"
#include "module.hpp"
#include "score_cache.hpp"
#include "search_checks.hpp"

using namespace nanobind::literals;

namespace mahc {
namespace {

Parents parents_of(const Space& space, const Arcs& arcs) {
  Parents parents(space.variables);
  for (const std::size_t k : checked_slots(space, arcs)) {
    parents[static_cast<std::size_t>(space.child[k])].push_back(space.parent[k]);
  }
  for (auto& list : parents) std::sort(list.begin(), list.end());
  return parents;
}

nb::dict search_orders(SharedScoreCache& cache, const Space& space, const Arcs& start,
                       const std::optional<PairScores>& pairs, std::size_t kicks, std::uint64_t seed,
                       std::size_t pair_candidates, bool early_dropping, double tolerance,
                       std::size_t most_nodes, const nb::object& caller) {
  const double* const pair_scores = checked_pairs(pairs, space);
  check_tolerance(tolerance);
  check_same_variables(cache.scores->variables(), space);
  Control control = make_control(caller);
  const OrderSettings settings{tolerance, kicks, seed, pair_candidates, early_dropping, most_nodes};
  OrderSearch search(space, *cache.scores, pair_scores, settings, control, parents_of(space, start));
  StopReason reason;
  {
    nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> turn(cache.turn);
    const StopChecks checks(control);
    reason = search.run();
  }
  nb::list arcs, improvements, moves;
  for (std::size_t v = 0; v < space.variables; ++v) {
    for (const std::int32_t u : search.best()[v]) arcs.append(nb::make_tuple(u, v));
  }
  for (const Improvement& step : search.improvements())
    improvements.append(nb::make_tuple(step.score, step.seconds, step.families));
  for (const OrderMove& move : search.moves())
    moves.append(nb::make_tuple(move.variable, move.place, move.score));
  const char* const reasons[] = {"converged", "time_limit", "interrupted", "step_limit"};
  nb::dict result;
  result["arcs"] = arcs;
  result["score"] = search.best_score();
  result["improvements"] = improvements;
  result["moves"] = moves;
  result["reason"] = reasons[static_cast<int>(reason)];
  return result;
}
}  // namespace

void bind_order_search(nb::module_& m) {
  m.def("search_orders", &search_orders, "cache"_a, "space"_a, "start"_a, "pairs"_a.none(), "kicks"_a,
        "seed"_a, "pair_candidates"_a, "early_dropping"_a, "tolerance"_a, "most_nodes"_a, "control"_a.none());
}

}  // namespace mahc
