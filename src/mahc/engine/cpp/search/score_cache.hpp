// Local scores that were requested before, and the batching of those that were not.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "../scores/scorer.hpp"
#include "random_generator.hpp"

namespace mahc {

// A family's key: 128 bits, the exclusive or of random words of its members, so that toggling a parent is two
// operations. Two families share a key with probability 2^-128.
struct FamilyKey {
  std::uint64_t a = 0, b = 0;
  FamilyKey operator^(const FamilyKey& other) const { return {a ^ other.a, b ^ other.b}; }
  bool operator==(const FamilyKey&) const = default;
};

class ScoreCache {
 public:
  // Entries and rows of additions share a half of the memory. While the entries grow, the old ones and the
  // new exist side by side; families noted for the next batch take a fourth more.
  ScoreCache(FamilyScorer& scorer, std::uint64_t most_bytes)
      : scorer_(scorer),
        most_bytes_(most_bytes),
        most_noted_(std::max<std::size_t>(1024, most_bytes / 4 / kNotedBytes)) {
    RandomGenerator words(0x6d616863);  // fixed: keys must not differ from run to run
    as_parent_.resize(scorer.variables());
    as_child_.resize(scorer.variables());
    for (auto* keys : {&as_parent_, &as_child_}) {
      for (FamilyKey& key : *keys) key = {words.next(), words.next()};
    }
    empty(1024);
  }

  FamilyScorer& scorer() { return scorer_; }
  std::size_t variables() const { return as_parent_.size(); }
  const FamilyKey& child_key(std::int32_t v) const { return as_child_[static_cast<std::size_t>(v)]; }
  const FamilyKey& parent_key(std::int32_t u) const { return as_parent_[static_cast<std::size_t>(u)]; }
  FamilyKey key(std::int32_t child, const std::vector<std::int32_t>& parents) const {
    FamilyKey k = child_key(child);
    for (const std::int32_t u : parents) k = k ^ parent_key(u);
    return k;
  }

  void put(const FamilyKey& key, double score) {
    if (2 * used_ >= entries_.size()) grow();
    const std::size_t i = place_of(key);
    if (!tags_[i]) ++used_;
    tags_[i] = tag_of(key);
    entries_[i] = {key, score};
  }

  // Whoever asks for many families says so first: their entries lie far apart in memory.
  void expect(const FamilyKey& key) const {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(&tags_[first_place(key)]);
    __builtin_prefetch(&entries_[first_place(key)]);
#endif
  }

  // The scores of a child with these parents and one more, by that parent; not a number: not scored yet. A
  // climb over all arcs asks for all of them at every step. Here that is one search in memory, not one for
  // each. The row stays in its place until the next call that finds no family noted.
  double* additions_to(const FamilyKey& family) {
    const auto known = rows_.find(family);
    if (known != rows_.end()) return known->second.data();
    if (children_.empty() && (rows_.size() + 1) * row_bytes() > most_bytes_ / 4) rows_.clear();
    std::vector<double>& row = rows_[family];
    row.assign(variables(), std::numeric_limits<double>::quiet_NaN());
    return row.data();
  }

  // ask() for an addition that is kept in `kept`, its place in the row of the family without it.
  void ask_addition(double* kept, const FamilyKey& key, std::int32_t child,
                    const std::vector<std::int32_t>& base, std::int32_t last, double* into) {
    if (std::isnan(*kept)) {
      const double* const known = find(key);
      if (!known) return note(key, child, base, last, into, kept);
      *kept = *known;
    }
    *into = *kept;
  }

  // Answers at once if known; otherwise notes the family (base and, unless negative, `last`) for flush(). So
  // many noted families are scored at once that they stay within the memory.
  void ask(const FamilyKey& key, std::int32_t child, const std::vector<std::int32_t>& base, std::int32_t last,
           double* into) {
    if (const double* known = find(key)) {
      *into = *known;
      return;
    }
    if (const double* kept = find_in_rows(key, base, last)) {
      *into = *kept;
      return;
    }
    note(key, child, base, last, into, nullptr);
  }

