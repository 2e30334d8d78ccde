// Plain loops shared by all levels; each level's file is compiled with its own flags, so that the compiler
// vectorises them for it. Nothing from the standard library's templates may be used here: an inline function
// compiled for a newer machine could be the copy that the linker keeps.
#include "kernels.hpp"

#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace mahc {
namespace {

inline std::uint32_t popcount_word(std::uint64_t x) {
  // Where x86 is built without its instruction the compiler's own version is a call: twice as slow as this.
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__POPCNT__) || !defined(__x86_64__))
  return static_cast<std::uint32_t>(__builtin_popcountll(x));
#else
  x -= (x >> 1) & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<std::uint32_t>((x * 0x0101010101010101ULL) >> 56);
#endif
}

inline bool and_into_loop(const std::uint64_t* MAHC_RESTRICT a, const std::uint64_t* MAHC_RESTRICT b,
                          std::size_t words, std::uint64_t* MAHC_RESTRICT into) {
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < words; ++w) {
    into[w] = a[w] & b[w];
    any |= into[w];
  }
  return any != 0;
}

template <class Index, class Code>
inline void compose_loop(Index* MAHC_RESTRICT index, const Code* MAHC_RESTRICT codes, std::uint32_t states,
                         std::size_t n) {
  const Index scale = static_cast<Index>(states);
  for (std::size_t i = 0; i < n; ++i) {
    index[i] = static_cast<Index>(index[i] * scale + static_cast<Index>(codes[i]));
  }
}

inline void histogram_short_loop(const std::uint16_t* MAHC_RESTRICT index,
                                 const std::uint8_t* MAHC_RESTRICT codes, std::uint32_t states, std::size_t n,
                                 std::uint32_t* MAHC_RESTRICT table, std::size_t apart) {
  std::uint16_t keys[kIndexBlock];
  const std::uint16_t scale = static_cast<std::uint16_t>(states);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::uint16_t>(index[i] * scale + codes[i]);
  }
  // Four tables, so that equal keys that follow each other do not wait for one another's store.
  std::uint32_t* t0 = table;
  std::uint32_t* t1 = table + apart;
  std::uint32_t* t2 = table + 2 * apart;
  std::uint32_t* t3 = table + 3 * apart;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    std::uint64_t four;  // one load for four keys leaves the load units to the counters
    std::memcpy(&four, keys + i, sizeof four);
    ++t0[four & 0xffff];
    ++t1[four >> 16 & 0xffff];
    ++t2[four >> 32 & 0xffff];
    ++t3[four >> 48];
  }
  for (; i < n; ++i) ++t0[keys[i]];
}

inline void bitmaps_u8_loop(const std::uint8_t* codes, std::size_t rows, std::uint64_t* bits,
                            std::size_t stride) {
  for (std::size_t i = 0; i < rows; ++i) {
    bits[codes[i] * stride + (i >> 6)] |= std::uint64_t{1} << (i & 63);
  }
}

inline void popcount_product_loop(const std::uint64_t* const* left, std::size_t left_count,
                                  const std::uint64_t* const* right, std::size_t right_count,
                                  std::size_t words, std::uint32_t* const* out) {
  for (std::size_t i = 0; i < left_count; ++i) {
    const std::uint64_t* MAHC_RESTRICT a = left[i];
    std::size_t j = 0;
    for (; j + 4 <= right_count; j += 4) {
      const std::uint64_t* MAHC_RESTRICT b0 = right[j];
      const std::uint64_t* MAHC_RESTRICT b1 = right[j + 1];
      const std::uint64_t* MAHC_RESTRICT b2 = right[j + 2];
      const std::uint64_t* MAHC_RESTRICT b3 = right[j + 3];
      std::uint64_t n0 = 0, n1 = 0, n2 = 0, n3 = 0;
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t x = a[w];
        n0 += popcount_word(x & b0[w]);
        n1 += popcount_word(x & b1[w]);
        n2 += popcount_word(x & b2[w]);
        n3 += popcount_word(x & b3[w]);
      }
      std::uint32_t* row = out[i] + j;
      row[0] += static_cast<std::uint32_t>(n0);
      row[1] += static_cast<std::uint32_t>(n1);
      row[2] += static_cast<std::uint32_t>(n2);
      row[3] += static_cast<std::uint32_t>(n3);
    }
    for (; j < right_count; ++j) {
      const std::uint64_t* MAHC_RESTRICT b = right[j];
      std::uint64_t n = 0;
      for (std::size_t w = 0; w < words; ++w) n += popcount_word(a[w] & b[w]);
      out[i][j] += static_cast<std::uint32_t>(n);
    }
  }
}

