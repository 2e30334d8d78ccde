// Which kernels this machine can run.
#include <initializer_list>

#include "kernels.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace mahc {
namespace {

#if defined(MAHC_HAS_AVX2) || defined(MAHC_HAS_AVX512)
bool machine_has(Level level) {
#if defined(_MSC_VER) && !defined(__clang__)
  int one[4], seven[4];
  __cpuidex(one, 1, 0);
  __cpuidex(seven, 7, 0);
  const bool saved = (one[2] >> 27 & 1) != 0;  // OSXSAVE: the system keeps the wide registers
  const unsigned long long kept = saved ? _xgetbv(0) : 0;
  const bool avx2 = (kept & 6) == 6 && (seven[1] >> 5 & 1) != 0 && (one[2] >> 23 & 1) != 0;
  if (level == Level::avx2) return avx2;
  return avx2 && (kept & 0xe6) == 0xe6 && (seven[1] >> 16 & 1) != 0 && (seven[1] >> 17 & 1) != 0 &&
         (seven[1] >> 30 & 1) != 0 && (seven[1] >> 31 & 1) != 0 && (seven[2] >> 14 & 1) != 0;
#else
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
  if (level == Level::avx2) return avx2;
  return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vpopcntdq");
#endif
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
