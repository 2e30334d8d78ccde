// AVX-512 with VPOPCNTDQ: compiled with those flags, the plain popcount loops become vector popcounts.
#include "kernels.inl"

namespace mahc {
constinit const Kernels kAvx512Kernels = plain_kernels("avx512", 0.08, 0.5, 2.0);
}  // namespace mahc
