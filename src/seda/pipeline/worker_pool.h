// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/mutex.h"
#include "seda/pipeline/stage_statistics.h"

namespace seda::pipeline {

/// What the body of a stage is given by the thread that runs it.
struct Worker {
  int index = 0;              ///< Unlike that of every other worker there is now.
  std::stop_token leaving;    ///< For waits for work: this worker, or the pool, is to end.
  std::stop_token stopping;   ///< For waits with an item in hand: the pool is to end.
  StageRecorder& statistics;  ///< The body says when it waits; else it counts as busy.
};

struct WorkerPoolOptions {
  std::string name;  ///< Of the stage. Threads are called `<name>-0`, `<name>-1`, …
  int workers = 1;

  /// Called once, by the last worker to end, whatever ended it, with the pool's error or null: the
  /// place to close, or fail, what the stage writes to. Must not throw.
  std::function<void(const std::exception_ptr& error)> when_done;
};

/// Threads that run the body of one stage again and again.
///
/// A worker runs until the body returns false (there is no more work), until it is taken away, or
/// until the pool stops; it always finishes the call it is in. The first exception stops the pool;
/// `join` and `check` throw it as an Error of the same kind that begins with the stage's name (a
/// std::bad_alloc as `memory`, others as `internal`). Its end stops and joins; no thread is left.
///
/// Thread-safe, but none of it is for the body. `clock` and what the body uses outlive it.
class WorkerPool {
 public:
  using Body = std::function<bool(Worker&)>;

  WorkerPool(WorkerPoolOptions options, const Clock& clock, Body body);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Makes it `workers` (at least 1, else Error(internal)). Those taken away, the newest first, end
  /// on their own time. Does nothing once a body returned false or the pool was stopped.
  /// Error(unavailable) where the system gives no thread; those started stay.
  void resize(int workers);
  /// Workers at work that are not leaving.
  int size() const;

  /// Asks all workers to end; does not wait. Again is harmless.
  void stop();
  /// Waits until all have ended. Stops nothing by itself.
  void wait();
  /// The same, then `check`.
  void join();
  /// Throws what the first worker that failed threw.
  void check() const;

  /// Requested when the pool is stopped or has failed: for whoever waits for its results.
  std::stop_token stop_token() const { return stop_.get_token(); }
  StageStatistics statistics() const { return recorder_.snapshot(); }
  const std::string& name() const noexcept { return options_.name; }

 private:
  /// A worker's place; ends when its thread was joined.
  struct Seat {
    int index = 0;
    bool leaving = false;
    bool ended = false;
    std::jthread thread;
  };
  using Seats = std::vector<std::unique_ptr<Seat>>;
  struct Empty {};

  WorkerPool(Empty empty, WorkerPoolOptions options, const Clock& clock, Body body);

  void start_one() SEDA_REQUIRES(mutex_);
  void dismiss_one() SEDA_REQUIRES(mutex_);
  int staying() const SEDA_REQUIRES(mutex_);
  int free_index() const SEDA_REQUIRES(mutex_);
  Seats take_ended() SEDA_REQUIRES(mutex_);

  void run(Seat& seat, const std::stop_token& leaving);
  bool work(Worker& worker);
  void end(Seat& seat, bool out_of_work);
  void fail(std::exception_ptr error);

  const WorkerPoolOptions options_;
  const Body body_;
  StageRecorder recorder_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  Condition worker_ended_;
  int alive_ SEDA_GUARDED_BY(mutex_) = 0;
  bool out_of_work_ SEDA_GUARDED_BY(mutex_) = false;
  std::exception_ptr error_ SEDA_GUARDED_BY(mutex_);
  Seats seats_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::pipeline
