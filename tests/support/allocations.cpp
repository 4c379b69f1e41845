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

// Weak: a sanitizer's own take their place.
[[gnu::weak]] void* operator new(size_t size) {
  return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
[[gnu::weak]] void* operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment));
}
[[gnu::weak]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::weak]] void operator delete(void* memory, size_t /*size*/) noexcept {
  std::free(memory);
}
[[gnu::weak]] void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::weak]] void operator delete(void* memory, size_t /*size*/,
                                   std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

namespace seda::testing_support {

Allocations allocations() noexcept {
  return counted;
}

bool allocations_are_counted() {
  const size_t before = counted.count;
  ::operator delete(::operator new(1));
  return counted.count > before;
}

}  // namespace seda::testing_support
