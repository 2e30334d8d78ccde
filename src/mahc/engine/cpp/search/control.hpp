// Time limit, interruption and progress, looked at now and then.
#pragma once
#include <chrono>
#include <functional>
#include <limits>

#include "space.hpp"

namespace mahc {

class Control {
 public:
  // `ask(steps, own score)` is called at most twenty times a second and answers whether to stop.
  Control(double seconds_left, std::function<bool(std::size_t, double)> ask)
      : start_(Clock::now()), last_asked_(start_), seconds_left_(seconds_left), ask_(std::move(ask)) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  bool stop() {
    if (stopped_) return true;
    const auto now = Clock::now();
    if (std::chrono::duration<double>(now - start_).count() > seconds_left_) {
      stopped_ = true;
      reason_ = StopReason::time_limit;
    } else if (ask_ && now - last_asked_ > std::chrono::milliseconds(50)) {
      last_asked_ = now;
      if (ask_(steps, own)) {
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
  std::function<bool(std::size_t, double)> ask_;
  bool stopped_ = false;
  StopReason reason_ = StopReason::converged;
};

}  // namespace mahc