[[maybe_unused]] void popcount_product_plain(const std::uint64_t* const* left, std::size_t left_count,
                                             const std::uint64_t* const* right, std::size_t right_count,
                                             std::size_t words, std::uint32_t* const* out) {
  popcount_product_loop(left, left_count, right, right_count, words, out);
}
[[maybe_unused]] void bitmaps_u8_plain(const std::uint8_t* codes, std::size_t rows, std::uint32_t,
                                       std::uint64_t* bits, std::size_t stride) {
  bitmaps_u8_loop(codes, rows, bits, stride);
}
bool and_into_plain(const std::uint64_t* a, const std::uint64_t* b, std::size_t words, std::uint64_t* into) {
  return and_into_loop(a, b, words, into);
}
void compose_u8_plain(std::uint32_t* index, const std::uint8_t* codes, std::uint32_t states, std::size_t n) {
  compose_loop(index, codes, states, n);
}
void compose_u16_plain(std::uint32_t* index, const std::uint16_t* codes, std::uint32_t states,
                       std::size_t n) {
  compose_loop(index, codes, states, n);
}
void compose_u32_plain(std::uint32_t* index, const std::uint32_t* codes, std::uint32_t states,
                       std::size_t n) {
  compose_loop(index, codes, states, n);
}
void compose_short_plain(std::uint16_t* index, const std::uint8_t* codes, std::uint32_t states,
                         std::size_t n) {
  compose_loop(index, codes, states, n);
}
void compose_two_plain(std::uint16_t* MAHC_RESTRICT index, const std::uint8_t* MAHC_RESTRICT first,
                       const std::uint8_t* MAHC_RESTRICT second, std::uint32_t states, std::size_t n) {
  const std::uint16_t scale = static_cast<std::uint16_t>(states);
  for (std::size_t i = 0; i < n; ++i) index[i] = static_cast<std::uint16_t>(first[i] * scale + second[i]);
}
void histogram_short_plain(const std::uint16_t* index, const std::uint8_t* codes, std::uint32_t states,
                           std::size_t n, std::uint32_t* table, std::size_t apart) {
  histogram_short_loop(index, codes, states, n, table, apart);
}
void histogram_long_plain(const std::uint16_t* MAHC_RESTRICT index, const std::uint8_t* MAHC_RESTRICT codes,
                          std::uint32_t states, std::size_t n, std::uint32_t* MAHC_RESTRICT table) {
  std::uint32_t keys[kIndexBlock];
  for (std::size_t i = 0; i < n; ++i) keys[i] = index[i] * states + codes[i];
  std::size_t i = 0;
  for (; i + 2 <= n; i += 2) {
    std::uint64_t two;
    std::memcpy(&two, keys + i, sizeof two);
    ++table[two & 0xffffffff];
    ++table[two >> 32];
  }
  if (i < n) ++table[keys[i]];
}

// One block of bits; operations on it become as many instructions as the level needs.
#if defined(__GNUC__) || defined(__clang__)
typedef std::uint64_t BitBlock __attribute__((vector_size(kBlockBits / 8)));
#else
struct BitBlock {
  std::uint64_t word[kBitBlockWords];
};
inline BitBlock operator&(const BitBlock& a, const BitBlock& b) {
  BitBlock c;
  for (std::size_t i = 0; i < kBitBlockWords; ++i) c.word[i] = a.word[i] & b.word[i];
  return c;
}
inline BitBlock operator|(const BitBlock& a, const BitBlock& b) {
  BitBlock c;
  for (std::size_t i = 0; i < kBitBlockWords; ++i) c.word[i] = a.word[i] | b.word[i];
  return c;
}
inline BitBlock operator^(const BitBlock& a, const BitBlock& b) {
  BitBlock c;
  for (std::size_t i = 0; i < kBitBlockWords; ++i) c.word[i] = a.word[i] ^ b.word[i];
  return c;
}
#endif

