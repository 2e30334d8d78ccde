// The level that every machine has.
#include "kernels.inl"

namespace mahc {
const Kernels kScalarKernels = {
    "scalar",
    0.9,
    0.55,
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
