//===- CountedCalls.cpp - how often code allocates and locks ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/CountedCalls.h"

#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <pthread.h>

static thread_local bool counting = false;
static thread_local tessera::test::Calls calls;

void tessera::test::startCounting() {
  calls = {};
  counting = true;
}
tessera::test::Calls tessera::test::stopCounting() {
  counting = false;
  return calls;
}

static void *allocate(std::size_t size, std::size_t align) noexcept {
  calls.allocations += counting;
  return align <= alignof(std::max_align_t) ? std::malloc(size ? size : 1)
                                            : std::aligned_alloc(align, (size + align - 1) / align * align);
}
static void *allocateOrThrow(std::size_t size, std::size_t align) {
  if (void *memory = allocate(size, align))
    return memory;
  throw std::bad_alloc();
}

// All forms, so that none is another library's.
void *operator new(std::size_t size) { return allocateOrThrow(size, 1); }
void *operator new(std::size_t size, std::align_val_t align) { return allocateOrThrow(size, std::size_t(align)); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return allocate(size, 1); }
void *operator new(std::size_t size, std::align_val_t align, const std::nothrow_t &) noexcept {
  return allocate(size, std::size_t(align));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, const std::nothrow_t &) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t, const std::nothrow_t &) noexcept { std::free(memory); }

// Visible to the library, which is linked to it by name.
extern "C" [[gnu::visibility("default")]] int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t *);
  static const Lock real = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  calls.locks += counting;
  return real(mutex);
}
