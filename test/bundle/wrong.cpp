// Arguments of other types than the bundle's kernel takes.
#include "test_kernels.h"

void wrong(const tessera::Device &device, tessera::Buffer<tessera::f16> &x, tessera::Buffer<tessera::f32> &out) {
  test_kernels::vector_add_f32.launch(device, 1, x, x, out, 1);
}
