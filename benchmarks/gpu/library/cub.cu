// The programs for which CUB has an algorithm. Each function is called as CUB's are: with no
// temporary memory it says how much it needs, and with some it computes.

#include <cstdint>
#include <cub/cub.cuh>

namespace {
struct AboveHalf {
  __device__ bool operator()(float x) const { return x > 0.5f; }
};
} // namespace

extern "C" {
int prefixsum(void *temporary, size_t *bytes, const int *x, int *sums, int64_t n) {
  return cub::DeviceScan::InclusiveSum(temporary, *bytes, x, sums, n);
}

int filter(void *temporary, size_t *bytes, const float *x, int64_t *count, float *y, int64_t n) {
  return cub::DeviceSelect::If(temporary, *bytes, x, y, count, n, AboveHalf{});
}

int histogram(void *temporary, size_t *bytes, const int *x, int *counts, int64_t n, int64_t b) {
  const int bins = static_cast<int>(b);
  return cub::DeviceHistogram::HistogramEven(temporary, *bytes, x, counts, bins + 1, 0, bins, n);
}

int segsum(void *temporary, size_t *bytes, const int *o, const float *x, float *sums, int64_t k) {
  return cub::DeviceSegmentedReduce::Sum(temporary, *bytes, x, sums, k, o, o + 1);
}
}
