/* Calls a library of comb as a program in C does: frees the results of the call
 * before, and calls. From Python, each of these would take a quarter of a
 * microsecond, as long as a tenth of a small program. */

struct call {
  void (*entry)(void **values);
  void (*free)(void *memory);
  /* The arguments, then the results. */
  void **values;
  /* The arrays among the results. Each begins with the address of its memory.
   */
  void ***arrays;
  long array_count;
};

void release(const struct call *call) {
  for (long i = 0; i < call->array_count; ++i) {
    call->free(*call->arrays[i]);
    *call->arrays[i] = 0;
  }
}

void run(const struct call *call) {
  release(call);
  call->entry(call->values);
}
