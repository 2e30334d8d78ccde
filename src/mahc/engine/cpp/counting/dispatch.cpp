// Which kernels this machine can run.
#include <initializer_list>

#include "kernels.hpp"

#if defined(MAHC_HAS_AVX2) || defined(MAHC_HAS_AVX512)
#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <cpuid.h>
#endif
#endif

namespace mahc {
namespace {

#if defined(MAHC_HAS_AVX2) || defined(MAHC_HAS_AVX512)
// What the processor reports in EBX and ECX of a leaf of `cpuid`; nothing of a leaf that it does not know.
// __builtin_cpu_supports says it shorter, but needs a run-time library that zig does not have.
struct Leaf {
  unsigned b = 0, c = 0;

  explicit Leaf(unsigned number) {
#if defined(_MSC_VER)
    int most[4], found[4];
    __cpuid(most, 0);
    if (static_cast<unsigned>(most[0]) < number) return;
    __cpuidex(found, static_cast<int>(number), 0);
    b = static_cast<unsigned>(found[1]), c = static_cast<unsigned>(found[2]);
#else
    unsigned a = 0, d = 0;
    if (__get_cpuid_count(number, 0, &a, &b, &c, &d) == 0) b = c = 0;
#endif
  }
};

bool all(unsigned word, std::initializer_list<int> bits) {
  for (const int bit : bits) {
    if ((word >> bit & 1) == 0) return false;
  }
  return true;
}

// The registers that the system keeps for each thread (XCR0).
unsigned kept_registers() {
#if defined(_MSC_VER)
  return static_cast<unsigned>(_xgetbv(0));
#else
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
#endif
}

bool machine_has(Level level) {
  const Leaf one(1), seven(7);
  if (!all(one.c, {23, 27})) return false;  // POPCNT, OSXSAVE
  const unsigned kept = kept_registers();
  if (!all(kept, {1, 2}) || !all(seven.b, {3, 5, 8})) return false;  // XMM, YMM; BMI1, AVX2, BMI2
  if (level == Level::avx2) return true;
  return all(kept, {5, 6, 7}) && all(seven.b, {16, 17, 30, 31}) &&
         all(seven.c, {14});  // F, DQ, BW, VL; VPOPCNTDQ
}
#endif

}  // namespace

const Kernels* kernels_at(Level level) {
  switch (level) {
    case Level::scalar:
      return &kScalarKernels;
#if defined(MAHC_HAS_AVX2)
    case Level::avx2:
      return machine_has(level) ? &kAvx2Kernels : nullptr;
#endif
#if defined(MAHC_HAS_AVX512)
    case Level::avx512:
      return machine_has(level) ? &kAvx512Kernels : nullptr;
#endif
    default:  // neon: not written; there the scalar loops already compile to NEON's own popcount
      return nullptr;
  }
}

const Kernels& best_kernels() {
  for (const Level level : {Level::avx512, Level::avx2}) {
    if (const Kernels* found = kernels_at(level)) return *found;
  }
  return kScalarKernels;
}

}  // namespace mahc