// low + a + b, place by place: the sum's low bit to `low`, its high bit to `high`.
inline void add_bits(BitBlock& high, BitBlock& low, const BitBlock& a, const BitBlock& b) {
  const BitBlock part = low ^ a;
  high = (low & a) | (part & b);
  low = part ^ b;
}

// Adds one bit per place to numbers whose bit j is in planes[j], from bit `j` on.
inline void carry_bits(BitBlock* planes, int j, int top, const BitBlock& bits) {
  BitBlock carry = bits;
  for (; j < top; ++j) {
    const BitBlock next = planes[j] & carry;
    planes[j] = planes[j] ^ carry;
    carry = next;
  }
}

#if defined(__AVX2__)
// numbers[i] = the number whose bits are at place i of planes [from, to), which are eight at most. The bits
// of 32 places become bytes of ones and zeros, from the highest plane down.
inline void spread_planes(const BitBlock* planes, int from, int to, std::uint8_t* numbers) {
  const __m256i which_byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                                              2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i which_bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  const char* const bytes = reinterpret_cast<const char*>(planes);
  for (std::size_t place = 0; place < kBlockBits; place += 32) {
    __m256i number = _mm256_setzero_si256();
    for (int j = to - 1; j >= from; --j) {
      std::int32_t bits;
      std::memcpy(&bits, bytes + static_cast<std::size_t>(j) * sizeof(BitBlock) + place / 8, sizeof bits);
      const __m256i spread =
          _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(bits), which_byte), which_bit);
      // Where the bit is set, the comparison is -1.
      number = _mm256_sub_epi8(_mm256_add_epi8(number, number), _mm256_cmpeq_epi8(spread, which_bit));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(numbers + place), number);
  }
}
#else
// Byte i of the entry is bit i of its number.
struct SpreadBits {
  std::uint64_t of[256];
  constexpr SpreadBits() : of{} {
    for (unsigned number = 0; number < 256; ++number) {
      for (unsigned i = 0; i < 8; ++i) of[number] |= static_cast<std::uint64_t>(number >> i & 1) << (8 * i);
    }
  }
};
constexpr SpreadBits kSpreadBits;

// numbers[i] = the number whose bits are at place i of planes [from, to), which are eight at most.
inline void spread_planes(const BitBlock* planes, int from, int to, std::uint8_t* numbers) {
  std::uint64_t words[16][kBitBlockWords];
  std::memcpy(words, planes, static_cast<std::size_t>(to) * sizeof(BitBlock));
  for (std::size_t byte = 0; byte < kBlockBits / 8; ++byte) {
    const std::size_t word = byte / 8, shift = 8 * (byte % 8);
    std::uint64_t eight = 0;
    for (int j = from; j < to; ++j) eight |= kSpreadBits.of[words[j][word] >> shift & 255] << (j - from);
    for (std::size_t i = 0; i < 8; ++i) numbers[8 * byte + i] = static_cast<std::uint8_t>(eight >> (8 * i));
  }
}
#endif

// sums[i] = or, with `add`, += the number whose bits are at place i of the planes.
inline void put_planes(const BitBlock* planes, int top, bool add, std::uint32_t* MAHC_RESTRICT sums) {
  std::uint8_t low[kBlockBits], high[kBlockBits] = {};
  spread_planes(planes, 0, top < 8 ? top : 8, low);
  if (top > 8) spread_planes(planes, 8, top, high);
  if (add) {
    for (std::size_t i = 0; i < kBlockBits; ++i) sums[i] += low[i] + (std::uint32_t{high[i]} << 8);
  } else if (top > 8) {
    for (std::size_t i = 0; i < kBlockBits; ++i) sums[i] = low[i] + (std::uint32_t{high[i]} << 8);
  } else {
    for (std::size_t i = 0; i < kBlockBits; ++i) sums[i] = low[i];
  }
}

