// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/worker_pool.h"

#include <algorithm>
#include <new>
#include <ranges>
#include <system_error>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/thread.h"

namespace seda::pipeline {
namespace {

std::exception_ptr make_error(ErrorKind kind, const std::string& stage, const char* message) {
  return std::make_exception_ptr(Error(kind, fmt::format("{}: {}", stage, message)));
}

/// What is being caught, with the stage's name in front.
std::exception_ptr current_error_of(const std::string& stage) {
  try {
    throw;
  } catch (const Error& error) {
    return make_error(error.kind(), stage, error.what());
  } catch (const std::bad_alloc&) {
    return make_error(ErrorKind::memory, stage, "the machine has no memory left");
  } catch (const std::exception& error) {
    return make_error(ErrorKind::internal, stage, error.what());
  } catch (...) {
    return make_error(ErrorKind::internal, stage, "an exception of unknown type");
  }
}

}  // namespace

WorkerPool::WorkerPool(Empty /*empty*/, WorkerPoolOptions options, const Clock& clock, Body body)
    : options_(std::move(options)), body_(std::move(body)), recorder_(clock) {}

// Through the other, so that a thread that cannot be started ends those that were.
WorkerPool::WorkerPool(WorkerPoolOptions options, const Clock& clock, Body body)
    : WorkerPool(Empty{}, std::move(options), clock, std::move(body)) {
  resize(options_.workers);
}

WorkerPool::~WorkerPool() {
  stop();
  wait();
}

void WorkerPool::resize(int workers) {
  if (workers < 1) {
    throw_error(ErrorKind::internal, "{}: a stage needs a worker, not {}", options_.name, workers);
  }
  Seats ended;  // joined after the lock is given back
  const MutexLock lock(mutex_);
  if (out_of_work_ || stop_.stop_requested()) return;
  ended = take_ended();
  while (staying() > workers)
    dismiss_one();
  while (staying() < workers)
    start_one();
}

int WorkerPool::size() const {
  const MutexLock lock(mutex_);
  return staying();
}

void WorkerPool::stop() {
  stop_.request_stop();
  const MutexLock lock(mutex_);
  for (const auto& seat : seats_)
    seat->thread.request_stop();
}

void WorkerPool::wait() {
  Seats ended;
  const MutexLock lock(mutex_);
  while (alive_ > 0)
    worker_ended_.wait(mutex_);
  ended = take_ended();
}

void WorkerPool::join() {
  wait();
  check();
}

void WorkerPool::check() const {
  const MutexLock lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

void WorkerPool::start_one() {
  const int index = free_index();
  const auto& seat = seats_.emplace_back(std::make_unique<Seat>());
  seat->index = index;
  try {
    seat->thread = std::jthread(
        [this, &place = *seat](const std::stop_token& leaving) { run(place, leaving); });
  } catch (const std::system_error& error) {
    seats_.pop_back();
    throw_error(ErrorKind::unavailable, "{}: no thread could be started beside {}: {}",
                options_.name, alive_, error.what());
  }
  ++alive_;
}

void WorkerPool::dismiss_one() {
  const auto is_staying = [](const auto& seat) { return !seat->leaving && !seat->ended; };
  auto newest_first = std::views::reverse(seats_);
  const auto& newest = *std::ranges::find_if(newest_first, is_staying);
  newest->leaving = true;
  newest->thread.request_stop();
}

int WorkerPool::staying() const {
  return static_cast<int>(std::ranges::count_if(
      seats_, [](const auto& seat) { return !seat->leaving && !seat->ended; }));
}

int WorkerPool::free_index() const {
  int index = 0;
  const auto is_taken = [&](const auto& seat) { return seat->index == index; };
  while (std::ranges::any_of(seats_, is_taken))
    ++index;
  return index;
}

WorkerPool::Seats WorkerPool::take_ended() {
  Seats ended;
  for (auto& seat : seats_) {
    if (seat->ended) ended.push_back(std::move(seat));
  }
  std::erase(seats_, nullptr);
  return ended;
}

void WorkerPool::run(Seat& seat, const std::stop_token& leaving) {
  set_thread_name(fmt::format("{}-{}", options_.name, seat.index));
  Worker worker{.index = seat.index,
                .leaving = leaving,
                .stopping = stop_.get_token(),
                .statistics = recorder_};
  bool out_of_work = false;
  try {
    out_of_work = work(worker);
  } catch (...) {
    fail(current_error_of(options_.name));
  }
  end(seat, out_of_work);
}

/// Whether it ended for want of work. One that is leaving cannot tell: its body may have returned
/// false for being asked to.
bool WorkerPool::work(Worker& worker) {
  const ActivityScope busy(recorder_, Activity::busy);
  while (!worker.leaving.stop_requested()) {
    if (!body_(worker)) return !worker.leaving.stop_requested();
  }
  return false;
}

void WorkerPool::end(Seat& seat, bool out_of_work) {
  bool is_last = false;
  std::exception_ptr error;
  {
    const MutexLock lock(mutex_);
    out_of_work_ = out_of_work_ || out_of_work;
    seat.ended = true;
    is_last = --alive_ == 0;
    error = error_;
    worker_ended_.notify_all();
  }
  if (is_last && options_.when_done) options_.when_done(error);  // whoever joins waits for it
}

void WorkerPool::fail(std::exception_ptr error) {
  {
    const MutexLock lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  stop();
}

}  // namespace seda::pipeline
