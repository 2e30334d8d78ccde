// The inner loops that touch rows, one set per instruction-set level, chosen at run time.
#pragma once
#include <cstddef>
#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#define MAHC_RESTRICT __restrict
#else
#define MAHC_RESTRICT __restrict__
#endif

namespace mahc {

// Rows handled at a time by the index kernels: indices and keys of a block stay in the L1 cache.
inline constexpr std::size_t kIndexBlock = 4096;

// Bits that sum_bits() sums at a time.
inline constexpr std::size_t kBlockBits = 256;
inline constexpr std::size_t kBitBlockWords = kBlockBits / 64;

struct Kernels {
  const char* name;
  // Measured cost in nanoseconds: one 64-bit word of one AND + popcount; one row of one histogram; one row of
  // one block of sum_bits().
  double bitmap_word_ns;
  double histogram_row_ns;
  double block_row_ns;

  // out[i][j] += popcount(left[i] & right[j]) over `words` words.
  void (*popcount_product)(const std::uint64_t* const* left, std::size_t left_count,
                           const std::uint64_t* const* right, std::size_t right_count, std::size_t words,
                           std::uint32_t* const* out);
  // into = a & b; returns whether any bit is set.
  bool (*and_into)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words, std::uint64_t* into);
  // One bit vector per state of a column of bytes; bits[state * stride + row / 64].
  void (*bitmaps_u8)(const std::uint8_t* codes, std::size_t rows, std::uint32_t states, std::uint64_t* bits,
                     std::size_t stride);
  // index = index * states + codes, for the three widths of a column.
  void (*compose_u8)(std::uint32_t* index, const std::uint8_t* codes, std::uint32_t states, std::size_t n);
  void (*compose_u16)(std::uint32_t* index, const std::uint16_t* codes, std::uint32_t states, std::size_t n);
  void (*compose_u32)(std::uint32_t* index, const std::uint32_t* codes, std::uint32_t states, std::size_t n);
  // The same on 16-bit indices, for tables below 65,536 cells: twice as many lanes.
  void (*compose_short)(std::uint16_t* index, const std::uint8_t* codes, std::uint32_t states, std::size_t n);
  // index = first * states + second, to begin with.
  void (*compose_two)(std::uint16_t* index, const std::uint8_t* first, const std::uint8_t* second,
                      std::uint32_t states, std::size_t n);
  // Histogram of the keys index * states + codes, dealt in turn to four tables `apart` entries apart.
  void (*histogram_short)(const std::uint16_t* index, const std::uint8_t* codes, std::uint32_t states,
                          std::size_t n, std::uint32_t* table, std::size_t apart);
  // The same for keys beyond 16 bits, into one table: a table that large seldom has the same cell twice in a
  // row.
  void (*histogram_long)(const std::uint16_t* index, const std::uint8_t* codes, std::uint32_t states,
                         std::size_t n, std::uint32_t* table);
  // sums[b] = the number of listed rows, one at least, in which bit b of a block is set; rows are `stride`
  // words apart.
  void (*sum_bits)(const std::uint64_t* block, std::size_t stride, const std::uint32_t* rows,
                   std::size_t count, std::uint32_t* sums);
  // Gaussian elimination of the first rows of a symmetric matrix that is `width` wide; of each row the part
  // from the diagonal on is given and destroyed. A pivot is at least `floor`. Each element changes in the
  // same order at every level, so the bits are the same.
  void (*eliminate)(double* matrix, std::size_t rows, std::size_t width, double floor, double* pivots);
  // What eliminated rows leave of a symmetric block of `size` columns; `rows` points to the first of these
  // columns in the first of `count` rows, `width` apart.
  void (*reduce)(double* block, std::size_t size, const double* rows, std::size_t count, std::size_t width,
                 const double* pivots);
};

enum class Level { scalar = 0, avx2 = 1, avx512 = 2, neon = 3 };

// The kernels of a level, or nullptr where this build or this machine lacks it.
const Kernels* kernels_at(Level level);
const Kernels& best_kernels();

extern const Kernels kScalarKernels;
#if defined(MAHC_HAS_AVX2)
extern const Kernels kAvx2Kernels;
#endif
#if defined(MAHC_HAS_AVX512)
extern const Kernels kAvx512Kernels;
#endif

}  // namespace mahc
