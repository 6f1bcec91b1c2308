// How accurate and how fast compiled functions are; started by
// math_accuracy.py, which says what is measured, and reads the lines that this
// prints.
//
//   math_accuracy KERNELS LIBRARY STRIDE COUNT TIMES FUNCTION
//
// KERNELS is a shared library with functions NAME_TYPE_MODE (vectors) and
// scalar_NAME_TYPE_MODE, which map a block of numbers; LIBRARY has NAME_TYPE
// with the functions of the C library, or is empty. f32 arguments are every
// STRIDE-th of all 2^32, f64 arguments COUNT random ones of several kinds.
// References are the C library's functions in the next wider type. Errors of
// usual f32 results are computed in vectors, so that all 2^32 arguments take
// minutes, half of it for scalars.

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 4096, MODES = 2 };

typedef struct {
  const char *name;
  double (*f32)(double);
  long double (*f64)(long double);
  double (*binary_f32)(double, double);
  long double (*binary_f64)(long double, long double);
  // Where the function is timed.
  double low, high;
} Function;

static double rsqrt(double x) { return 1 / sqrt(x); }
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }

#define UNARY(name, low, high) {#name, name, name##l, NULL, NULL, low, high}
static const Function FUNCTIONS[] = {
    UNARY(exp, -20, 20),
    UNARY(exp2, -20, 20),
    UNARY(expm1, -5, 5),
    UNARY(log, 0.01, 100),
    UNARY(log2, 0.01, 100),
    UNARY(log10, 0.01, 100),
    UNARY(log1p, -0.5, 50),
    {"powf", NULL, NULL, pow, powl, 0.1, 10},
    UNARY(rsqrt, 0.01, 100),
    UNARY(cbrt, -100, 100),
    UNARY(sin, -30, 30),
    UNARY(cos, -30, 30),
    UNARY(tan, -30, 30),
    UNARY(asin, -1, 1),
    UNARY(acos, -1, 1),
    UNARY(atan, -10, 10),
    {"atan2", NULL, NULL, atan2, atan2l, -10, 10},
    UNARY(sinh, -10, 10),
    UNARY(cosh, -10, 10),
    UNARY(tanh, -4, 4),
    UNARY(asinh, -10, 10),
    UNARY(acosh, 1, 10),
    UNARY(atanh, -0.99, 0.99),
    UNARY(erf, -4, 4),
    UNARY(erfc, -4, 8),
};

static const char *const MODE_NAMES[MODES] = {"precise", "fast"};

// What is known of one function, type and mode so far.
typedef struct {
  double worst, argument, second;
  // Wrong infinities, NaN and signs of zero, and the first of them.
  long wrong;
  double wrong_argument, wrong_second;
} Record;

static uint64_t state = 1;

