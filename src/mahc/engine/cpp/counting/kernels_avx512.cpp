// AVX-512 with VPOPCNTDQ: compiled with those flags, the plain popcount loops become vector popcounts.
#include "kernels.inl"

namespace mahc {
const Kernels kAvx512Kernels = {
    "avx512",
    0.08,
    0.5,
    popcount_product_plain,
    and_into_plain,
    bitmaps_u8_plain,
    compose_u8_plain,
    compose_u16_plain,
    compose_u32_plain,
    compose_short_plain,
    compose_two_plain,
    histogram_short_plain,
    histogram_long_plain,
};
}  // namespace mahc