  // Scores all noted families in one batch.
  void flush() {
    if (children_.empty()) return;
    std::vector<double> out(children_.size());
    try {
      scorer_.score({children_.data(), offsets_.data(), parents_.data(), children_.size()}, out.data());
    } catch (...) {
      forget_noted();
      throw;
    }
    constexpr std::size_t kAhead = 8;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i + kAhead < out.size() && !kept_[i + kAhead]) expect(keys_[i + kAhead]);
      *places_[i] = out[i];
      if (kept_[i]) {
        *kept_[i] = out[i];
      } else {
        put(keys_[i], out[i]);
      }
    }
    forget_noted();
  }

  // Families noted since the last flush are not scored.
  void forget_noted() {
    children_.clear();
    parents_.clear();
    offsets_.assign(1, 0);
    keys_.clear();
    places_.clear();
    kept_.clear();
  }

 private:
  static constexpr std::size_t kNotedBytes = 88;  // of a family with a few parents, its score included

  struct Entry {
    FamilyKey key;
    double score = 0.0;
  };
  struct Hash {
    std::size_t operator()(const FamilyKey& key) const { return static_cast<std::size_t>(key.a); }
  };

  void note(const FamilyKey& key, std::int32_t child, const std::vector<std::int32_t>& base,
            std::int32_t last, double* into, double* kept) {
    children_.push_back(child);
    parents_.insert(parents_.end(), base.begin(), base.end());
    if (last >= 0) parents_.push_back(last);
    offsets_.push_back(static_cast<std::int64_t>(parents_.size()));
    keys_.push_back(key);
    places_.push_back(into);
    kept_.push_back(kept);
    if (children_.size() >= most_noted_) flush();
  }

  // A family may have been scored as an addition to one without any of its parents.
  const double* find_in_rows(const FamilyKey& key, const std::vector<std::int32_t>& base,
                             std::int32_t last) const {
    if (rows_.empty()) return nullptr;
    const auto look = [&](std::int32_t u) -> const double* {
      const auto row = rows_.find(key ^ parent_key(u));
      if (row == rows_.end()) return nullptr;
      const double* const kept = row->second.data() + u;
      return std::isnan(*kept) ? nullptr : kept;
    };
    for (const std::int32_t u : base) {
      if (const double* kept = look(u)) return kept;
    }
    return last >= 0 ? look(last) : nullptr;
  }

  std::uint64_t row_bytes() const { return variables() * sizeof(double) + 96; }  // with its place in the map

  void empty(std::size_t places) {
    entries_.assign(places, Entry{});
    tags_.assign(places, 0);
    used_ = 0;
  }

  std::size_t first_place(const FamilyKey& key) const { return key.a & (entries_.size() - 1); }
  // Never zero, which is the tag of a free place.
  static std::uint8_t tag_of(const FamilyKey& key) { return static_cast<std::uint8_t>(key.b >> 56) | 1; }

  // Where the family is, or belongs. Most families that are not here are missed by the tags alone, which
  // stay near the processor.
  std::size_t place_of(const FamilyKey& key) const {
    const std::uint8_t tag = tag_of(key);
    std::size_t i = first_place(key);
    while (tags_[i] && !(tags_[i] == tag && entries_[i].key == key)) i = (i + 1) & (entries_.size() - 1);
    return i;
  }

  const double* find(const FamilyKey& key) const {
    const std::size_t i = place_of(key);
    return tags_[i] ? &entries_[i].score : nullptr;
  }

  void grow() {
    const std::uint64_t rows = rows_.size() * row_bytes(), half = most_bytes_ / 2;
    const std::uint64_t left = half > rows ? half - rows : 0;
    const std::size_t places = entries_.size();
    if (2 * places > left / (sizeof(Entry) + 1) && places >= 1024) {  // full: start again instead of growing
      return empty(places);
    }
    const std::vector<Entry> old = std::move(entries_);
    const std::vector<std::uint8_t> old_tags = std::move(tags_);
    empty(2 * places);
    for (std::size_t i = 0; i < places; ++i) {
      if (old_tags[i]) put(old[i].key, old[i].score);
    }
  }

  FamilyScorer& scorer_;
  std::uint64_t most_bytes_;
  std::size_t most_noted_;
  std::vector<FamilyKey> as_parent_, as_child_;
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> tags_;  // of the entries, a byte of the key each
  std::size_t used_ = 0;
  std::unordered_map<FamilyKey, std::vector<double>, Hash> rows_;
  std::vector<std::int32_t> children_, parents_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<FamilyKey> keys_;
  std::vector<double*> places_, kept_;
};

}  // namespace mahc
