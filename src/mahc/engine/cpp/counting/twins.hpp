// Groups of a batch that one table serves: child v with parents F, u and w, and child u with F, v and w.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "batch.hpp"

namespace mahc {

struct BatchTasks {
  std::vector<TwinGroups> twins;
  std::vector<FamilySlice> slices;
};

class TwinFinder {
 public:
  explicit TwinFinder(const FamilyBatch& batch) : batch_(batch) {}

  // Splits a batch into pairs of groups and the rest, in pieces for so many threads.
  BatchTasks split(unsigned threads) const {
    BatchTasks tasks;
    std::map<std::vector<std::int32_t>, FamilySlice> waiting;  // by the variables, without the last parent
    std::vector<FamilySlice> rest;
    for (const FamilySlice& group : cut_families(batch_, 1)) {
      if (group.last - group.first < kFewest) {
        rest.push_back(group);
        continue;
      }
      const auto [place, alone] = waiting.try_emplace(variables(group.first), group);
      if (alone) continue;
      pair_up(place->second, group, threads, tasks.twins, rest);
      waiting.erase(place);
    }
    for (const auto& [_, group] : waiting) rest.push_back(group);
    const std::size_t most = most_in_slice(batch_.count, threads);
    for (const FamilySlice& group : rest) {
      for (std::size_t i = group.first; i < group.last; i += most)
        tasks.slices.push_back({i, std::min(group.last, i + most)});
    }
    return tasks;
  }

 private:
  static constexpr std::size_t kFewest = 8;  // families of a group; pairing smaller ones saves little

  std::vector<std::int32_t> variables(std::size_t family) const {
    const std::int32_t* parents = batch_.parents + batch_.offsets[family];
    std::vector<std::int32_t> all(parents, parents + batch_.parent_count(family) - 1);
    all.push_back(batch_.children[family]);
    std::sort(all.begin(), all.end());
    return all;
  }

  std::int32_t last_parent(std::size_t family) const {
    return batch_.parents[batch_.offsets[family + 1] - 1];
  }

  void pair_up(const FamilySlice& a, const FamilySlice& b, unsigned threads, std::vector<TwinGroups>& twins,
               std::vector<FamilySlice>& rest) const {
    if (batch_.children[a.first] == batch_.children[b.first]) {  // the same families twice
      rest.push_back(a);
      rest.push_back(b);
      return;
    }
    const std::size_t most = (most_in_slice(batch_.count, threads) + 1) / 2;  // of pairs
    TwinGroups made;
    std::size_t i = a.first, j = b.first;
    while (i < a.last && j < b.last) {
      if (last_parent(i) == last_parent(j)) {
        made.first.push_back(i++);
        made.second.push_back(j++);
        if (made.first.size() == most) twins.push_back(std::exchange(made, {}));
      } else if (last_parent(i) < last_parent(j)) {
        add_single(i++, rest);
      } else {
        add_single(j++, rest);
      }
    }
    for (; i < a.last; ++i) add_single(i, rest);
    for (; j < b.last; ++j) add_single(j, rest);
    if (!made.first.empty()) twins.push_back(std::move(made));
  }

  // Neighbours of one group stay together.
  void add_single(std::size_t family, std::vector<FamilySlice>& rest) const {
    if (!rest.empty() && rest.back().last == family && same_group(batch_, rest.back().first, family)) {
      ++rest.back().last;
    } else {
      rest.push_back({family, family + 1});
    }
  }

  const FamilyBatch& batch_;
};

}  // namespace mahc
