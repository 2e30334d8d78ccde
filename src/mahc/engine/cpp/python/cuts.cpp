// Cut points of columns of numbers.
#include "../cuts/cut_chooser.hpp"
#include "arrays.hpp"
#include "module.hpp"

using namespace nanobind::literals;

namespace mahc {
namespace {

using Cut = std::vector<std::uint32_t>;  // the interval of each bin

Intervals intervals_of(const Cut& cut) {
  return {cut, cut.empty() ? 0 : *std::max_element(cut.begin(), cut.end()) + 1};
}

std::vector<Intervals> intervals_of(const std::vector<Cut>& cuts) {
  std::vector<Intervals> found;
  for (const auto& cut : cuts) found.push_back(intervals_of(cut));
  return found;
}

}  // namespace

void bind_cuts(nb::module_& m) {
  nb::class_<CutChooser>(m, "CutChooser")
      .def(
          "__init__",
          [](CutChooser* self, const Vector<std::uint16_t>& codes, std::size_t rows,
             std::vector<std::uint32_t> bins, std::vector<std::uint8_t> number,
             const Vector<std::uint64_t>& weights) {
            new (self) CutChooser({codes.data(), codes.data() + codes.shape(0)}, rows, std::move(bins),
                                  std::move(number), {weights.data(), weights.data() + weights.shape(0)});
          },
          "codes"_a.noconvert(), "rows"_a, "bins"_a, "number"_a, "weights"_a.noconvert())
      .def(
          "choose",
          [](const CutChooser& chooser, std::size_t variable,
             const std::vector<std::vector<std::int32_t>>& families, const std::vector<Cut>& cuts,
             std::uint32_t most) {
            if (variable >= chooser.variables()) throw std::invalid_argument("a variable is out of range");
            if (most < 1) throw std::invalid_argument("there must be room for an interval");
            const auto all = intervals_of(cuts);
            nb::gil_scoped_release release;
            auto found = chooser.choose(variable, families, all, most);
            return std::pair(std::move(found.intervals.of), found.bits);
          },
          "variable"_a, "families"_a, "cuts"_a, "most"_a)
      .def(
          "choose_family",
          [](const CutChooser& chooser, const std::vector<std::int32_t>& family,
             const std::vector<Cut>& start, std::uint32_t most, int rounds) {
            if (family.empty() || most < 1)
              throw std::invalid_argument("a family has a child, and room for an interval");
            auto first = intervals_of(start);
            nb::gil_scoped_release release;
            auto found = chooser.choose_family(family, std::move(first), most, rounds);
            std::vector<Cut> members;
            for (auto& each : found.members) members.push_back(std::move(each.of));
            return std::pair(std::move(members), found.bits);
          },
          "family"_a, "start"_a, "most"_a, "rounds"_a)
      .def(
          "family_bits",
          [](const CutChooser& chooser, const std::vector<std::int32_t>& family,
             const std::vector<Cut>& members, bool priced) {
            if (family.empty()) throw std::invalid_argument("a family has a child");
            const auto cut = intervals_of(members);
            nb::gil_scoped_release release;
            return chooser.family_bits(family, cut, priced);
          },
          "family"_a, "members"_a, "priced"_a);
}

}  // namespace mahc
