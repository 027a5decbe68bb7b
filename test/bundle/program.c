/* The same from C: no C++ in sight. */
#include "test_kernels_c.h"

#include <stdio.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if ((call) != TESSERA_OK) {                                                                                        \
      fprintf(stderr, "error: %s\n", tessera_error());                                                                 \
      return 2;                                                                                                        \
    }                                                                                                                  \
  } while (0)

enum { COUNT = 1000 };

int main(int argc, char **argv) {
  static float x[COUNT], y[COUNT], sums[COUNT];
  for (int i = 0; i != COUNT; ++i) {
    x[i] = (float)i;
    y[i] = 0.5f;
  }
  tessera_device *device = NULL;
  CHECK(tessera_open_device(argc > 1 ? argv[1] : "cpu", &device));
  tessera_bundle *bundle = NULL;
  if (argc > 2)
    CHECK(tessera_load_bundle(argv[2], &bundle));
  else
    CHECK(test_kernels_bundle(&bundle));
  CHECK(tessera_preload(bundle, device));
  const tessera_queue queue = {device, NULL};

  void *memory[3];
  for (int i = 0; i != 3; ++i)
    CHECK(tessera_allocate(device, sizeof x, &memory[i]));
  CHECK(tessera_write(queue, memory[0], x, sizeof x));
  CHECK(tessera_write(queue, memory[1], y, sizeof y));
  const int64_t block = test_kernels_vector_add_f32_block;
  const tessera_grid grid = {(COUNT + block - 1) / block, 1, 1};
  CHECK(test_kernels_vector_add_f32(bundle, queue, grid, memory[0], memory[1], memory[2], COUNT));
  CHECK(tessera_read(queue, sums, memory[2], sizeof sums));
  for (int i = 0; i != COUNT; ++i)
    if (sums[i] != x[i] + 0.5f) {
      fprintf(stderr, "wrong: element %d is %g\n", i, sums[i]);
      return 1;
    }

  /* Zeroed memory comes with its size. */
  int32_t counts[2] = {7, 7};
  CHECK(test_kernels_count_signs_f32_i32(bundle, queue, grid, memory[0], memory[2], 2, 64));
  CHECK(tessera_read(queue, counts, memory[2], sizeof counts));
  if (counts[0] != 0 || counts[1] != 64) {
    fprintf(stderr, "wrong: counts %d %d\n", (int)counts[0], (int)counts[1]);
    return 1;
  }
  if (test_kernels_vector_add_f32(bundle, queue, grid, NULL, memory[1], memory[2], COUNT) != TESSERA_USAGE_ERROR) {
    fprintf(stderr, "wrong: a null pointer was taken\n");
    return 1;
  }
  for (int i = 0; i != 3; ++i)
    tessera_free(device, memory[i]);
  printf("all right on %s\n", tessera_device_name(device));
  return 0;
}
