// The level that every machine has.
#include "kernels.inl"

namespace mahc {
constinit const Kernels kScalarKernels = plain_kernels("scalar", 0.9, 0.55, 4.0);
}  // namespace mahc
