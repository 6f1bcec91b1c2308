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

/* Says that the latest error was dealt with. */
void comb_clear_failure(void);

/* Frees the memory of an array result. */
void comb_free(void *memory);

/* Reports a run-time error; does not return. Each {} stands for a
 * value, {{ for a brace. */
void comb_runtime_fail(const char *message_template, const int64_t *values,
                       int64_t count);

/* Reports an array that is not of the expected sizes (-1: any), or not dense
 * and row-major. */
static inline void comb_check_array(const char *what, int rank,
                                    const int64_t *expected,
                                    const int64_t *sizes,
                                    const int64_t *strides) {
  int64_t dense = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    const char *problem = 0;
    int64_t found = sizes[axis], wanted = expected[axis];
    if (found < 0) {
      problem = " has the negative size {} along axis {}";
    } else if (wanted >= 0 && found != wanted) {
      problem = " has size {} along axis {}, but {} is expected";
    } else if (found > 1 && strides[axis] != dense) {
      problem = " has stride {} along axis {}, but {} is expected: arrays must "
                "be dense and row-major";
      found = strides[axis];
      wanted = dense;
    }
    if (problem) {
      char message[256] = {0};
      const char *parts[2];
      int64_t values[3];
      int length = 0;
      parts[0] = what;
      parts[1] = problem;
      for (int part = 0; part < 2; ++part)
        for (const char *text = parts[part]; *text && length < 255; ++text)
          message[length++] = *text;
      values[0] = found;
      values[1] = axis;
      values[2] = wanted;
      comb_runtime_fail(message, values, 3);
    }
    dense *= sizes[axis];
  }
}

#ifdef __cplusplus
}
#endif

#endif /* COMB_COMMON_H */
