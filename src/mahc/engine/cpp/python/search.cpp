// Search: remembered scores, spaces, the climb, the dynamic program over orders.
#include "../scores/scorer.hpp"
#include "../search/escapes.hpp"
#include "../search/exact_dp.hpp"
#include "../search/tabu_list.hpp"
#include "control.hpp"
#include "module.hpp"
#include "score_cache.hpp"
#include "search_checks.hpp"

using namespace nanobind::literals;

namespace mahc {
namespace {

// Scores a batch through the cache; None when the run was stopped.
std::optional<Owned<double>> remember_families(SharedScoreCache& cache, const Vector<std::int32_t>& children,
                                               const Vector<std::int64_t>& offsets,
                                               const Vector<std::int32_t>& parents,
                                               const nb::object& caller) {
  const FamilyBatch batch = batch_of(children, offsets, parents, cache.scores->variables());
  std::vector<double> out(batch.count);
  Control control = make_control(caller);
  try {
    nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> turn(cache.turn);
    const StopChecks checks(control);
    std::vector<std::int32_t> list;
    for (std::size_t i = 0; i < batch.count; ++i) {
      list.assign(batch.parents + batch.offsets[i], batch.parents + batch.offsets[i + 1]);
      cache.scores->ask(cache.scores->key(batch.children[i], list), batch.children[i], list, -1, &out[i]);
    }
    cache.scores->flush();
  } catch (const Stopped&) {
    return std::nullopt;
  }
  return hand_out(std::move(out), {batch.count});
}

bool known(std::int32_t v, std::size_t n) {
  return v >= 0 && static_cast<std::size_t>(v) < n;
}

void check_virtual_arcs(const Arcs& arcs, std::size_t nodes) {
  for (const auto& [from, to] : arcs) {
    if (!known(from, nodes) || !known(to, nodes))
      throw std::invalid_argument("a virtual arc is out of range");
  }
}

// All arcs between the variables, none of them held.
Space make_complete_space(std::size_t variables, std::size_t nodes, const Vector<std::int32_t>& limit,
                          const Arcs& fixed) {
  if (nodes < variables || limit.shape(0) != variables) {
    throw std::invalid_argument("the parts of a search space do not fit each other");
  }
  check_virtual_arcs(fixed, nodes);
  Space space;
  space.variables = variables;
  space.nodes = nodes;
  space.limit.assign(limit.data(), limit.data() + variables);
  space.virtual_arcs = fixed;
  nb::gil_scoped_release release;
  space.add_all_arcs();
  return space;
}

Space make_space(std::size_t variables, std::size_t nodes, const Vector<std::int64_t>& first,
                 const Vector<std::int32_t>& parents, const Vector<std::uint8_t>& hold,
                 const Vector<std::int32_t>& limit,
                 const std::vector<std::pair<std::int32_t, std::int32_t>>& fixed) {
  if (nodes < variables || first.shape(0) != variables + 1 || limit.shape(0) != variables ||
      hold.shape(0) != parents.shape(0) || first.data()[0] != 0 ||
      static_cast<std::size_t>(first.data()[variables]) != parents.shape(0)) {
    throw std::invalid_argument("the parts of a search space do not fit each other");
  }
  Space space;
  space.variables = variables;
  space.nodes = nodes;
  space.first.assign(first.data(), first.data() + variables + 1);
  space.parent.assign(parents.data(), parents.data() + parents.shape(0));
  space.limit.assign(limit.data(), limit.data() + variables);
  space.virtual_arcs = fixed;
  for (std::size_t v = 0; v < variables; ++v) {
    if (space.first[v] > space.first[v + 1]) throw std::invalid_argument("offsets must not fall");
  }
  for (const std::int32_t u : space.parent) {
    if (!known(u, variables)) throw std::invalid_argument("a candidate is out of range");
  }
  for (std::size_t v = 0; v < variables; ++v) {
    if (space.slot(static_cast<std::int32_t>(v), static_cast<std::int32_t>(v)) >= 0) {
      throw std::invalid_argument("a variable is a candidate of itself");
    }
  }
  check_virtual_arcs(fixed, nodes);
  space.hold.reserve(space.parent.size());
  for (std::size_t k = 0; k < space.parent.size(); ++k) {
    if (hold.data()[k] > 3) throw std::invalid_argument("hold is 0, 1, 2 or 3");
    space.hold.push_back(static_cast<Hold>(hold.data()[k]));
  }
  space.complete();
  return space;
}

// Plain or averaging, with escapes, or (where `list_length` is not 0) with a tabu list.
std::unique_ptr<Climber> make_climber(const Space& space, ScoreCache& scores, const double* pairs,
                                      const ClimbSettings& settings, Control& control,
                                      const std::vector<std::size_t>& start, bool escapes,
                                      std::size_t list_length) {
  if (settings.averaging && (escapes || list_length > 0))
    throw std::invalid_argument("an averaging climb has neither escapes nor a tabu list");
  if (list_length > 0)
    return std::make_unique<TabuListClimber>(space, scores, pairs, settings, control, start, list_length);
  if (escapes) return std::make_unique<EscapingClimber>(space, scores, pairs, settings, control, start);
  return std::make_unique<Climber>(space, scores, pairs, settings, control, start);
}

nb::dict climb(SharedScoreCache& cache, const Space& space, const Arcs& start,
               const std::optional<PairScores>& pairs, bool averaging, bool escapes, double tolerance,
               std::size_t most_steps, const nb::object& caller, bool stay_connected, bool data_ties,
               std::size_t list_length, bool keep_gains) {
  const std::vector<std::size_t> slots = checked_slots(space, start);
  const double* const pair_scores = checked_pairs(pairs, space);
  check_tolerance(tolerance);
  check_same_variables(cache.scores->variables(), space);
  Control control = make_control(caller);
  ClimbSettings settings{averaging, tolerance, most_steps, stay_connected, data_ties};
  std::unique_ptr<Climber> made;
  StopReason reason;
  {
    nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> turn(cache.turn);
    const StopChecks checks(control);
    made = make_climber(space, *cache.scores, pair_scores, settings, control, slots, escapes, list_length);
    reason = made->run();
  }
  const Climber& climber = *made;
  const char* const reasons[] = {"converged", "time_limit", "interrupted", "step_limit"};
  nb::list arcs, steps;
  for (const std::size_t k : climber.graph().slots())
    arcs.append(nb::make_tuple(space.parent[k], space.child[k]));
  const char* const kinds[] = {"add", "delete", "reverse"};
  for (const Step& step : climber.steps()) {
    steps.append(nb::make_tuple(kinds[static_cast<int>(step.move.kind)], space.parent[step.move.slot],
                                space.child[step.move.slot], step.own, step.averaged, step.seconds));
  }
  nb::dict result;
  result["arcs"] = arcs;
  result["steps"] = steps;
  result["averaged"] = climber.averaged();
  result["reason"] = reasons[static_cast<int>(reason)];
  if (!keep_gains) return result;
  result["once"] = hand_out(std::vector<double>(climber.neighbour_scores().once), {space.slots()});
  result["now"] = hand_out(std::vector<double>(climber.neighbour_scores().now), {space.variables});
  return result;
}

// The chosen candidate of every variable, empty where no graph is legal; None when the run was stopped.
std::optional<std::vector<std::int64_t>> order_program(const Vector<std::int64_t>& first,
                                                       const Vector<std::uint32_t>& parents,
                                                       const Vector<double>& scores,
                                                       const std::vector<std::uint32_t>& held,
                                                       const std::vector<std::uint32_t>& before,
                                                       double tolerance, const nb::object& caller) {
  const std::size_t n = held.size();
  if (n > OrderProgram::kMost) throw std::invalid_argument("the dynamic program takes at most 20 variables");
  check_tolerance(tolerance);
  if (before.size() != n || first.shape(0) != n + 1 || first.data()[0] != 0 ||
      scores.shape(0) != parents.shape(0) || static_cast<std::size_t>(first.data()[n]) != parents.shape(0)) {
    throw std::invalid_argument("the parts of a dynamic program do not fit each other");
  }
  if (!std::is_sorted(first.data(), first.data() + n + 1))
    throw std::invalid_argument("offsets must not fall");
  ParentSets sets;
  sets.variables = n;
  sets.first.assign(first.data(), first.data() + n + 1);
  sets.parents.assign(parents.data(), parents.data() + parents.shape(0));
  sets.score.assign(scores.data(), scores.data() + scores.shape(0));
  sets.held = held;
  sets.before = before;
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t k = sets.first[v]; k < sets.first[v + 1]; ++k) {
      if (sets.parents[k] >> n || (sets.parents[k] >> v & 1)) {
        throw std::invalid_argument("a parent is out of range");
      }
      if (std::isnan(sets.score[k])) throw std::invalid_argument("a score is not a number");
    }
  }
  Control control = make_control(caller);
  try {
    nb::gil_scoped_release release;
    return OrderProgram(sets, tolerance, control).run();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

// (move, tail, head, why it is illegal or None) for every move on every ordered pair of variables.
nb::list explain_moves(const Space& space, const Arcs& arcs) {
  const char* const words[] = {nullptr,     "present", "absent", "required", "required_edge",
                               "forbidden", "cycle",   "tiers",  "in_degree"};
  const SearchGraph graph(space, checked_slots(space, arcs));
  nb::list found;
  const auto note = [&](const char* move, std::int32_t u, std::int32_t v, Obstacle why) {
    const char* const word = words[static_cast<int>(why)];
    found.append(nb::make_tuple(move, u, v, word ? nb::object(nb::str(word)) : nb::none()));
  };
  const auto n = static_cast<std::int32_t>(space.variables);
  for (std::int32_t u = 0; u < n; ++u) {
    for (std::int32_t v = 0; v < n; ++v) {
      if (u == v) continue;
      note("add", u, v, why_not_add(space, graph, u, v));
      note("delete", u, v, why_not_remove(space, graph, u, v));
      note("reverse", u, v, why_not_reverse(space, graph, u, v));
    }
  }
  return found;
}

// The averaged scores of a graph and of all its neighbours; None when the run was stopped. The time limit
// does not apply: what is said of a graph that was found in time must not depend on how much time was left.
std::optional<nb::tuple> neighbours(SharedScoreCache& cache, const Space& space, const Arcs& arcs,
                                    const nb::object& caller) {
  struct Neighbour {
    Move move;
    double gain, averaged;
  };
  check_same_variables(cache.scores->variables(), space);
  const std::vector<std::size_t> slots = checked_slots(space, arcs);
  std::vector<std::size_t> all(space.variables);
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = v;
  Control control = make_control(caller, false);
  const SearchGraph graph(space, slots);
  NeighbourScores neighbour_scores(space, *cache.scores, true, nullptr);
  Averager averager(space, graph, neighbour_scores, nullptr);
  std::vector<Neighbour> found;
  try {
    nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> turn(cache.turn);
    const StopChecks checks(control);
    neighbour_scores.fill(graph, all);
    averager.look();
    averager.each_neighbour([&](const Move& move, double gain, double averaged) {
      if (control.stop()) throw Stopped{};
      found.push_back({move, gain, averaged});
    });
  } catch (const Stopped&) {
    return std::nullopt;
  }
  const char* const kinds[] = {"add", "delete", "reverse"};
  nb::list listed;
  for (const auto& [move, gain, averaged] : found) {
    listed.append(nb::make_tuple(kinds[static_cast<int>(move.kind)], space.parent[move.slot],
                                 space.child[move.slot], averager.own() + gain, averaged));
  }
  return nb::make_tuple(averager.own(), averager.average(), averager.neighbours(), listed);
}
}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<CancelToken>(m, "CancelToken")
      .def(nb::init<>())
      .def("cancel", &CancelToken::cancel)
      .def_prop_ro("cancelled", &CancelToken::cancelled);
  nb::class_<SharedScoreCache>(m, "ScoreCache")
      .def(
          "__init__",
          [](SharedScoreCache* self, nb::object scorer, std::uint64_t bytes, double arc_price,
             std::vector<std::int64_t> first, std::vector<std::int32_t> parents, std::vector<double> extra) {
            ArcPrices prices{arc_price, std::move(first), std::move(parents), std::move(extra)};
            new (self) SharedScoreCache(std::move(scorer), bytes, std::move(prices));
          },
          "scorer"_a, "memory_bytes"_a, "arc_price"_a = 0.0, "first"_a = std::vector<std::int64_t>{},
          "parents"_a = std::vector<std::int32_t>{}, "extra_prices"_a = std::vector<double>{})
      .def("score_families", &remember_families, "children"_a.noconvert(), "offsets"_a.noconvert(),
           "parents"_a.noconvert(), "control"_a.none());
  nb::class_<Space>(m, "Space")
      .def(
          "__init__",
          [](Space* self, std::size_t variables, std::size_t nodes, const Vector<std::int64_t>& first,
             const Vector<std::int32_t>& parents, const Vector<std::uint8_t>& hold,
             const Vector<std::int32_t>& limit,
             const std::vector<std::pair<std::int32_t, std::int32_t>>& virtual_arcs) {
            new (self) Space(make_space(variables, nodes, first, parents, hold, limit, virtual_arcs));
          },
          "variables"_a, "nodes"_a, "first"_a, "parents"_a, "hold"_a, "limit"_a, "virtual_arcs"_a)
      .def_static("complete", &make_complete_space, "variables"_a, "nodes"_a, "limit"_a, "virtual_arcs"_a);
  m.def("climb", &climb, "cache"_a, "space"_a, "start"_a, "pairs"_a.none(), "averaging"_a, "escapes"_a,
        "tolerance"_a, "most_steps"_a, "control"_a.none(), "stay_connected"_a = false, "data_ties"_a = true,
        "list_length"_a = 0, "keep_gains"_a = true);
  m.def("explain_moves", &explain_moves, "space"_a, "arcs"_a);
  m.def("neighbours", &neighbours, "cache"_a, "space"_a, "arcs"_a, "control"_a.none() = nb::none());
  m.def("order_program", &order_program, "first"_a, "parents"_a, "scores"_a, "held"_a, "before"_a,
        "tolerance"_a, "control"_a.none());
}

}  // namespace mahc