static uint64_t random_bits(void) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static double uniform(double low, double high) {
  return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static double of_bits(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static float of_bits_f32(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

// A type's precision and exponents.
typedef struct {
  int bits, least, greatest;
} Format;

static const Format F32 = {24, -126, 127}, F64 = {53, -1022, 1023};

// The error in units in the last place of the true result; -1 for a wrong
// infinity, NaN or sign of zero.
static double error_of(double result, long double truth, Format format) {
  if (isnan(truth) || isnan(result))
    return isnan(truth) && isnan(result) ? 0 : -1;
  int exponent;
  frexpl(truth, &exponent);
  exponent -= 1;
  if (truth == 0 || exponent < format.least)
    exponent = format.least;
  if (exponent > format.greatest)
    exponent = format.greatest;
  // Where numbers end, the next one would be 2^(greatest + 1).
  long double end = ldexpl(1, format.greatest + 1);
  bool beyond = fabsl(truth) >= end - ldexpl(1, format.greatest - format.bits);
  if (isinf(result))
    return beyond && (result > 0) == (truth > 0) ? 0 : -1;
  if (isinf(truth))
    return -1;
  if (result == 0 && truth == 0)
    return signbit(result) == signbit(truth) ? 0 : -1;
  return (double)ldexpl(fabsl(result - truth), format.bits - 1 - exponent);
}

static void note(Record *record, double error, double argument, double second) {
  if (error < 0) {
    if (record->wrong++ == 0) {
      record->wrong_argument = argument;
      record->wrong_second = second;
    }
  } else if (error > record->worst) {
    record->worst = error;
    record->argument = argument;
    record->second = second;
  }
}

// Whether the fast mode may do as it likes: subnormal numbers, and results that
// are nearly so.
static bool is_excused(int mode, double x, double y, long double truth,
                       Format format) {
  double least = ldexp(1, format.least);
  return mode == 1 &&
         (fabsl(truth) < 2 * least || (x != 0 && fabs(x) < least) ||
          (y != 0 && fabs(y) < least));
}

static const double SPECIAL[] = {
    0.0,
    -0.0,
    1,
    -1,
    INFINITY,
    -INFINITY,
    NAN,
    2,
    -2,
    3,
    -3,
    0.5,
    -0.5,
    10,
    100,
    1000,
    1e-5,
    1e5,
    1e20,
    -1e20,
    4.5,
    -2.5,
    0x1p-149,
    -0x1p-149,
    0x1p-126,
    0x1p-127,
    0x1.fffffep127,
    -0x1.fffffep127,
    0x1p-1074,
    -0x1p-1074,
    0x1p-1022,
    0x1p-1023,
    0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023,
    0x1.6ac5b262ca1ffp849, // near a multiple of pi/2
    0x1.62e42fefa39efp9,   // near where exp overflows
    0x1.62e42fefa39fp9,
    0x1.633ce8fb9f87dp9,
    0x1.633ce8fb9f87ep9,
    -0x1.74910d52d3051p9,
    -0x1.74910d52d3052p9,
    -1074.5,
    -1075,
    1024,
    26.5,
    27.2,
    0x1p53,
    0x1.fffffffffffffp52,
    -0x1.fffffffffffffp52,
    0x1.0000000000001p52,
    0x1.ffffffffffffep51,
    0x1.fffffep23,
    0x1.fffffep22,
};
enum { SPECIALS = sizeof SPECIAL / sizeof *SPECIAL };

// Arguments of many kinds, in turn.
static double argument_of_kind(long index) {
  double sign = random_bits() & 1 ? 1 : -1;
  switch (index % 8) {
  case 0:
    return of_bits(random_bits());
  case 1:
    return sign * uniform(0, 750);
  case 2: // near 1
    return 1 + sign * exp2(uniform(-52, 0));
  case 3: { // near multiples of pi/2
    double multiple = floor(exp2(uniform(0, 40))) * M_PI_2;
    return sign * multiple * (1 + ((double)(random_bits() % 5) - 2) * 0x1p-52);
  }
  case 4:
    return sign * exp2(uniform(-16, 4));
  case 5:
    return sign * uniform(0, 2);
  case 6:
    return sign * uniform(0, 30);
  default: // near where exponents change
    return floor(uniform(-1000, 1000)) * (M_LN2 / 2) *
           (1 + uniform(-1e-9, 1e-9));
  }
}

static void pair_of_kind(long index, double *x, double *y) {
  switch (index % 6) {
  case 0:
    *x = of_bits(random_bits());
    *y = of_bits(random_bits());
    break;
  case 1:
    *x = uniform(0, 10);
    *y = uniform(-200, 200);
    break;
  case 2:
    *x = 1 + uniform(-1e-3, 1e-3);
    *y = uniform(-3e6, 3e6);
    break;
  case 3:
    *x = exp2(uniform(-1000, 1000));
    *y = uniform(-3, 3);
    break;
  case 4:
    *x = exp2(uniform(-120, 120));
    *y = uniform(-2, 2);
    break;
  default:
    *x = uniform(-4, 4);
    *y = uniform(-4, 4);
  }
}

typedef void Unary(const void *, void *);
typedef void Binary(const void *, const void *, void *);

static void *symbol(void *library, const char *prefix, const char *name,
                    const char *type, const char *mode) {
  char text[100];
  snprintf(text, sizeof text, "%s%s_%s%s%s", prefix, name, type,
           mode ? "_" : "", mode ? mode : "");
  return dlsym(library, text);
}

static void call(void *kernel, bool unary, const void *x, const void *y,
                 void *r) {
  if (unary)
    ((Unary *)kernel)(x, r);
  else
    ((Binary *)kernel)(x, y, r);
}

static inline bool is_normal_or_zero_f32(float x) {
  return x == 0 || fabsf(x) >= 0x1p-126f;
}

// Numbers whose error needs no case distinction: neither the result nor an
// argument is subnormal, or nearly so, or nearly beyond all numbers.
static inline bool is_usual_f32(float x, float y, float result, double truth) {
  return fabs(truth) >= 0x1p-125 && fabs(truth) < 0x1p127 &&
         fabsf(result) < INFINITY && is_normal_or_zero_f32(x) &&
         is_normal_or_zero_f32(y);
}

// The same as error_of, for usual numbers.
static inline double usual_error_f32(float result, double truth) {
  uint64_t bits;
  memcpy(&bits, &truth, sizeof bits);
  // 2^23 over the power of 2 that the truth begins with.
  bits = (2 * 1023 + 23 - (bits >> 52 & 0x7ff)) << 52;
  double scale;
  memcpy(&scale, &bits, sizeof scale);
  return fabs(result - truth) * scale;
}

static inline bool is_rounded_f32(float result, double truth) {
  float rounded = (float)truth;
  uint32_t bits, expected;
  memcpy(&bits, &result, sizeof bits);
  memcpy(&expected, &rounded, sizeof expected);
  return bits == expected || (isnan(result) && isnan(truth));
}

static _Alignas(64) float x32[BLOCK], y32[BLOCK], r32[BLOCK], s32[BLOCK];
static _Alignas(64) double x64[BLOCK], y64[BLOCK], r64[BLOCK], s64[BLOCK];

// How many results of vectors differ from those of scalars.
static long differing;

static void note_differing_f32(int count) {
  long found = 0;
  for (int i = 0; i < count; ++i) {
    uint32_t vector, scalar;
    memcpy(&vector, &r32[i], sizeof vector);
    memcpy(&scalar, &s32[i], sizeof scalar);
    found += vector != scalar && !isnan(r32[i]);
  }
  differing += found;
}

// Notes the errors of a block of results. The first loop is one of vectors, and
// finds what may be worth noting. Unusual results that are rounded correctly
// are not: there are enough usual ones.
static void note_block_f32(Record *record, int mode, bool unary,
                           const double *truth, int count) {
  static double errors[BLOCK];
  double greatest = 0;
  for (int i = 0; i < count; ++i) {
    double unusual = is_rounded_f32(r32[i], truth[i]) ? 0 : INFINITY;
    float second = unary ? 0 : y32[i];
    bool usual = is_usual_f32(x32[i], second, r32[i], truth[i]);
    errors[i] = usual ? usual_error_f32(r32[i], truth[i]) : unusual;
    greatest = errors[i] > greatest ? errors[i] : greatest;
  }
  for (int i = 0; i < count && greatest > record->worst; ++i) {
    double second = unary ? 0 : y32[i];
    if (errors[i] > record->worst &&
        !is_excused(mode, x32[i], second, truth[i], F32))
      note(record, error_of(r32[i], truth[i], F32), x32[i], second);
  }
}

static void check_block_f32(void *library, const Function *function, int count,
                            Record *records) {
  static double truth[BLOCK];
  bool unary = function->f32;
  for (int i = 0; i < count; ++i)
    truth[i] =
        unary ? function->f32(x32[i]) : function->binary_f32(x32[i], y32[i]);
  for (int mode = 0; mode < MODES; ++mode) {
    call(symbol(library, "", function->name, "f32", MODE_NAMES[mode]), unary,
         x32, y32, r32);
    call(symbol(library, "scalar_", function->name, "f32", MODE_NAMES[mode]),
         unary, x32, y32, s32);
    note_differing_f32(count);
    note_block_f32(&records[mode], mode, unary, truth, count);
  }
}

static void check_block_f64(void *library, const Function *function, int count,
                            Record *records) {
  static long double truth[BLOCK];
  bool unary = function->f64;
  for (int i = 0; i < count; ++i)
    truth[i] =
        unary ? function->f64(x64[i]) : function->binary_f64(x64[i], y64[i]);
  for (int mode = 0; mode < MODES; ++mode) {
    call(symbol(library, "", function->name, "f64", MODE_NAMES[mode]), unary,
         x64, y64, r64);
    call(symbol(library, "scalar_", function->name, "f64", MODE_NAMES[mode]),
         unary, x64, y64, s64);
    for (int i = 0; i < count; ++i) {
      double second = unary ? 0 : y64[i];
      if (memcmp(&r64[i], &s64[i], sizeof *r64) && !isnan(r64[i]))
        differing++;
      if (!is_excused(mode, x64[i], second, truth[i], F64))
        note(&records[mode], error_of(r64[i], truth[i], F64), x64[i], second);
    }
  }
}

static void check_f32(void *library, const Function *function, uint64_t stride,
                      long count, Record *records) {
  int filled = 0;
  bool unary = function->f32;
  for (int i = 0; i < SPECIALS * (unary ? 1 : SPECIALS); ++i) {
    x32[filled] = (float)SPECIAL[i % SPECIALS];
    y32[filled] = (float)SPECIAL[i / SPECIALS];
    if (++filled == BLOCK) {
      check_block_f32(library, function, filled, records);
      filled = 0;
    }
  }
  uint64_t steps = unary ? ((uint64_t)1 << 32) / stride : (uint64_t)count;
  for (uint64_t i = 0; i < steps; ++i) {
    double x, y;
    if (unary) {
      x32[filled] = of_bits_f32((uint32_t)(i * stride));
    } else {
      pair_of_kind((long)i, &x, &y);
      uint64_t bits = random_bits();
      x32[filled] = i % 6 ? (float)x : of_bits_f32((uint32_t)bits);
      y32[filled] = i % 6 ? (float)y : of_bits_f32((uint32_t)(bits >> 32));
    }
    if (++filled == BLOCK || i + 1 == steps) {
      check_block_f32(library, function, filled, records);
      filled = 0;
    }
  }
}

static void check_f64(void *library, const Function *function, long count,
                      Record *records) {
  int filled = 0;
  bool unary = function->f64;
  for (int i = 0; i < SPECIALS * (unary ? 1 : SPECIALS); ++i) {
    x64[filled] = SPECIAL[i % SPECIALS];
    y64[filled] = SPECIAL[i / SPECIALS];
    if (++filled == BLOCK) {
      check_block_f64(library, function, filled, records);
      filled = 0;
    }
  }
  for (long i = 0; i < count; ++i) {
    if (unary)
      x64[filled] = argument_of_kind(i);
    else
      pair_of_kind(i, &x64[filled], &y64[filled]);
    if (++filled == BLOCK || i + 1 == count) {
      check_block_f64(library, function, filled, records);
      filled = 0;
    }
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Nanoseconds for an element: the best of several runs.
static double time_of(void *kernel, const Function *function, bool single) {
  enum { RUNS = 7, CALLS = 100 };
  if (!kernel)
    return 0;
  for (int i = 0; i < BLOCK; ++i) {
    x64[i] = uniform(function->low, function->high);
    y64[i] = uniform(-3, 3);
    x32[i] = (float)x64[i];
    y32[i] = (float)y64[i];
  }
  const void *x = single ? (const void *)x32 : x64,
             *y = single ? (const void *)y32 : y64;
  void *r = single ? (void *)r32 : r64;
  double best = INFINITY;
  for (int run = 0; run < RUNS; ++run) {
    double begin = seconds();
    for (int i = 0; i < CALLS; ++i)
      call(kernel, function->f32, x, y, r);
    best = fmin(best, seconds() - begin);
  }
  return best * 1e9 / CALLS / BLOCK;
}

int main(int count, char **arguments) {
  if (count != 7)
    return 2;
  void *kernels = dlopen(arguments[1], RTLD_NOW);
  if (!kernels) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void *library = *arguments[2] ? dlopen(arguments[2], RTLD_NOW) : NULL;
  uint64_t stride = strtoull(arguments[3], NULL, 10);
  long samples = strtol(arguments[4], NULL, 10);
  bool times = arguments[5][0] == '1';
  for (size_t f = 0; f < sizeof FUNCTIONS / sizeof *FUNCTIONS; ++f) {
    const Function *function = &FUNCTIONS[f];
    if (strcmp(function->name, arguments[6]) != 0)
      continue;
    for (int single = 1; single >= 0; --single) {
      const char *type = single ? "f32" : "f64";
      Record records[MODES] = {0};
      differing = 0;
      if (single)
        check_f32(kernels, function, stride, samples, records);
      else
        check_f64(kernels, function, samples, records);
      double reference =
          times && library
              ? time_of(symbol(library, "", function->name, type, NULL),
                        function, single)
              : 0;
      for (int mode = 0; mode < MODES; ++mode) {
        const Record *r = &records[mode];
        void *kernel =
            symbol(kernels, "", function->name, type, MODE_NAMES[mode]);
        printf("%s %s %s %.4f %.17g %.17g %ld %.17g %.17g %ld %.4f %.4f\n",
               function->name, type, MODE_NAMES[mode], r->worst, r->argument,
               r->second, r->wrong, r->wrong_argument, r->wrong_second,
               differing, times ? time_of(kernel, function, single) : 0,
               reference);
      }
      fflush(stdout);
    }
  }
}
