// Time limit, cancelling and progress, checked now and then.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>

#include "space.hpp"

namespace mahc {

class Control {
 public:
  using ShouldStop = std::function<bool(std::size_t, double)>;

  // `should_stop(steps, score)` is called at most twenty times a second. `cancelled` (may be null) is read
  // every time; any thread may set it.
  Control(double seconds_left, ShouldStop should_stop, const std::atomic<bool>* cancelled)
      : start_(Clock::now()),
        last_asked_(start_),
        seconds_left_(seconds_left),
        should_stop_(std::move(should_stop)),
        cancelled_(cancelled) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  bool stop() {
    if (stopped_) return true;
    if (cancelled_ && cancelled_->load(std::memory_order_relaxed)) {
      stopped_ = true;
      reason_ = StopReason::interrupted;
      return true;
    }
    const auto now = Clock::now();
    if (std::chrono::duration<double>(now - start_).count() > seconds_left_) {
      stopped_ = true;
      reason_ = StopReason::time_limit;
    } else if (should_stop_ && now - last_asked_ > std::chrono::milliseconds(50)) {
      last_asked_ = now;
      if (should_stop_(steps, own)) {
        stopped_ = true;
        reason_ = StopReason::interrupted;
      }
    }
    return stopped_;
  }
  StopReason reason() const { return reason_; }

  std::size_t steps = 0;
  double own = std::numeric_limits<double>::quiet_NaN();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_, last_asked_;
  double seconds_left_;
  ShouldStop should_stop_;
  const std::atomic<bool>* cancelled_;
  bool stopped_ = false;
  StopReason reason_ = StopReason::converged;
};

}  // namespace mahc
