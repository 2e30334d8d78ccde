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
// `should_stop` is called under the interpreter's lock, which is where Ctrl-C is noticed. Where `limited` is
// false, only the token stops the work: limits of time and memory do not apply.
inline Control make_control(const nb::object& control, bool limited = true) {
  if (control.is_none()) return Control(1e18, {}, nullptr);
  const nb::object should_stop = control.attr("should_stop");
  const std::atomic<bool>* const cancelled = &nb::cast<const CancelToken&>(control.attr("token")).flag();
  const auto ask = [should_stop, limited, cancelled](std::size_t steps, double score) {
    nb::gil_scoped_acquire lock;
    const bool stop = nb::cast<bool>(should_stop(steps, score));
    return limited ? stop : cancelled->load(std::memory_order_relaxed);
  };
  const double seconds_left = limited ? nb::cast<double>(control.attr("seconds_left")()) : 1e18;
  return Control(seconds_left, ask, cancelled);
}

// While it lives, the long batches of this thread check the control.
class StopChecks {
 public:
  explicit StopChecks(Control& control) : poll_([&control] { return control.stop(); }) {}

 private:
  Poll poll_;
};

}  // namespace mahc
