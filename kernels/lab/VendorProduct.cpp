//===- VendorProduct.cpp - products by a library that is there -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/VendorProduct.h"

#include <dlfcn.h>
#include <initializer_list>
#include <limits>
#include <optional>

namespace tessera::kernels::lab {

VendorLibrary::~VendorLibrary() = default;

/// The first of \p names that can be opened, which stays open: such libraries have threads of their own.
static void *openFirst(std::initializer_list<const char *> names, std::string &why) {
  for (const char *name : names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  why = std::string(*names.begin()) + " is not installed where the loader looks";
  return nullptr;
}

/// Sizes as these libraries take them.
static int sizeOf(std::int64_t number) {
  if (number > std::numeric_limits<int>::max())
    throw UsageError("the vendor's library takes sizes of up to 2^31 - 1, not " + std::to_string(number));
  return static_cast<int>(number);
}

template <class Function> static bool find(void *library, Function *&function, const char *symbol, std::string &why) {
  function = reinterpret_cast<Function *>(dlsym(library, symbol));
  if (!function)
    why = std::string("the library has no ") + symbol;
  return function != nullptr;
}

namespace {

//===--- cuBLAS --------------------------------------------------------------===//

/// cudaDataType_t.
std::optional<int> cudaType(DType type) {
  switch (type.kind) {
  case Kind::F32:
    return 0;
  case Kind::F64:
    return 1;
  case Kind::F16:
    return 2;
  case Kind::BF16:
    return 14;
  default:
    return std::nullopt;
  }
}

/// Row-major matrices are column-major ones transposed, so that out' = b' * a' is what it is asked for.
class Cublas final : public VendorLibrary {
public:
  static std::unique_ptr<VendorLibrary> open(std::string &why) {
    auto opened = std::make_unique<Cublas>();
    void *library =
        openFirst({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "/usr/local/cuda/lib64/libcublas.so"}, why);
    int (*create)(void **) = nullptr;
    if (!library || !find(library, create, "cublasCreate_v2", why) ||
        !find(library, opened->destroy, "cublasDestroy_v2", why) ||
        !find(library, opened->version, "cublasGetVersion_v2", why) ||
        !find(library, opened->gemm, "cublasGemmEx", why))
      return nullptr;
    if (const int code = create(&opened->handle)) {
      opened->handle = nullptr;
      why = "cublasCreate failed with " + std::to_string(code);
      return nullptr;
    }
    return opened;
  }
  ~Cublas() override {
    if (handle)
      destroy(handle);
  }

  std::string name() const override {
    int number = 0;
    return version(handle, &number) ? "cuBLAS" : "cuBLAS " + std::to_string(number);
  }
  void multiply(const VendorProduct &p) override {
    constexpr int compute32 = 68, compute64 = 70, computeTf32 = 77, anyAlgorithm = -1;
    const int type = *cudaType(p.type);
    const float one32 = 1, zero32 = 0;
    const double one64 = 1, zero64 = 0;
    const bool wide = p.type == f64;
    const void *one = &one32, *zero = &zero32;
    if (wide)
      one = &one64, zero = &zero64;
    const int code = gemm(handle, p.tb, p.ta, sizeOf(p.n), sizeOf(p.m), sizeOf(p.k), one, p.b, type, sizeOf(p.ldb), p.a,
                          type, sizeOf(p.lda), zero, p.out, type, sizeOf(p.ldc),
                          wide     ? compute64
                          : p.tf32 ? computeTf32
                                   : compute32,
                          anyAlgorithm);
    if (code)
      throw DeviceError("cublasGemmEx failed with " + std::to_string(code));
  }

private:
  void *handle = nullptr;
  int (*destroy)(void *) = nullptr;
  int (*version)(void *, int *) = nullptr;
  int (*gemm)(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int,
              const void *, void *, int, int, int, int) = nullptr;
};

//===--- OpenBLAS ------------------------------------------------------------===//

class OpenBlas final : public VendorLibrary {
public:
  static std::unique_ptr<VendorLibrary> open(std::string &why) {
    auto opened = std::make_unique<OpenBlas>();
    void *library = openFirst({"libopenblas.so.0", "libopenblas.so"}, why);
    if (!library || !find(library, opened->sgemm, "cblas_sgemm", why) ||
        !find(library, opened->dgemm, "cblas_dgemm", why))
      return nullptr;
    return opened;
  }

  std::string name() const override { return "OpenBLAS"; }
  void multiply(const VendorProduct &p) override {
    if (p.type == f64)
      call<double>(dgemm, p);
    else
      call<float>(sgemm, p);
  }

private:
  template <class T>
  using Gemm = void(int order, int ta, int tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb,
                    T beta, T *c, int ldc);

  template <class T> static void call(Gemm<T> *gemm, const VendorProduct &p) {
    constexpr int rowMajor = 101, plain = 111, transposed = 112;
    gemm(rowMajor, p.ta ? transposed : plain, p.tb ? transposed : plain, sizeOf(p.m), sizeOf(p.n), sizeOf(p.k), T(1),
         static_cast<const T *>(p.a), sizeOf(p.lda), static_cast<const T *>(p.b), sizeOf(p.ldb), T(0),
         static_cast<T *>(p.out), sizeOf(p.ldc));
  }

  Gemm<float> *sgemm = nullptr;
  Gemm<double> *dgemm = nullptr;
};

} // namespace

std::unique_ptr<VendorLibrary> VendorLibrary::open(const Device &device, DType type, std::string &why) {
  const auto none = [&](const std::string &words) {
    why = words;
    return nullptr;
  };
  if (device.name() == "cuda:0") // the one that the library takes by itself
    return cudaType(type) ? Cublas::open(why) : none("cuBLAS multiplies no " + type.name() + " in this way");
  if (device.name() == "cpu")
    return type == f32 || type == f64 ? OpenBlas::open(why)
                                      : none("OpenBLAS multiplies f32 and f64, no " + type.name());
  return none("none is known for device " + device.name());
}

} // namespace tessera::kernels::lab
