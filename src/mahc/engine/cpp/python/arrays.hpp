// Arrays in, arrays out; what comes in is checked here once.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "../counting/batch.hpp"

namespace mahc {

namespace nb = nanobind;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Owned = nb::ndarray<nb::numpy, T>;

template <class T>
Owned<T> hand_out(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Owned<T>(kept->data(), shape, owner);
}

inline void check_family(std::int32_t child, const std::int32_t* parents, std::size_t count,
                         std::size_t variables) {
  const auto known = [&](std::int32_t v) { return v >= 0 && static_cast<std::size_t>(v) < variables; };
  if (!known(child)) throw std::invalid_argument("a child is out of range");
  for (std::size_t k = 0; k < count; ++k) {
    if (!known(parents[k])) throw std::invalid_argument("a parent is out of range");
    if (parents[k] == child || std::find(parents, parents + k, parents[k]) != parents + k) {
      throw std::invalid_argument("a family names a variable twice");
    }
  }
}

inline FamilyBatch batch_of(const Vector<std::int32_t>& children, const Vector<std::int64_t>& offsets,
                            const Vector<std::int32_t>& parents, std::size_t variables) {
  const FamilyBatch batch{children.data(), offsets.data(), parents.data(), children.shape(0)};
  if (offsets.shape(0) != batch.count + 1 || batch.offsets[0] != 0 ||
      static_cast<std::size_t>(batch.offsets[batch.count]) != parents.shape(0)) {
    throw std::invalid_argument("offsets do not fit the children and parents");
  }
  if (!std::is_sorted(batch.offsets, batch.offsets + batch.count + 1)) {
    throw std::invalid_argument("offsets must not fall");
  }
  for (std::size_t i = 0; i < batch.count; ++i) {
    check_family(batch.children[i], batch.parents + batch.offsets[i], batch.parent_count(i), variables);
  }
  return batch;
}

}  // namespace mahc
