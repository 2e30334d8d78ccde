// A pool of threads that is kept alive between batches; work is handed out task by task.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>
#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace mahc {

// Thrown through a batch when the caller requested a stop; the batch's results are not complete.
struct Stopped {};

// Called now and then by a thread that waits for its batch; when it returns true, the batch throws Stopped.
// Each thread has its own, so that threads which share a pool do not see each other's.
class Poll {
 public:
  using Function = std::function<bool()>;

  explicit Poll(Function function) : function_(std::move(function)), before_(current()) {
    current() = &function_;
  }
  ~Poll() { current() = before_; }
  Poll(const Poll&) = delete;
  Poll& operator=(const Poll&) = delete;

  static bool wants_stop() { return current() != nullptr && (*current())(); }

 private:
  static Function*& current() {
    static thread_local Function* function = nullptr;
    return function;
  }

  Function function_;
  Function* before_;
};

class Pool {
 public:
  explicit Pool(unsigned threads)
      : threads_(std::clamp(threads, 1U, kMostThreads)), crew_(std::make_unique<Crew>()) {}
  ~Pool() {
    if (forked()) crew_.release();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned threads() const { return threads_; }

  // Runs task(index, thread) for every index; the caller works too, as thread 0. Callers from several threads
  // take turns, so what a task keeps per thread is never shared. A task must not call run() itself. With
  // `alone` the caller does all the work, which is faster where there is little: waking a thread takes time.
  void run(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& task, bool alone = false) {
    // After a fork the threads are gone, though their handles and the condition they wait for remain and can
    // be neither used nor destroyed: leave them behind and begin anew.
    if (forked()) {
      crew_.release();
      crew_ = std::make_unique<Crew>();
    }
    const std::lock_guard<std::mutex> turn(crew_->turn);
    if (threads_ == 1 || tasks < 2 || alone) {
      for (std::size_t i = 0; i < tasks; ++i) {
        task(i, 0);
        if (Poll::wants_stop()) throw Stopped{};
      }
      return;
    }
    crew_->hire(std::min<std::size_t>(threads_, tasks) - 1);
    crew_->run(tasks, task);
  }

 private:
  static constexpr unsigned kMostThreads = 4096;  // callers keep something for each

  class Crew {
   public:
    ~Crew() {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        quit_ = true;
      }
      wake_.notify_all();
      for (auto& worker : workers_) worker.join();
    }

    std::mutex turn;
#if !defined(_WIN32)
    const pid_t owner = getpid();
#endif

    // The system may give fewer threads than requested: the caller and those share the work.
    void hire(std::size_t wanted) {
      try {
        while (workers_.size() < wanted) {
          const unsigned id = static_cast<unsigned>(workers_.size()) + 1;
          workers_.emplace_back([this, id, seen = batch_] { loop(id, seen); });
        }
      } catch (const std::system_error&) {
      }
    }

    void run(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& task) {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        task_ = &task;
        tasks_ = tasks;
        next_ = 0;
        stop_batch_ = stopped_ = false;
        failure_ = nullptr;
        busy_ = workers_.size();
        ++batch_;
      }
      wake_.notify_all();
      work(0, true);
      std::unique_lock<std::mutex> lock(mutex_);
      done_.wait(lock, [this] { return busy_ == 0; });
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      if (stopped_) throw Stopped{};
    }

   private:
    void loop(unsigned id, std::size_t seen) {
      for (;;) {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return quit_ || batch_ != seen; });
        if (quit_) return;
        seen = batch_;
        lock.unlock();
        work(id, false);
        lock.lock();
        if (--busy_ == 0) done_.notify_one();
      }
    }

    void work(unsigned id, bool calling) {
      try {
        for (std::size_t i = next_++; i < tasks_ && !stop_batch_; i = next_++) {
          (*task_)(i, id);
          if (calling && Poll::wants_stop()) stop_batch_ = stopped_ = true;
        }
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stop_batch_ = true;
      }
    }

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    const std::function<void(std::size_t, unsigned)>* task_ = nullptr;
    std::size_t tasks_ = 0, batch_ = 0, busy_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stop_batch_{false};
    bool stopped_ = false;  // the calling thread's own
    std::exception_ptr failure_;
    bool quit_ = false;
  };

  bool forked() const {
#if defined(_WIN32)
    return false;
#else
    return crew_->owner != getpid();
#endif
  }

  unsigned threads_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace mahc
