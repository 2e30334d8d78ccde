// The order of the variables that the search stands on.
#pragma once
#include <algorithm>
#include <vector>

namespace mahc {

// A variable's place is counted among the others: place p of v means that p others precede it.
class Order {
 public:
  Order() = default;
  explicit Order(std::vector<std::size_t> variables) : order_(std::move(variables)) {
    position_.resize(order_.size());
    renumber(0, order_.size());
  }

  std::size_t size() const { return order_.size(); }
  const std::vector<std::size_t>& variables() const { return order_; }
  std::size_t position(std::size_t v) const { return position_[v]; }
  bool precedes(std::size_t u, std::size_t v) const { return position_[u] < position_[v]; }
  // How many variables other than v precede u.
  std::size_t place_without(std::size_t u, std::size_t v) const {
    return position_[u] - (position_[u] > position_[v] ? 1 : 0);
  }

  void move(std::size_t v, std::size_t place) {
    const std::size_t from = position_[v];
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (place < from) std::rotate(at(place), at(from), at(from + 1));
    if (place > from) std::rotate(at(from), at(from + 1), at(place + 1));
    renumber(std::min(from, place), std::max(from, place) + 1);
  }

 private:
  void renumber(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) position_[order_[i]] = i;
  }

  std::vector<std::size_t> order_, position_;
};

}  // namespace mahc