// A tree of adders takes 16 rows at a time; only every 16th row reaches the planes beyond the fourth.
void sum_bits_plain(const std::uint64_t* block, std::size_t stride, const std::uint32_t* rows,
                    std::size_t count, std::uint32_t* sums) {
  constexpr std::size_t kMost = 65520;  // so many times 1 fit into 16 planes; a multiple of 16
  BitBlock planes[16];
  const auto load = [&](std::size_t i, BitBlock& into) {
    std::memcpy(&into, block + rows[i] * stride, sizeof into);
  };
  BitBlock a, b, c, d;  // rows
  for (std::size_t start = 0; start < count; start += kMost) {
    const std::size_t end = count - start < kMost ? count : start + kMost;
    int top = 1;
    while ((end - start) >> top) ++top;
    std::memset(planes, 0, static_cast<std::size_t>(top) * sizeof(BitBlock));
    std::size_t i = start;
    if (end - i >= 16) {
      BitBlock ones = planes[0], twos = ones, fours = ones, eights = ones;
      for (; i + 16 <= end; i += 16) {
        BitBlock two[2], four[2], eight[2], sixteen;
        for (std::size_t half = 0; half < 2; ++half) {
          for (std::size_t quarter = 0; quarter < 2; ++quarter) {
            const std::size_t k = i + 8 * half + 4 * quarter;
            load(k, a);
            load(k + 1, b);
            load(k + 2, c);
            load(k + 3, d);
            add_bits(two[0], ones, a, b);
            add_bits(two[1], ones, c, d);
            add_bits(four[quarter], twos, two[0], two[1]);
          }
          add_bits(eight[half], fours, four[0], four[1]);
        }
        add_bits(sixteen, eights, eight[0], eight[1]);
        carry_bits(planes, 4, top, sixteen);
      }
      planes[0] = ones;
      planes[1] = twos;
      planes[2] = fours;
      planes[3] = eights;
    }
    for (; i < end; ++i) {
      load(i, a);
      carry_bits(planes, 0, top, a);
    }
    put_planes(planes, top, start > 0, sums);
  }
}

// Two pivots at a time, so that each row is loaded and stored half as often.
void eliminate_plain(double* matrix, std::size_t rows, std::size_t width, double floor, double* pivots) {
  std::size_t k = 0;
  for (; k + 1 < rows; k += 2) {
    const double* MAHC_RESTRICT first = matrix + k * width;
    double* MAHC_RESTRICT second = matrix + (k + 1) * width;
    pivots[k] = first[k] > floor ? first[k] : floor;
    const double between = first[k + 1] / pivots[k];
    for (std::size_t j = k + 1; j < width; ++j) second[j] -= between * first[j];
    pivots[k + 1] = second[k + 1] > floor ? second[k + 1] : floor;
    for (std::size_t i = k + 2; i < rows; ++i) {
      const double one = first[i] / pivots[k], other = second[i] / pivots[k + 1];
      double* MAHC_RESTRICT row = matrix + i * width;
      for (std::size_t j = i; j < width; ++j) row[j] = row[j] - one * first[j] - other * second[j];
    }
  }
  if (k < rows) pivots[k] = matrix[k * width + k] > floor ? matrix[k * width + k] : floor;
}

void reduce_plain(double* block, std::size_t size, const double* rows, std::size_t count, std::size_t width,
                  const double* pivots) {
  for (std::size_t k = 0; k < count; ++k) {
    const double* MAHC_RESTRICT row = rows + k * width;
    for (std::size_t i = 0; i < size; ++i) {
      const double part = row[i] / pivots[k];
      double* MAHC_RESTRICT to = block + i * size;
      for (std::size_t j = 0; j < size; ++j) to[j] -= part * row[j];
    }
  }
}

// The plain loops as a level, with its measured costs (kernels.hpp).
constexpr Kernels plain_kernels(const char* name, double bitmap_word_ns, double histogram_row_ns,
                                double block_row_ns) {
  return {
      name,
      bitmap_word_ns,
      histogram_row_ns,
      block_row_ns,
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
      sum_bits_plain,
      eliminate_plain,
      reduce_plain,
  };
}

}  // namespace
}  // namespace mahc
