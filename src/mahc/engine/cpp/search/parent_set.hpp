// A parent set with its score, and the ranking of scores in which nearly equal ones are equal.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace mahc {

struct ParentSet {
  double score = -std::numeric_limits<double>::infinity();  // minus infinity: the order is not legal
  std::vector<std::int32_t> parents;                        // ascending

  bool legal() const { return score > -std::numeric_limits<double>::infinity(); }
};

// Items from the best score down. Neighbours in that ranking that differ by the tolerance at most are equal
// and keep the order in which they came.
template <class Item, class Score>
void rank_by_score(std::vector<Item>& items, double tolerance, Score&& score_of) {
  std::vector<std::size_t> place(items.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = i;
  std::stable_sort(place.begin(), place.end(),
                   [&](std::size_t a, std::size_t b) { return score_of(items[a]) > score_of(items[b]); });
  for (std::size_t first = 0; first < place.size();) {
    std::size_t last = first + 1;
    while (last < place.size() &&
           score_of(items[place[last - 1]]) - score_of(items[place[last]]) <= tolerance)
      ++last;
    std::sort(place.begin() + static_cast<std::ptrdiff_t>(first),
              place.begin() + static_cast<std::ptrdiff_t>(last));
    first = last;
  }
  std::vector<Item> ranked;
  ranked.reserve(items.size());
  for (const std::size_t i : place) ranked.push_back(std::move(items[i]));
  items = std::move(ranked);
}

}  // namespace mahc
