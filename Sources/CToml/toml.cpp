// SPDX-License-Identifier: MIT

// toml++ has assertions that fail for invalid files, and continues correctly if they do nothing; with NDEBUG it would let
// the compiler assume them, which is worse.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "CToml.h"

namespace {
/// Tables are freed by recursion, and each dot in a key nests them deeper: some 20,000 overflow a stack.
constexpr auto most_dots = 4096;

ctoml_place place(const toml::source_region &region) {
    return {region.begin.line, region.begin.column, region.end.line, region.end.column};
}

bool fail(ctoml_failure *failure, std::string_view message, ctoml_place place) {
    const auto count = message.copy(failure->message, sizeof failure->message - 1);
    failure->message[count] = 0;
    failure->place = place;
    return false;
}

/// Dots that may nest tables. Those in a comment line are not counted, unless it has a quote, since it could be the end of a
/// string that started before.
auto dots(std::string_view text) {
    std::ptrdiff_t count = 0;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        const auto isComment = !line.empty() && line.front() == '#' && line.find_first_of("\"'") == line.npos;
        if (!isComment) count += std::count(line.begin(), line.end(), '.');
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return count;
}

struct Walk {
    ctoml_visitor visitor;
    void *context;

    void visit(const toml::node &node, const toml::key *key, int depth) const {
        ctoml_piece piece{};
        piece.place = place(node.source());
        if (key) {
            piece.key = key->data();
            piece.key_length = key->length();
            piece.key_place = place(key->source());
        }
        fill(piece, node);
        visitor(context, &piece);
        if (piece.kind != CTOML_ARRAY && piece.kind != CTOML_TABLE) return;
        if (depth < CTOML_DEEPEST) descend(node, depth + 1);
        ctoml_piece end{};
        end.kind = CTOML_END;
        visitor(context, &end);
    }

    void descend(const toml::node &node, int depth) const {
        if (const auto *table = node.as_table())
            for (const auto &[key, value] : *table) visit(value, &key, depth);
        if (const auto *array = node.as_array())
            for (const auto &value : *array) visit(value, nullptr, depth);
    }

    static void fill(ctoml_piece &piece, const toml::node &node) {
        piece.kind = CTOML_TIME;
        if (node.is_table()) piece.kind = CTOML_TABLE;
        if (node.is_array()) piece.kind = CTOML_ARRAY;
        if (const auto *text = node.as_string()) {
            piece.kind = CTOML_STRING;
            piece.text = text->get().data();
            piece.text_length = text->get().length();
        } else if (const auto *integer = node.as_integer()) {
            piece.kind = CTOML_INTEGER;
            piece.integer = integer->get();
        } else if (const auto *number = node.as_floating_point()) {
            piece.kind = CTOML_FLOAT;
            piece.number = number->get();
        } else if (const auto *boolean = node.as_boolean()) {
            piece.kind = CTOML_BOOLEAN;
            piece.boolean = boolean->get();
        }
    }
};
}  // namespace

bool ctoml_parse(const char *text, size_t length, ctoml_visitor visitor, void *context,
                 ctoml_failure *failure) try {
    if (dots({text, length}) > most_dots)
        return fail(failure, "more dots than any settings have", {1, 1, 1, 1});
    const auto result = toml::parse(std::string_view{text, length});
    if (!result) return fail(failure, result.error().description(), place(result.error().source()));
    Walk{visitor, context}.visit(result.table(), nullptr, 0);
    return true;
} catch (const std::bad_alloc &) {
    // Swift cannot catch it.
    return fail(failure, "too little memory to read it", {1, 1, 1, 1});
}
