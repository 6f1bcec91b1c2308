/* One loop. */
#include "suite.h"

PROGRAM(rosenbrock) {
  INPUT(0, double, x);
  OUTPUT(0, double, r);
  long n = sizes[0];
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (long i = 0; i < n - 1; ++i) {
    double a = x[i], b = x[i + 1] - a * a, c = 1 - a;
    sum += 100 * b * b + c * c;
  }
  r[0] = sum;
}
