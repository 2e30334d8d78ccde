// Random walks over DAGs whose parent sets are listed with their scores.
#include "../sampling/walk.hpp"
#include "../search/equivalence_class.hpp"
#include "arrays.hpp"
#include "control.hpp"
#include "module.hpp"

using namespace nanobind::literals;

namespace mahc {
namespace {

constexpr std::size_t steps_between_checks = 256;

using VirtualArcs = std::vector<std::pair<std::int32_t, std::int32_t>>;
using Numbers = std::vector<std::vector<std::int32_t>>;

// A random stream of its own for each part of each chain, so that neither threads nor stops matter.
RandomGenerator stream(std::uint64_t seed, std::uint64_t chain, std::uint64_t part) {
  const std::uint64_t of_chain = RandomGenerator(RandomGenerator(seed).next() + chain).next();
  return RandomGenerator(RandomGenerator(of_chain + part).next());
}

ParentLists make_lists(const Numbers& candidates, const Vector<std::int64_t>& offsets,
                       const Vector<std::uint32_t>& inside, const Vector<std::int32_t>& outside,
                       const Vector<double>& scores, const Numbers& partners, VirtualArcs virtual_arcs,
                       std::size_t nodes) {
  const std::size_t n = candidates.size(), total = scores.shape(0);
  if (offsets.shape(0) != n + 1 || offsets.data()[0] != 0 || inside.shape(0) != total ||
      outside.shape(0) != total || partners.size() != n ||
      !std::is_sorted(offsets.data(), offsets.data() + n + 1) ||
      static_cast<std::size_t>(offsets.data()[n]) != total) {
    throw std::invalid_argument("the lists of parent sets do not fit each other");
  }
  ParentLists lists;
  lists.nodes = nodes;
  lists.virtual_arcs = std::move(virtual_arcs);
  for (std::size_t v = 0; v < n; ++v) {
    ParentList list;
    list.candidates = candidates[v];
    list.partners = partners[v];
    for (auto k = static_cast<std::size_t>(offsets.data()[v]);
         k < static_cast<std::size_t>(offsets.data()[v + 1]); ++k) {
      list.sets.push_back({inside.data()[k], outside.data()[k]});
      list.scores.push_back(scores.data()[k]);
    }
    list.finish();
    lists.of.push_back(std::move(list));
  }
  lists.check();
  return lists;
}

// The places of the parent sets after each part, one row per part that was finished; the moves tried and
// those that changed the graph.
nb::tuple walk(const ParentLists& lists, const Vector<std::int32_t>& start, std::uint64_t seed,
               std::uint64_t chain, std::uint64_t first_part, std::size_t parts, std::size_t steps,
               double flips, double reversals, double pairs, const nb::object& caller) {
  const std::size_t n = lists.variables();
  if (start.shape(0) != n) throw std::invalid_argument("the start has another number of variables");
  if (!(flips >= 0.0 && reversals >= 0.0 && pairs >= 0.0 && flips + reversals + pairs <= 1.0)) {
    throw std::invalid_argument("the shares of the moves are no shares");
  }
  std::vector<std::size_t> places(n);
  for (std::size_t v = 0; v < n; ++v) {
    const std::int32_t place = start.data()[v];
    if (place < 0 || static_cast<std::size_t>(place) >= lists.of[v].sets.size()) {
      throw std::invalid_argument("the start names a parent set that is not there");
    }
    places[v] = static_cast<std::size_t>(place);
  }
  Walk walk(lists, std::move(places));
  if (!walk.legal()) throw std::invalid_argument("the start is not a legal graph");
  Control control = make_control(caller);
  std::vector<std::int32_t> drawn;
  std::size_t done = 0;
  {
    nb::gil_scoped_release release;
    const MoveShares shares{flips, reversals, pairs};
    for (; done < parts && n > 0 && !control.stop(); ++done) {
      RandomGenerator random = stream(seed, chain, first_part + done);
      std::size_t step = 0;
      while (step < steps && (step % steps_between_checks != steps_between_checks - 1 || !control.stop())) {
        walk.step(random, shares);
        ++step;
      }
      if (step < steps) break;
      for (const std::size_t place : walk.places()) drawn.push_back(static_cast<std::int32_t>(place));
    }
  }
  std::vector<std::uint64_t> moves(walk.tried.begin(), walk.tried.end());
  moves.insert(moves.end(), walk.changed.begin(), walk.changed.end());
  return nb::make_tuple(hand_out(std::move(drawn), {done, n}), hand_out(std::move(moves), {2, 4}));
}

// Whether each arc is the same in all DAGs that are equivalent to its graph; the arcs of graph g are those
// from offsets[g] to offsets[g + 1].
Owned<std::uint8_t> find_compelled(const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& tails,
                                   const Vector<std::int32_t>& heads, std::size_t variables) {
  const std::size_t graphs = offsets.shape(0) ? offsets.shape(0) - 1 : 0, total = tails.shape(0);
  const std::int64_t* const first = offsets.data();
  const auto n = static_cast<std::int32_t>(variables);
  const auto known = [n](std::int32_t v) { return v >= 0 && v < n; };
  if (offsets.shape(0) == 0 || first[0] != 0 || !std::is_sorted(first, first + graphs + 1) ||
      static_cast<std::size_t>(first[graphs]) != total || heads.shape(0) != total ||
      !std::all_of(tails.data(), tails.data() + total, known) ||
      !std::all_of(heads.data(), heads.data() + total, known)) {
    throw std::invalid_argument("the arcs of the graphs do not fit each other");
  }
  std::vector<std::uint8_t> found(total, 0);
  {
    nb::gil_scoped_release release;
    for (std::size_t g = 0; g < graphs; ++g) {
      const auto begin = static_cast<std::size_t>(first[g]), end = static_cast<std::size_t>(first[g + 1]);
      Parents parents(variables);
      Parents children(variables);
      std::vector<std::size_t> slot(end - begin), left(variables, 0), order;
      for (std::size_t k = begin; k < end; ++k) {
        const auto u = static_cast<std::size_t>(tails.data()[k]),
                   v = static_cast<std::size_t>(heads.data()[k]);
        if (!parents[v].empty() && parents[v].back() >= tails.data()[k]) {
          throw std::invalid_argument("the arcs of a graph do not ascend");
        }
        slot[k - begin] = parents[v].size();
        parents[v].push_back(tails.data()[k]);
        children[u].push_back(heads.data()[k]);
        ++left[v];
      }
      for (std::size_t v = 0; v < variables; ++v) {
        if (!left[v]) order.push_back(v);
      }
      for (std::size_t done = 0; done < order.size(); ++done) {
        for (const std::int32_t v : children[order[done]]) {
          if (--left[static_cast<std::size_t>(v)] == 0) order.push_back(static_cast<std::size_t>(v));
        }
      }
      if (order.size() != variables) throw std::invalid_argument("a graph has a cycle");
      const CompelledArcs labels(order, parents);
      for (std::size_t k = begin; k < end; ++k) {
        found[k] = labels.compelled(static_cast<std::size_t>(heads.data()[k]), slot[k - begin]);
      }
    }
  }
  return hand_out(std::move(found), {total});
}
}  // namespace

void bind_sampling(nb::module_& m) {
  m.def("find_compelled", &find_compelled, "offsets"_a.noconvert(), "tails"_a.noconvert(),
        "heads"_a.noconvert(), "variables"_a);
  nb::class_<ParentLists>(m, "ParentLists")
      .def(
          "__init__",
          [](ParentLists* self, const Numbers& candidates, const Vector<std::int64_t>& offsets,
             const Vector<std::uint32_t>& inside, const Vector<std::int32_t>& outside,
             const Vector<double>& scores, const Numbers& partners, VirtualArcs virtual_arcs,
             std::size_t nodes) {
            new (self) ParentLists(make_lists(candidates, offsets, inside, outside, scores, partners,
                                              std::move(virtual_arcs), nodes));
          },
          "candidates"_a, "offsets"_a.noconvert(), "inside"_a.noconvert(), "outside"_a.noconvert(),
          "scores"_a.noconvert(), "partners"_a, "virtual_arcs"_a, "nodes"_a)
      .def("walk", &walk, "start"_a.noconvert(), "seed"_a, "chain"_a, "first_part"_a, "parts"_a, "steps"_a,
           "flips"_a, "reversals"_a, "pairs"_a, "control"_a.none());
}

}  // namespace mahc
