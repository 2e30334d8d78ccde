// A pool of threads that is kept alive between batches; work is handed out task by task.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>
#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace mahc {

// Thrown through a batch when the caller asked to stop; the batch's results are not complete.
struct Stopped {};

class Pool {
 public:
  explicit Pool(unsigned threads) : threads_(threads < 1 ? 1 : threads) {}
  ~Pool() { join(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned threads() const { return threads_; }

  // Asked now and then by the calling thread; when it answers true, run() throws Stopped.
  std::function<bool()> poll;

  // Runs task(index, thread) for every index; the caller works too, as thread 0.
  void run(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& task) {
    if (threads_ == 1 || tasks < 2) {
      for (std::size_t i = 0; i < tasks; ++i) {
        task(i, 0);
        if (poll && poll()) throw Stopped{};
      }
      return;
    }
    start();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      task_ = &task;
      tasks_ = tasks;
      next_ = 0;
      stop_batch_ = false;
      failure_ = nullptr;
      busy_ = static_cast<unsigned>(workers_.size());
      ++batch_;
    }
    wake_.notify_all();
    work(0);
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
    if (stop_batch_) throw Stopped{};
  }

 private:
  void start() {
#if !defined(_WIN32)
    // After a fork the threads are gone though their handles remain: forget those and begin anew.
    if (!workers_.empty() && owner_ != getpid()) {
      for (auto& worker : workers_) worker.detach();
      workers_.clear();
    }
    owner_ = getpid();
#endif
    while (workers_.size() + 1 < threads_) {
      const unsigned id = static_cast<unsigned>(workers_.size()) + 1;
      workers_.emplace_back([this, id, seen = batch_] { loop(id, seen); });
    }
  }

  void loop(unsigned id, std::size_t seen) {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return quit_ || batch_ != seen; });
      if (quit_) return;
      seen = batch_;
      lock.unlock();
      work(id);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  void work(unsigned id) {
    try {
      for (std::size_t i = next_++; i < tasks_ && !stop_batch_; i = next_++) {
        (*task_)(i, id);
        if (id == 0 && poll && poll()) stop_batch_ = true;
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_batch_ = true;
    }
  }

  void join() {
#if !defined(_WIN32)
    if (!workers_.empty() && owner_ != getpid()) {
      for (auto& worker : workers_) worker.detach();
      return;
    }
#endif
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      quit_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  unsigned threads_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t, unsigned)>* task_ = nullptr;
  std::size_t tasks_ = 0, batch_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_batch_{false};
  std::exception_ptr failure_;
  unsigned busy_ = 0;
  bool quit_ = false;
#if !defined(_WIN32)
  pid_t owner_ = 0;
#endif
};

}  // namespace mahc
