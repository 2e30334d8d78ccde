// Where to cut columns of numbers, given the families in which they stand.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../counting/fixed_point.hpp"
#include "../scores/regret.hpp"

namespace mahc {

// A column as intervals: bin b belongs to interval of[b]; a discrete column keeps its states.
struct Intervals {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
};

struct ChosenIntervals {
  Intervals intervals;
  double bits = -std::numeric_limits<double>::infinity();
};

struct ChosenFamily {
  std::vector<Intervals> members;  // child first
  double bits = 0.0;
};

// A family is worth what qNML says of its intervals, against a child without parents: N I(child; parents)
// less regrets. A column of B bins in k intervals costs log2 C(B - 1, k - 1) bits besides. Sums are
// integers, so that neither the order of rows nor that of states or parents changes a bit; bins in reverse
// order give the reverse of the same intervals.
class CutChooser {
 public:
  // `codes`: the bins of each variable, one after another, `rows` numbers each.
  CutChooser(std::vector<std::uint16_t> codes, std::size_t rows, std::vector<std::uint32_t> bins,
             std::vector<std::uint8_t> number, std::vector<std::uint64_t> weights)
      : codes_(std::move(codes)),
        rows_(rows),
        bins_(std::move(bins)),
        number_(std::move(number)),
        weights_(std::move(weights)),
        size_(weights_.empty() ? rows : std::accumulate(weights_.begin(), weights_.end(), std::uint64_t{0})),
        fixed_(static_cast<double>(size_ + 64) * 64.0 * static_cast<double>(bins_.size() + 1)),
        entropy_(fixed_, size_),
        regret_(size_) {
    const std::size_t n = bins_.size();
    if (rows_ == 0 || size_ == 0 || codes_.size() != n * rows_ || number_.size() != n ||
        (!weights_.empty() && weights_.size() != rows_))
      throw std::invalid_argument("the columns do not fit each other");
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t r = 0; r < rows_; ++r)
        if (codes_[v * rows_ + r] >= bins_[v]) throw std::invalid_argument("a bin is out of range");
    }
  }

  std::size_t variables() const { return bins_.size(); }
  std::uint32_t bins(std::size_t v) const { return bins_[v]; }

  // The best intervals of v where it stands in these families, each a child with its parents, whose other
  // members are cut as `cuts` says. At least 2 intervals where there are 2 bins, at most `most`.
  ChosenIntervals choose(std::size_t v, const std::vector<std::vector<std::int32_t>>& families,
                         const std::vector<Intervals>& cuts, std::uint32_t most) const {
    check(cuts);
    const std::uint32_t bins = bins_[v];
    std::vector<std::int64_t> values(static_cast<std::size_t>(bins) * (bins + 1), 0);
    std::vector<Place> places;
    for (const auto& family : families) {
      check_family(family, v);
      const auto held = distinct_rows_of(family);
      const Rows& rows = *held;
      std::vector<const Intervals*> parts;
      std::size_t place = 0;
      for (std::size_t i = 0; i < family.size(); ++i) {
        parts.push_back(&cuts[static_cast<std::size_t>(family[i])]);
        if (static_cast<std::size_t>(family[i]) == v) place = i;
      }
      places.push_back(add_values(rows, parts, place, bins, values));
    }
    const auto price = [&](std::uint32_t k) {
      std::int64_t sum = fixed_.round(log2_choices(bins, k));
      for (const Place& place : places) sum += fixed_.round(place.penalty(k, regret_));
      return sum;
    };
    return best(values, bins, std::min<std::uint32_t>(2, bins), most, price);
  }

  // The best intervals of one family alone, by turns from these at the start; the others of the members stay.
  ChosenFamily choose_family(const std::vector<std::int32_t>& family, std::vector<Intervals> start,
                             std::uint32_t most, int rounds) const {
    check_family(family, static_cast<std::size_t>(family.at(0)));
    if (start.size() != family.size()) throw std::invalid_argument("there must be intervals for each member");
    for (std::size_t i = 0; i < family.size(); ++i) check(start[i], static_cast<std::size_t>(family[i]));
    const Rows rows = distinct(family);
    ChosenFamily found{std::move(start), 0.0};
    found.bits = value(rows, family, found.members);
    for (int round = 0; round < rounds; ++round) {
      bool changed = false;
      for (std::size_t place = 0; place < family.size(); ++place) {
        const auto v = static_cast<std::size_t>(family[place]);
        if (!number_[v]) continue;
        std::vector<const Intervals*> parts;
        for (const auto& each : found.members) parts.push_back(&each);
        std::vector<std::int64_t> values(static_cast<std::size_t>(bins_[v]) * (bins_[v] + 1), 0);
        const Place where = add_values(rows, parts, place, bins_[v], values);
        const auto price = [&](std::uint32_t k) {
          return fixed_.round(log2_choices(bins_[v], k)) + fixed_.round(where.penalty(k, regret_));
        };
        auto chosen = best(values, bins_[v], 1, most, price);
        std::swap(found.members[place], chosen.intervals);
        const double now = value(rows, family, found.members);
        if (now > found.bits) {
          found.bits = now;
          changed = true;
        } else {
          std::swap(found.members[place], chosen.intervals);
        }
      }
      if (!changed) break;
    }
    return found;
  }

  // What a family is worth with these intervals, the price of its own cut points included if `priced`.
  double family_bits(const std::vector<std::int32_t>& family, const std::vector<Intervals>& members,
                     bool priced) const {
    check_family(family, static_cast<std::size_t>(family.at(0)));
    if (members.size() != family.size())
      throw std::invalid_argument("there must be intervals for each member");
    for (std::size_t i = 0; i < family.size(); ++i) check(members[i], static_cast<std::size_t>(family[i]));
    return value(whole(family), family, members, priced);
  }

 private:
  // Rows of some variables: pointers to their bins, and weights where rows do not count once.
  struct Rows {
    std::vector<const std::uint16_t*> columns;
    const std::uint64_t* weights = nullptr;
    std::size_t count = 0;
    std::vector<std::uint16_t> own_codes;
    std::vector<std::uint64_t> own_weights;
  };

  // The role of a column in a family: what k intervals of it cost.
  struct Place {
    bool child = false;
    double configurations = 1.0;  // of the parents, without the column itself
    std::uint32_t states = 1;     // of the child, where the column is a parent
    double penalty(std::uint32_t k, const RegretOfSize& regret) const {
      const double states_now = child ? k : states;
      const double configurations_now = child ? configurations : configurations * k;
      return regret(configurations_now * states_now) - regret(configurations_now) - regret(states_now);
    }
  };

  static double log2_choices(std::uint32_t bins, std::uint32_t k) {
    double sum = 0.0;  // log2 C(bins - 1, k - 1)
    for (std::uint32_t i = 1; i < k; ++i)
      sum += std::log2(static_cast<double>(bins - i) / static_cast<double>(i));
    return sum;
  }

  void check(const Intervals& cut, std::size_t v) const {
    if (cut.of.size() != bins_[v]) throw std::invalid_argument("the intervals do not fit the bins");
    for (const auto each : cut.of)
      if (each >= cut.count) throw std::invalid_argument("an interval is out of range");
  }
  void check(const std::vector<Intervals>& cuts) const {
    if (cuts.size() != bins_.size()) throw std::invalid_argument("there must be intervals for each variable");
    for (std::size_t v = 0; v < cuts.size(); ++v) check(cuts[v], v);
  }
  void check_family(const std::vector<std::int32_t>& family, std::size_t member) const {
    bool there = false;
    for (std::size_t i = 0; i < family.size(); ++i) {
      if (family[i] < 0 || static_cast<std::size_t>(family[i]) >= bins_.size())
        throw std::invalid_argument("a variable is out of range");
      if (std::find(family.begin(), family.begin() + static_cast<std::ptrdiff_t>(i), family[i]) !=
          family.begin() + static_cast<std::ptrdiff_t>(i))
        throw std::invalid_argument("a family names a variable twice");
      there = there || static_cast<std::size_t>(family[i]) == member;
    }
    if (!there) throw std::invalid_argument("the variable is not in the family");
  }

  Rows whole(const std::vector<std::int32_t>& family) const {
    Rows rows;
    for (const auto v : family) rows.columns.push_back(codes_.data() + static_cast<std::size_t>(v) * rows_);
    rows.weights = weights_.empty() ? nullptr : weights_.data();
    rows.count = rows_;
    return rows;
  }

  // Each combination of bins once, where they are few.
  Rows distinct(const std::vector<std::int32_t>& family) const {
    double cells = 1.0;
    for (const auto v : family) cells *= bins_[static_cast<std::size_t>(v)];
    Rows rows = whole(family);
    if (cells > static_cast<double>(std::max<std::size_t>(rows_, 1024))) return rows;
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(cells), 0);
    for (std::size_t r = 0; r < rows_; ++r) {
      std::size_t cell = 0;
      for (std::size_t i = 0; i < family.size(); ++i)
        cell = cell * bins_[static_cast<std::size_t>(family[i])] + rows.columns[i][r];
      counts[cell] += rows.weights == nullptr ? 1 : rows.weights[r];
    }
    Rows few;
    std::vector<std::size_t> kept;
    for (std::size_t cell = 0; cell < counts.size(); ++cell)
      if (counts[cell] != 0) kept.push_back(cell);
    few.count = kept.size();
    few.own_codes.resize(family.size() * few.count);
    few.own_weights.resize(few.count);
    for (std::size_t r = 0; r < few.count; ++r) {
      few.own_weights[r] = counts[kept[r]];
      std::size_t rest = kept[r];
      for (std::size_t i = family.size(); i-- > 0;) {
        const std::size_t bins = bins_[static_cast<std::size_t>(family[i])];
        few.own_codes[i * few.count + r] = static_cast<std::uint16_t>(rest % bins);
        rest /= bins;
      }
    }
    for (std::size_t i = 0; i < family.size(); ++i)
      few.columns.push_back(few.own_codes.data() + i * few.count);
    few.weights = few.own_weights.data();
    return few;
  }

  // The same, kept: columns are cut again and again in the same families. Threads may ask at the same time.
  std::shared_ptr<const Rows> distinct_rows_of(const std::vector<std::int32_t>& family) const {
    {
      const std::lock_guard lock(turn_);
      const auto known = kept_.find(family);
      if (known != kept_.end()) return known->second;
    }
    auto made = std::make_shared<const Rows>(distinct(family));
    const std::lock_guard lock(turn_);
    kept_bytes_ +=
        sizeof(std::uint16_t) * made->own_codes.size() + sizeof(std::uint64_t) * made->own_weights.size();
    if (kept_bytes_ > kMostKeptBytes) {
      kept_.clear();
      kept_bytes_ = 0;
    }
    kept_[family] = made;
    return made;
  }

  // For each row the number of the configuration of some members; configurations are numbered without gaps
  // where there are more than rows.
  std::size_t number_configurations(const Rows& rows, const std::vector<const Intervals*>& parts,
                                    const std::vector<std::size_t>& members,
                                    std::vector<std::uint32_t>& out) const {
    out.assign(rows.count, 0);
    std::size_t count = 1;
    for (const std::size_t i : members) {
      const Intervals& cut = *parts[i];
      if (count > std::max<std::size_t>(rows.count, 4096) / cut.count + 1) count = renumber(out);
      for (std::size_t r = 0; r < rows.count; ++r) out[r] = out[r] * cut.count + cut.of[rows.columns[i][r]];
      count *= cut.count;
    }
    return count;
  }

  static std::size_t renumber(std::vector<std::uint32_t>& numbers) {
    std::vector<std::uint32_t> seen(numbers);
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (auto& each : numbers)
      each = static_cast<std::uint32_t>(std::lower_bound(seen.begin(), seen.end(), each) - seen.begin());
    return seen.size();
  }

  // Adds, for bins first to last - 1 of the member at `place` as one interval, the part of the
  // log-likelihood that depends on it: values[first * (bins + 1) + last].
  Place add_values(const Rows& rows, const std::vector<const Intervals*>& parts, std::size_t place,
                   std::uint32_t bins, std::vector<std::int64_t>& values) const {
    Place found;
    found.child = place == 0;
    std::vector<std::size_t> others;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (i == place) continue;
      others.push_back(i);
      found.configurations *= parts[i]->count;
    }
    std::vector<std::uint32_t> configuration;
    std::size_t count = number_configurations(rows, parts, others, configuration);
    std::size_t group = count;  // cells whose sum is subtracted: all, or those of one configuration
    if (!found.child) {
      found.states = parts[0]->count;
      group = found.states;
      if (count * group > std::max<std::size_t>(rows.count, 4096) * 2) count = renumber(configuration);
      for (std::size_t r = 0; r < rows.count; ++r)
        configuration[r] =
            static_cast<std::uint32_t>(configuration[r] * group + parts[0]->of[rows.columns[0][r]]);
      count *= group;
    }
    std::vector<std::uint64_t> table(static_cast<std::size_t>(bins) * count, 0);
    for (std::size_t r = 0; r < rows.count; ++r)
      table[rows.columns[place][r] * count + configuration[r]] +=
          rows.weights == nullptr ? 1 : rows.weights[r];
    std::vector<std::uint64_t> sums(count);
    for (std::uint32_t first = 0; first < bins; ++first) {
      std::fill(sums.begin(), sums.end(), 0);
      for (std::uint32_t last = first + 1; last <= bins; ++last) {
        const std::uint64_t* added = table.data() + static_cast<std::size_t>(last - 1) * count;
        std::int64_t worth = 0;
        for (std::size_t begin = 0; begin < count; begin += group) {
          std::uint64_t together = 0;
          for (std::size_t x = begin; x < begin + group; ++x) {
            sums[x] += added[x];
            if (sums[x] == 0) continue;
            worth += entropy_(sums[x]);
            together += sums[x];
          }
          worth -= entropy_(together);
        }
        values[static_cast<std::size_t>(first) * (bins + 1) + last] += worth;
      }
    }
    return found;
  }

  // The partition of the bins into at least `least` and at most `most` intervals with the highest sum less
  // its price. Of equal ones the one with fewer intervals, then the one whose last cuts are the lowest, the
  // bins being taken in the direction whose values are larger where they first differ.
  template <class Price>
  ChosenIntervals best(const std::vector<std::int64_t>& given, std::uint32_t bins, std::uint32_t least,
                       std::uint32_t most, const Price& price) const {
    const std::size_t width = bins + 1;
    const bool backwards = prefers_reverse(given, bins);
    const auto value = [&](std::uint32_t first, std::uint32_t last) {
      return backwards ? given[(bins - last) * width + (bins - first)] : given[first * width + last];
    };
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 2;
    most = std::min(most, bins);
    std::vector<std::vector<std::int64_t>> sum(most + 1, std::vector<std::int64_t>(width, kNever));
    std::vector<std::vector<std::uint32_t>> from(most + 1, std::vector<std::uint32_t>(width, 0));
    sum[0][0] = 0;
    for (std::uint32_t k = 1; k <= most; ++k) {
      for (std::uint32_t last = k; last <= bins; ++last) {
        for (std::uint32_t first = k - 1; first < last; ++first) {
          if (sum[k - 1][first] == kNever) continue;
          const std::int64_t now = sum[k - 1][first] + value(first, last);
          if (now > sum[k][last]) {
            sum[k][last] = now;
            from[k][last] = first;
          }
        }
      }
    }
    std::int64_t highest = kNever;
    std::uint32_t chosen = least;
    for (std::uint32_t k = least; k <= most; ++k) {
      const std::int64_t now = sum[k][bins] - price(k);
      if (now > highest) {
        highest = now;
        chosen = k;
      }
    }
    ChosenIntervals found;
    found.bits = fixed_.value(highest);
    found.intervals = {std::vector<std::uint32_t>(bins, 0), chosen};
    std::uint32_t last = bins;
    for (std::uint32_t k = chosen; k > 0; --k) {
      const std::uint32_t first = from[k][last];
      for (std::uint32_t b = first; b < last; ++b) {
        if (backwards)
          found.intervals.of[bins - 1 - b] = chosen - k;
        else
          found.intervals.of[b] = k - 1;
      }
      last = first;
    }
    return found;
  }

  static bool prefers_reverse(const std::vector<std::int64_t>& values, std::uint32_t bins) {
    const std::size_t width = bins + 1;
    for (std::uint32_t first = 0; first < bins; ++first) {
      for (std::uint32_t last = first + 1; last <= bins; ++last) {
        const std::int64_t forward = values[first * width + last];
        const std::int64_t reverse = values[(bins - last) * width + (bins - first)];
        if (forward != reverse) return forward < reverse;
      }
    }
    return false;
  }

  double value(const Rows& rows, const std::vector<std::int32_t>& family,
               const std::vector<Intervals>& members, bool priced = true) const {
    std::vector<const Intervals*> parts;
    std::vector<std::size_t> parents;
    Place place;
    place.child = true;
    std::int64_t price = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      parts.push_back(&members[i]);
      const auto v = static_cast<std::size_t>(family[i]);
      if (priced && number_[v]) price += fixed_.round(log2_choices(bins_[v], members[i].count));
      if (i == 0) continue;
      parents.push_back(i);
      place.configurations *= members[i].count;
    }
    std::vector<std::uint32_t> configuration;
    const std::size_t count = number_configurations(rows, parts, parents, configuration);
    const std::size_t states = members[0].count;
    std::vector<std::uint64_t> cells(count * states, 0), alone(states, 0);
    for (std::size_t r = 0; r < rows.count; ++r) {
      const std::uint32_t state = members[0].of[rows.columns[0][r]];
      const std::uint64_t weight = rows.weights == nullptr ? 1 : rows.weights[r];
      cells[configuration[r] * states + state] += weight;
      alone[state] += weight;
    }
    std::int64_t sum = entropy_(size_) - price;
    for (const auto each : alone) sum -= entropy_(each);
    for (std::size_t j = 0; j < count; ++j) {
      std::uint64_t together = 0;
      for (std::size_t k = 0; k < states; ++k) {
        sum += entropy_(cells[j * states + k]);
        together += cells[j * states + k];
      }
      sum -= entropy_(together);
    }
    sum -= fixed_.round(place.penalty(static_cast<std::uint32_t>(states), regret_));
    return fixed_.value(sum);
  }

  std::vector<std::uint16_t> codes_;
  std::size_t rows_;
  std::vector<std::uint32_t> bins_;
  std::vector<std::uint8_t> number_;
  std::vector<std::uint64_t> weights_;
  std::uint64_t size_;
  FixedPoint fixed_;
  EntropyTerms entropy_;
  RegretOfSize regret_;

  static constexpr std::size_t kMostKeptBytes = std::size_t{1} << 27;
  mutable std::mutex turn_;
  mutable std::map<std::vector<std::int32_t>, std::shared_ptr<const Rows>> kept_;  // by family
  mutable std::size_t kept_bytes_ = 0;
};

}  // namespace mahc
