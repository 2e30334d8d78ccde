// Records of a delimited text, split into fields, and the fields of each column as codes.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "string_coder.hpp"

namespace mahc {

// Splits a text into records: fields may be in quotes, with quotes inside doubled; lines end in LF or CRLF.
class RecordSplitter {
 public:
  enum class Result { complete, incomplete, stray_quote, open_quote };

  RecordSplitter(char delimiter, char quote) : delimiter_(delimiter), quote_(quote) {
    for (const char ends : {delimiter, quote, '\n'}) special_[static_cast<unsigned char>(ends)] = true;
  }
  // Find the fields of the record that begins at `at`, and where it ends.
  Result split(std::string_view text, std::size_t at) {
    fields_.clear();
    for (;; ++at) {
      const Result result = quote_ != 0 && at < text.size() && text[at] == quote_ ? split_quoted(text, at)
                                                                                  : split_plain(text, at);
      if (result != Result::complete) return result;
      if (text[at] == '\n') {
        end_ = at + 1;
        return Result::complete;
      }
    }
  }
  const std::vector<std::string_view>& fields() const { return fields_; }
  std::size_t end() const { return end_; }
  std::size_t stray() const { return stray_; }

  // The text of a field, with the doubled quotes in it single.
  std::string plain_text(std::string_view field) const {
    std::string plain;
    plain.reserve(field.size());
    for (std::size_t i = 0; i < field.size(); ++i) {
      plain += field[i];
      if (field[i] == quote_ && quote_ != 0) ++i;
    }
    return plain;
  }

 private:
  char delimiter_, quote_;  // a zero byte, which no text holds, for no quote
  std::array<bool, 256> special_{};
  std::vector<std::string_view> fields_;
  std::size_t end_ = 0, stray_ = 0;

  // Both leave `at` at the delimiter or line end after the field.
  Result split_plain(std::string_view text, std::size_t& at) {
    const std::size_t begin = at;
    while (at < text.size() && !special_[static_cast<unsigned char>(text[at])]) ++at;
    if (at == text.size()) return Result::incomplete;
    if (text[at] == quote_) return stray_at(at);
    const bool cr = text[at] == '\n' && at > begin && text[at - 1] == '\r';
    fields_.push_back(text.substr(begin, at - begin - (cr ? 1 : 0)));
    return Result::complete;
  }
  Result split_quoted(std::string_view text, std::size_t& at) {
    const std::size_t begin = at + 1;
    do {
      at = text.find(quote_, at + 1);
      if (at == text.npos) return Result::open_quote;
      ++at;
    } while (at < text.size() && text[at] == quote_);
    const std::size_t closing = at - 1;
    if (at < text.size() && text[at] == '\r') {
      if (at + 1 == text.size()) return Result::incomplete;
      if (text[at + 1] == '\n') ++at;
    }
    if (at == text.size()) return Result::incomplete;
    if (text[at] != delimiter_ && text[at] != '\n') return stray_at(closing);
    fields_.push_back(text.substr(begin, closing - begin));
    return Result::complete;
  }
  Result stray_at(std::size_t place) {
    stray_ = place;
    return Result::stray_quote;
  }
};

// Collects the codes of some columns, one stretch of text after another.
class TextColumns {
 public:
  struct Outcome {
    std::size_t cut;      // end of the last record that was taken
    const char* problem;  // empty if there is none
    std::size_t where;    // place of the problem
    std::size_t fields;   // number of fields there, if it is wrong
  };
  struct Column {
    std::size_t place;
    StringCoder coder;
    CodeList codes;
    bool ignored = false;
  };

  TextColumns(char delimiter, char quote, std::size_t width, const std::vector<std::size_t>& places)
      : splitter_(delimiter, quote), width_(width) {
    for (const std::size_t place : places) columns_.push_back({place, {}, {}, false});
  }
  // Take all whole records. Blank lines wait for what follows: they are ignored at the end of the file only.
  Outcome scan(std::string_view text, bool last) {
    using Result = RecordSplitter::Result;
    std::size_t cut = 0, blank = text.npos;
    for (std::size_t at = 0; at < text.size(); at = splitter_.end()) {
      const Result result = splitter_.split(text, at);
      if (result == Result::stray_quote) return {cut, "quote", splitter_.stray(), 0};
      if (result == Result::open_quote && last) return {cut, "open", at, 0};
      if (result != Result::complete) break;
      const auto& fields = splitter_.fields();
      if (width_ > 1 && text.find_first_not_of('\r', at) == splitter_.end() - 1) {
        blank = std::min(blank, at);
        continue;
      }
      if (blank != text.npos) return {cut, "empty", blank, 0};
      if (fields.size() != width_) return {cut, "width", at, fields.size()};
      for (Column& column : columns_) {
        if (!column.ignored) column.codes.push(column.coder.code(fields[column.place]));
      }
      ++rows_;
      cut = splitter_.end();
    }
    return {cut, "", 0, 0};
  }
  std::size_t width() const { return width_; }
  std::size_t rows() const { return rows_; }
  std::vector<Column>& columns() { return columns_; }
  const RecordSplitter& splitter() const { return splitter_; }

 private:
  RecordSplitter splitter_;
  std::size_t width_;
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

}  // namespace mahc
