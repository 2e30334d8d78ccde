// AVX2: popcounts by table look-up in registers (4-bit halves through a byte shuffle), summed as bytes.
#include <immintrin.h>

#include "kernels.inl"

namespace mahc {
namespace {

inline __m256i popcount_bytes(__m256i x) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2,
                                         3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(0x0f);
  const __m256i halves = _mm256_shuffle_epi8(table, _mm256_and_si256(x, low));
  const __m256i others = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low));
  return _mm256_add_epi8(halves, others);
}

inline std::uint32_t sum_lanes(__m256i x) {
  const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1));
}

inline __m256i load(const std::uint64_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

// A strip of Right columns against one left row; bytes hold at most 8 a step, so 31 steps before they spill.
template <int Right>
inline void product_strip(const std::uint64_t* a, const std::uint64_t* const* b, std::size_t words,
                          std::uint32_t* out) {
  __m256i total[Right];
  for (int j = 0; j < Right; ++j) total[j] = _mm256_setzero_si256();
  const std::size_t vectors = words / 4;
  for (std::size_t start = 0; start < vectors; start += 31) {
    const std::size_t stop = start + 31 < vectors ? start + 31 : vectors;
    __m256i bytes[Right];
    for (int j = 0; j < Right; ++j) bytes[j] = _mm256_setzero_si256();
    for (std::size_t w = start; w < stop; ++w) {
      const __m256i x = load(a + 4 * w);
      for (int j = 0; j < Right; ++j) {
        bytes[j] = _mm256_add_epi8(bytes[j], popcount_bytes(_mm256_and_si256(x, load(b[j] + 4 * w))));
      }
    }
    for (int j = 0; j < Right; ++j) {
      total[j] = _mm256_add_epi64(total[j], _mm256_sad_epu8(bytes[j], _mm256_setzero_si256()));
    }
  }
  for (int j = 0; j < Right; ++j) {
    std::uint32_t n = sum_lanes(total[j]);
    for (std::size_t w = vectors * 4; w < words; ++w) n += popcount_word(a[w] & b[j][w]);
    out[j] += n;
  }
}

// The strip stays in the L1 cache while the left-hand vectors pass.
template <int Right>
inline void product_strips(const std::uint64_t* const* left, std::size_t left_count,
                           const std::uint64_t* const* right, std::size_t first, std::size_t words,
                           std::uint32_t* const* out) {
  for (std::size_t i = 0; i < left_count; ++i) {
    product_strip<Right>(left[i], right + first, words, out[i] + first);
  }
}

void popcount_product_avx2(const std::uint64_t* const* left, std::size_t left_count,
                           const std::uint64_t* const* right, std::size_t right_count, std::size_t words,
                           std::uint32_t* const* out) {
  std::size_t j = 0;
  for (; j + 4 <= right_count; j += 4) product_strips<4>(left, left_count, right, j, words, out);
  if (right_count - j == 3) product_strips<3>(left, left_count, right, j, words, out);
  if (right_count - j == 2) product_strips<2>(left, left_count, right, j, words, out);
  if (right_count - j == 1) product_strips<1>(left, left_count, right, j, words, out);
}

void bitmaps_u8_avx2(const std::uint8_t* codes, std::size_t rows, std::uint32_t states, std::uint64_t* bits,
                     std::size_t stride) {
  const std::size_t whole = rows / 64;
  for (std::size_t w = 0; w < whole; ++w) {
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 64 * w));
    const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 64 * w + 32));
    for (std::uint32_t s = 0; s < states; ++s) {
      const __m256i want = _mm256_set1_epi8(static_cast<char>(s));
      const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, want)));
      const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, want)));
      bits[s * stride + w] = low | static_cast<std::uint64_t>(high) << 32;
    }
  }
  for (std::size_t i = whole * 64; i < rows; ++i) {
    bits[codes[i] * stride + (i >> 6)] |= std::uint64_t{1} << (i & 63);
  }
}

constexpr Kernels avx2_kernels() {
  Kernels kernels = plain_kernels("avx2", 0.2, 0.5, 2.0);
  kernels.popcount_product = popcount_product_avx2;
  kernels.bitmaps_u8 = bitmaps_u8_avx2;
  return kernels;
}

}  // namespace

constinit const Kernels kAvx2Kernels = avx2_kernels();

}  // namespace mahc
