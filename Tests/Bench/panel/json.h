/* SPDX-License-Identifier: MIT */
/* JSON on stdout, as far as xstate needs it. */
#ifndef JSON_H
#define JSON_H

#include <math.h>
#include <stdio.h>

enum { MATRIX_CELLS = 9 };

static void print_string(const char *text)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *) text; *c; c++)
        if (*c == '"' || *c == '\\' || *c < ' ')
            printf("\\u%04x", *c);
        else
            putchar(*c);
    putchar('"');
}

static void print_name(const char *key, const char *text)
{
    printf("\"%s\":", key);
    if (text)
        print_string(text);
    else
        printf("null");
}

/* JSON has no word for what is not a number. */
static void print_numbers(const char *key, const double *numbers)
{
    printf(",\"%s\":", key);
    for (int i = 0; i < MATRIX_CELLS; i++) {
        putchar(i ? ',' : '[');
        if (isfinite(numbers[i]))
            printf("%.9g", numbers[i]);
        else
            printf("null");
    }
    putchar(']');
}

static const char *word(int is_true)
{
    return is_true ? "true" : "false";
}

#endif
