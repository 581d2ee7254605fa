// SPDX-License-Identifier: MIT
//
// A C interface of toml++: parses a document and reports it piece by piece, each with its position.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_TIME,
    CTOML_ARRAY,
    CTOML_TABLE,
    /// Closes the innermost array or table.
    CTOML_END
} ctoml_kind;

/// Lines and columns count from 1, a column is one Unicode scalar. `end` is right after the piece.
typedef struct {
    uint32_t line, column, end_line, end_column;
} ctoml_place;

typedef struct {
    ctoml_kind kind;
    /// Not zero-terminated; null for elements of an array, for the root, and for the end of either.
    const char *key;
    size_t key_length;
    ctoml_place key_place;
    ctoml_place place;
    /// For strings. Not zero-terminated, and may contain zeros.
    const char *text;
    size_t text_length;
    int64_t integer;
    double number;
    bool boolean;
} ctoml_piece;

/// The pointers in the piece are valid until the visitor returns.
typedef void (*ctoml_visitor)(void *context, const ctoml_piece *piece);

/// The message of a failure, truncated to fit.
typedef struct {
    char message[256];
    ctoml_place place;
} ctoml_failure;

/// Deeper containers are reported as empty.
enum { CTOML_DEEPEST = 16 };

/// Reports the document: the root table, its entries (sorted by key), and the root's end.
/// Returns false, without any call of the visitor, if it is not TOML.
bool ctoml_parse(const char *text, size_t length, ctoml_visitor visitor, void *context,
                 ctoml_failure *failure);

#ifdef __cplusplus
}
#endif
