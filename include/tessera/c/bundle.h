//===- bundle.h - kernels compiled ahead of time, for C --------*- C -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the C header of a bundle is built on, in C99 and C++. Functions that may fail return a tessera_status;
// tessera_error() then tells what went wrong, in the calling thread. Any thread may call. Devices and bundles live as
// long as the process.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_C_BUNDLE_H
#define TESSERA_C_BUNDLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_C_API __attribute__((visibility("default")))

typedef enum tessera_status {
  TESSERA_OK = 0,
  TESSERA_USAGE_ERROR = 1,   /* an argument cannot be right, a file is damaged */
  TESSERA_COMPILE_ERROR = 2, /* the device is too small for the kernel */
  TESSERA_DEVICE_ERROR = 3,  /* the device or its driver refused */
  TESSERA_INTERNAL_ERROR = 4 /* a defect of this library, or no memory */
} tessera_status;

/* What the last call of this thread that failed has to say; "" before the first. Until the next call that fails. */
TESSERA_C_API const char *tessera_error(void);

typedef struct tessera_device tessera_device;
typedef struct tessera_bundle tessera_bundle;

/* Where work goes: a device, and its vendor's handle of a stream (a CUstream, a hipStream_t) or NULL for the default.
 */
typedef struct tessera_queue {
  tessera_device *device;
  void *stream;
} tessera_queue;

/* How many programs a launch runs; extents that are not used are 1. */
typedef struct tessera_grid {
  int64_t x, y, z;
} tessera_grid;

/* The device called `name` ("cuda:0", "cpu"); NULL: the one of TESSERA_DEVICE, else the best one present. */
TESSERA_C_API tessera_status tessera_open_device(const char *name, tessera_device **device);
/* Its name, and what it runs: "cuda:sm_90a". "" for NULL. */
TESSERA_C_API const char *tessera_device_name(const tessera_device *device);
TESSERA_C_API const char *tessera_device_target(const tessera_device *device);

/* Memory of the device, for those who have no other library for it. */
TESSERA_C_API tessera_status tessera_allocate(tessera_device *device, size_t bytes, void **memory);
TESSERA_C_API void tessera_free(tessera_device *device, void *memory);
/* Copies to and from the host's memory. Done when they return, and so is all work before them in the queue. */
TESSERA_C_API tessera_status tessera_write(tessera_queue queue, void *to, const void *from, size_t bytes);
TESSERA_C_API tessera_status tessera_read(tessera_queue queue, void *to, const void *from, size_t bytes);
/* Waits for the work of a queue, and tells what went wrong in it. */
TESSERA_C_API tessera_status tessera_synchronize(tessera_queue queue);

/* The bundle in a file. */
TESSERA_C_API tessera_status tessera_load_bundle(const char *path, tessera_bundle **bundle);
/* Loads all functions of a bundle onto a device, so that no launch has to. */
TESSERA_C_API tessera_status tessera_preload(tessera_bundle *bundle, tessera_device *device);

/* For generated headers. */

/* An argument: a number's bits or an address, and how many elements the address has, or -1. */
typedef struct tessera_argument {
  uint64_t bits;
  int64_t count;
} tessera_argument;

/* The bundle called `name` that is linked into the program between `begin` and `end`, which are NULL if it is not. */
TESSERA_C_API tessera_status tessera_linked_bundle(const char *name, const unsigned char *begin,
                                                   const unsigned char *end, tessera_bundle **bundle);
/* Enqueues a function of a bundle by its number; it must have `signature`. */
TESSERA_C_API tessera_status tessera_launch(const tessera_bundle *bundle, uint32_t function, uint64_t signature,
                                            tessera_queue queue, tessera_grid grid, const tessera_argument *arguments,
                                            size_t count);

static inline tessera_argument tessera_integer(uint64_t value) {
  tessera_argument argument;
  argument.bits = value;
  argument.count = -1;
  return argument;
}
static inline tessera_argument tessera_pointer(const void *address, int64_t count) {
  tessera_argument argument;
  argument.bits = (uint64_t)(uintptr_t)address;
  argument.count = count;
  return argument;
}
static inline tessera_argument tessera_float32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return tessera_integer(bits);
}
static inline tessera_argument tessera_float64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return tessera_integer(bits);
}

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_C_BUNDLE_H */
