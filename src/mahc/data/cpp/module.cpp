// Texts to codes: the columns of delimited text, and columns of text that another library lends through the
// Arrow C stream interface (https://arrow.apache.org/docs/format/CStreamInterface.html).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "text_columns.hpp"

namespace nb = nanobind;

namespace mahc {
namespace {

nb::object hand_out(CodeList codes) {
  const std::size_t width = codes.width(), size = codes.size();
  auto* kept = new std::vector<std::uint8_t>(codes.take_bytes());
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::uint8_t>*>(p); });
  const auto type = width == 1   ? nb::dtype<std::uint8_t>()
                    : width == 2 ? nb::dtype<std::uint16_t>()
                                 : nb::dtype<std::uint32_t>();
  return nb::cast(nb::ndarray<nb::numpy>(kept->data(), {size}, owner, {}, type));
}

nb::str text_of(std::string_view bytes) {
  return nb::str(bytes.data(), bytes.size());
}

std::string_view view_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

char letter_of(std::string_view text) {
  if (text.size() > 1) throw std::invalid_argument("a delimiter and a quote are one byte");
  return text.empty() ? '\0' : text.front();
}

TextColumns::Column& column_at(TextColumns& table, std::size_t number) {
  if (number >= table.columns().size()) throw nb::index_error("there is no such column");
  return table.columns()[number];
}

// The texts and codes of a column so far; it begins anew.
nb::tuple take(TextColumns& table, std::size_t number) {
  TextColumns::Column& column = column_at(table, number);
  nb::list texts;
  for (std::size_t code = 0; code < column.coder.size(); ++code) {
    texts.append(text_of(table.splitter().plain_text(column.coder.text(code))));
  }
  column.coder = {};
  return nb::make_tuple(texts, hand_out(std::exchange(column.codes, {})));
}

std::vector<std::size_t> overfull(TextColumns& table, std::size_t limit) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < table.columns().size(); ++k) {
    if (table.columns()[k].coder.size() > limit) found.push_back(k);
  }
  return found;
}

// Where the first record ends, and its fields; 0 if it does not end in the text.
nb::tuple split_record(const nb::bytes& text, std::string_view delimiter, std::string_view quote) {
  using Result = RecordSplitter::Result;
  RecordSplitter splitter(letter_of(delimiter), letter_of(quote));
  const Result result = splitter.split(view_of(text), 0);
  nb::list fields;
  if (result == Result::complete) {
    for (const std::string_view field : splitter.fields()) {
      const std::string plain = splitter.plain_text(field);
      fields.append(nb::bytes(plain.data(), plain.size()));
    }
  }
  const char* problem = result == Result::stray_quote ? "quote" : result == Result::open_quote ? "open" : "";
  return nb::make_tuple(result == Result::complete ? splitter.end() : 0, problem, splitter.stray(), fields);
}

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags, n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

// What is lent is given back at the end of the block.
template <class T>
struct Lent : T {
  Lent() : T{} {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    if (this->release) this->release(this);
  }
};

// A text of up to 12 bytes is in its view, a longer one in one of the buffers after the views.
struct View {
  std::uint32_t length;
  char start[4];
  std::uint32_t buffer, offset;
};

void check(int failed) {
  if (failed != 0) throw std::runtime_error("the column cannot be read");
}

// The distinct values of a column of texts, None among them where some are missing, and the code of each row.
nb::tuple number_texts(const nb::capsule& lent) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(lent.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  Lent<ArrowSchema> schema;
  check(stream->get_schema(stream, &schema));
  if (std::string_view(schema.format) != "vu")
    throw nb::type_error("the column is not made of views of texts");
  StringCoder coder;
  CodeList codes;
  std::int64_t missing = -1;
  for (;;) {
    Lent<ArrowArray> array;
    check(stream->get_next(stream, &array));
    if (!array.release) break;
    const nb::gil_scoped_release released;
    const auto* valid = array.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(array.buffers[0]);
    const auto* views = static_cast<const View*>(array.buffers[1]);
    if (codes.size() == 0) codes.reserve(static_cast<std::size_t>(array.length));
    for (std::int64_t row = array.offset; row < array.offset + array.length; ++row) {
      if (valid && !(valid[row / 8] >> (row % 8) & 1)) {
        if (missing < 0) missing = coder.add_nameless();
        codes.push(static_cast<std::uint32_t>(missing));
        continue;
      }
      const View& view = views[row];
      const char* text = view.length <= 12
                             ? view.start
                             : static_cast<const char*>(array.buffers[2 + view.buffer]) + view.offset;
      codes.push(coder.code({text, view.length}));
    }
  }
  nb::list texts;
  for (std::size_t code = 0; code < coder.size(); ++code) {
    if (static_cast<std::int64_t>(code) == missing) {
      texts.append(nb::none());
    } else {
      texts.append(text_of(coder.text(code)));
    }
  }
  return nb::make_tuple(texts, hand_out(std::move(codes)));
}

}  // namespace
}  // namespace mahc

NB_MODULE(_texts, m) {
  using namespace mahc;
  m.attr("__doc__") = "Texts to codes, compiled.";
  m.def("number_texts", number_texts);
  m.def("split_record", split_record);
  nb::class_<TextColumns>(m, "TextColumns")
      .def("__init__",
           [](TextColumns* table, std::string_view delimiter, std::string_view quote, std::size_t width,
              const std::vector<std::size_t>& places) {
             for (const std::size_t place : places) {
               if (place >= width) throw std::invalid_argument("a column is out of range");
             }
             new (table) TextColumns(letter_of(delimiter), letter_of(quote), width, places);
           })
      .def_prop_ro("width", &TextColumns::width)
      .def_prop_ro("rows", &TextColumns::rows)
      .def("scan",
           [](TextColumns& table, const nb::bytes& text, bool last) {
             const std::string_view view = view_of(text);
             const nb::gil_scoped_release released;
             const auto [cut, problem, where, fields] = table.scan(view, last);
             return std::make_tuple(cut, std::string_view(problem), where, fields);
           })
      .def("overfull", overfull)
      .def("take", take)
      .def("ignore", [](TextColumns& table, std::size_t number) {
        TextColumns::Column& column = column_at(table, number);
        column.ignored = true;
        column.coder = {};
        column.codes = {};
      });
}
