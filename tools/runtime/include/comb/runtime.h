/* The runtime library of comb, for code that comb compiled and for programs
 * that call it. Usable from C and from C++. */
#ifndef COMB_RUNTIME_H
#define COMB_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define COMB_NORETURN [[noreturn]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define COMB_NORETURN _Noreturn
#else
#define COMB_NORETURN
#endif

/* A descriptor of an array of rank R, as MLIR lays it out:
 *
 *     COMB_ARRAY(2) matrix = { memory, memory, 0, {rows, columns}, {columns, 1}
 * };
 *
 * Element (i, j) of `float` is ((float *)aligned)[offset + i * strides[0]
 * + j * strides[1]]; offset and strides count elements. The element types
 * i1, i8 and i16 ... i64, index, f16, bf16, f32, f64 take 1, 1, 2 ... 8, 8, 2,
 * 2, 4 and 8 bytes; i1 is 0 or 1. An array of rank 0 has no sizes and strides:
 * use COMB_ARRAY_OF_RANK_0. */
#define COMB_ARRAY(R)                                                          \
  struct {                                                                     \
    void *allocated;                                                           \
    void *aligned;                                                             \
    int64_t offset;                                                            \
    int64_t sizes[R];                                                          \
    int64_t strides[R];                                                        \
  }

#define COMB_ARRAY_OF_RANK_0                                                   \
  struct {                                                                     \
    void *allocated;                                                           \
    void *aligned;                                                             \
    int64_t offset;                                                            \
  }

/* The entry point of a compiled function. arguments[i] points to parameter i: a
 * descriptor for an array, the value itself for a scalar. After the parameters
 * follows a pointer for each result, to a descriptor or a scalar that the
 * function fills in. The memory of an array result (its field `allocated`) is
 * the caller's to give to comb_free, unless it is a parameter's; two results
 * may share one allocation. */
typedef void (*comb_entry)(void *const *arguments);

/* Handles a run-time error of compiled code, such as an index out of range, on
 * the thread that called the code: an error in a parallel loop is reported when
 * the loop has ended. `message` is valid until the next error. The handler may
 * leave by longjmp; if it returns, the process ends with code 1. */
typedef void (*comb_error_handler)(const char *message, void *user);

/* Installs the handler for run-time errors, for all threads; `user` is passed
 * on to it. Without a handler (NULL) an error is printed to standard error and
 * the process ends with code 1. The first error wins: other threads that fail
 * wait until the error was dealt with. */
void comb_set_error_handler(comb_error_handler handler, void *user);

/* Says that the latest error was dealt with, so that any thread may report the
 * next one, and frees what the calls that it left on this thread had allocated.
 * To be called after a handler left by longjmp, on the same thread. */
void comb_clear_failure(void);

/* Reports a run-time error. Compiled code calls it. Each {} in the template
 * stands for the next of `count` values, and each {{ for a brace. Does not
 * return. */
COMB_NORETURN void comb_runtime_fail(const char *message_template,
                                     const int64_t *values, int64_t count);

/* Frees the memory of an array result. Large blocks are kept for the next call:
 * as much as compiled code ever had in use at a time, or as the environment
 * variable COMB_IDLE_MEMORY says (0, 512M, 2G). What malloc gave is freed too.
 */
void comb_free(void *memory);

/* Allocate and free as malloc, calloc, aligned_alloc and free do, except that
 * having no memory is a run-time error. Compiled code calls them. */
void *comb_runtime_allocate(uint64_t size);
void *comb_runtime_allocate_zeroed(uint64_t count, uint64_t size);
void comb_runtime_free(void *memory);
void *comb_runtime_allocate_aligned(uint64_t alignment, uint64_t size);

/* The main of an executable: reads the arguments, loads the inputs, calls the
 * function asked for, stores and shows the results, and returns the exit code.
 * `signatures_json` is a JSON array with the signature of each entry point:
 *
 *     [{"name": "main",
 *       "parameters": [{"name": "xs", "type": "tensor<?x8xf32>"}],
 *       "results": [{"name": "sum", "type": "f32"}]}]
 */
int comb_executable_main(int argc, const char *const *argv,
                         const char *signatures_json,
                         const comb_entry *entries);

#ifdef __cplusplus
}
#endif

#undef COMB_NORETURN

#endif /* COMB_RUNTIME_H */
