// The time limit and the user's wish to stop, looked at while the interpreter's lock is released.
#pragma once
#include <nanobind/nanobind.h>

#include <functional>

#include "../counting/pool.hpp"
#include "../search/control.hpp"

namespace mahc {

namespace nb = nanobind;

using Ask = std::function<bool(std::size_t, double)>;

// The user's question ("stop?") is asked under the interpreter's lock, which is where Ctrl-C is noticed.
inline Ask under_lock(nb::object ask) {
  if (ask.is_none()) return {};
  return [ask](std::size_t steps, double own) {
    nb::gil_scoped_acquire lock;
    return nb::cast<bool>(ask(steps, own));
  };
}

// While it lives, long batches of the pool look at the control.
class Watched {
 public:
  Watched(Pool* pool, Control& control) : pool_(pool) {
    if (pool_) pool_->poll = [&control] { return control.stop(); };
  }
  ~Watched() {
    if (pool_) pool_->poll = nullptr;
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  Pool* pool_;
};

}  // namespace mahc
