// SPDX-License-Identifier: Apache-2.0
#include "tests/support/allocations.h"

#include <cstdlib>
#include <new>

namespace {

thread_local constinit seda::testing_support::Allocations counted;

void* allocate(size_t size, size_t alignment) {
  ++counted.count;
  counted.bytes += size;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, size) != 0) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

namespace seda::testing_support {

Allocations allocations() noexcept {
  return counted;
}

}  // namespace seda::testing_support
