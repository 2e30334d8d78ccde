// Strings to codes: distinct strings are numbered in the order in which they occur.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mahc {

// Codes in as few bytes as the largest needs.
class CodeList {
 public:
  void push(std::uint32_t code) {
    while (code > largest_) widen();
    if (bytes_.size() + width_ > bytes_.capacity()) bytes_.reserve(bytes_.size() + bytes_.size() / 4 + 64);
    const auto* first = reinterpret_cast<const std::uint8_t*>(&code);
    if constexpr (std::endian::native == std::endian::big) first += sizeof code - width_;
    if (width_ == 1) {
      bytes_.push_back(*first);
    } else {
      bytes_.insert(bytes_.end(), first, first + width_);
    }
  }
  void reserve(std::size_t codes) { bytes_.reserve(codes * width_); }
  std::size_t width() const { return width_; }
  std::size_t size() const { return bytes_.size() / width_; }
  std::vector<std::uint8_t> take_bytes() {
    bytes_.shrink_to_fit();
    return std::move(bytes_);
  }

 private:
  std::size_t width_ = 1;  // 1, 2 or 4
  std::uint32_t largest_ = 0xFF;
  std::vector<std::uint8_t> bytes_;

  void widen() {
    CodeList wider;
    wider.width_ = 2 * width_;
    wider.largest_ = width_ == 1 ? 0xFFFF : UINT32_MAX;
    wider.bytes_.reserve(2 * bytes_.capacity());
    for (std::size_t i = 0; i < bytes_.size(); i += width_) {
      std::uint16_t code = bytes_[i];
      if (width_ == 2) std::memcpy(&code, &bytes_[i], 2);
      wider.push(code);
    }
    *this = std::move(wider);
  }
};

// A hash table of strings. Those of up to eight bytes are compared as one word, without a look at the text.
class StringCoder {
 public:
  std::uint32_t code(std::string_view text) {
    const std::uint64_t word = word_of(text);
    const auto length = static_cast<std::uint32_t>(text.size());
    for (std::size_t slot = slot_of(word, length);; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t found = slots_[slot];
      if (found == 0) return add(text, word, slot);
      const Entry& entry = entries_[found - 1];
      if (entry.word == word && entry.length == length &&
          (length <= 8 || std::memcmp(&bytes_[entry.begin], text.data(), length) == 0)) {
        return found - 1;
      }
    }
  }
  // A code that no string has.
  std::uint32_t add_nameless() {
    entries_.push_back({0, bytes_.size(), 0});
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  std::size_t size() const { return entries_.size(); }
  std::string_view text(std::size_t code) const {
    return std::string_view(bytes_).substr(entries_[code].begin, entries_[code].length);
  }

 private:
  struct Entry {
    std::uint64_t word;
    std::size_t begin;
    std::uint32_t length;
  };
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(8);  // code + 1; 0 where there is none
  std::vector<Entry> entries_;
  std::string bytes_;

  template <class T>
  static std::uint64_t read(const char* from) {
    T word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }
  static std::uint64_t mix(std::uint64_t word) {
    word *= 0x9E3779B97F4A7C15;
    return word ^ (word >> 32);
  }
  // The text itself if it has at most eight bytes, otherwise a hash of it.
  static std::uint64_t word_of(std::string_view text) {
    const char* first = text.data();
    const std::size_t length = text.size();
    if (length > 8) {
      std::uint64_t hash = read<std::uint64_t>(first + length - 8);
      for (std::size_t i = 0; i + 8 < length; i += 8) hash = mix(hash ^ read<std::uint64_t>(first + i));
      return hash;
    }
    if (length >= 4) return read<std::uint32_t>(first) | read<std::uint32_t>(first + length - 4) << 32;
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < length; ++i) word = word << 8 | static_cast<unsigned char>(first[i]);
    return word;
  }
  std::size_t slot_of(std::uint64_t word, std::uint32_t length) const {
    return mix(word + length) & (slots_.size() - 1);
  }
  std::uint32_t add(std::string_view text, std::uint64_t word, std::size_t slot) {
    entries_.push_back({word, bytes_.size(), static_cast<std::uint32_t>(text.size())});
    bytes_.append(text);
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
    if (2 * entries_.size() > slots_.size()) grow();
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  void grow() {
    const std::vector<std::uint32_t> old = std::move(slots_);
    slots_.assign(4 * old.size(), 0);
    for (const std::uint32_t number : old) {
      if (number == 0) continue;
      std::size_t slot = slot_of(entries_[number - 1].word, entries_[number - 1].length);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }
};

}  // namespace mahc
