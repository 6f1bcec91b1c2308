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

/* Handles a run-time error. `message` is valid until the next error. The
 * handler may leave by longjmp if the functions run on one thread, and must
 * then call comb_clear_failure; if it returns, the process ends with code 1. */
typedef void (*comb_error_handler)(const char *message, void *user);

/* Installs the handler for run-time errors, for all threads; `user` is passed
 * on to it. NULL is the default: print the error, end the process. */
void comb_set_error_handler(comb_error_handler handler, void *user);

/* Says that the latest error was dealt with. */
void comb_clear_failure(void);

/* Reports a run-time error; does not return. Each {} stands for a value. */
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
    bool wrong_size = sizes[axis] < 0 ||
                      (expected[axis] >= 0 && sizes[axis] != expected[axis]);
    bool wrong_stride = sizes[axis] > 1 && strides[axis] != dense;
    if (wrong_size || wrong_stride) {
      char message[256] = {0};
      const char *parts[2];
      int64_t values[3];
      int length = 0;
      parts[0] = what;
      parts[1] = wrong_size ? " has size {} along axis {}, but {} is expected"
                            : " has stride {} along axis {}, but {} is "
                              "expected: arrays must be dense and row-major";
      for (int part = 0; part < 2; ++part)
        for (const char *text = parts[part]; *text && length < 255; ++text)
          message[length++] = *text;
      values[0] = wrong_size ? sizes[axis] : strides[axis];
      values[1] = axis;
      values[2] = wrong_size ? (expected[axis] >= 0 ? expected[axis] : 0) : dense;
      comb_runtime_fail(message, values, 3);
    }
    dense *= sizes[axis];
  }
}

#ifdef __cplusplus
}
#endif

#endif /* COMB_COMMON_H */
