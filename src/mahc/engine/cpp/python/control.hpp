// Time limit, cancelling and progress reports while the interpreter's lock is released.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <functional>

#include "../counting/pool.hpp"
#include "../search/control.hpp"

namespace mahc {

namespace nb = nanobind;

// Set by any thread, read by the search without the interpreter's lock.
class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  const std::atomic<bool>& flag() const { return cancelled_; }

 private:
  std::atomic<bool> cancelled_{false};
};

// The core's view of a `mahc.engine.RunControl`, or of None: no limits. The Python object must outlive it.
// `should_stop` is called under the interpreter's lock, which is where Ctrl-C is noticed. Where the time
// limit does not apply, `limited` is false.
inline Control make_control(const nb::object& control, bool limited = true) {
  if (control.is_none()) return Control(1e18, {}, nullptr);
  const nb::object should_stop = control.attr("should_stop");
  const auto ask = [should_stop](std::size_t steps, double score) {
    nb::gil_scoped_acquire lock;
    return nb::cast<bool>(should_stop(steps, score));
  };
  const double seconds_left = limited ? nb::cast<double>(control.attr("seconds_left")()) : 1e18;
  return Control(seconds_left, ask, &nb::cast<const CancelToken&>(control.attr("token")).flag());
}

// While it lives, the long batches of this thread check the control.
class StopChecks {
 public:
  explicit StopChecks(Control& control) : poll_([&control] { return control.stop(); }) {}

 private:
  Poll poll_;
};

}  // namespace mahc
