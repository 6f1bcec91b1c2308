#include <stdbool.h>
#include <stdint.h>

#ifndef COMB_COMMON_H
#define COMB_COMMON_H

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of a 16-bit floating-point number. */
typedef uint16_t comb_f16;
typedef uint16_t comb_bf16;

/* Handles a run-time error, on the thread that called the function. `message`
 * is valid until the next error. The handler may leave by longjmp, and must
 * then call comb_clear_failure; if it returns, the process ends with code 1. */
typedef void (*comb_error_handler)(const char *message, void *user);

/* Installs the handler for run-time errors, for all threads; `user` is passed
 * on to it. NULL is the default: print the error, end the process. */
void comb_set_error_handler(comb_error_handler handler, void *user);

/* Says that the latest error was dealt with, and frees what the calls that it
 * left on this thread had allocated. */
void comb_clear_failure(void);

/* Frees the memory of an array result. */
void comb_free(void *memory);

/* Reports a run-time error; does not return. Each {} stands for a
 * value, {{ for a brace. */
void comb_runtime_fail(const char *message_template, const int64_t *values,
                       int64_t count);

#ifdef __cplusplus
}
#endif

#endif /* COMB_COMMON_H */
