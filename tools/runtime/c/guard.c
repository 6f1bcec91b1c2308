/* Guards: calls that a failure can leave. Rust has no setjmp; all else about
 * regions and failures is in src/parallel.rs. */
#include <setjmp.h>

/* A call that is going on, on this thread. */
struct guard {
  jmp_buf origin;
  void *region;
  struct guard *outer;
};

static _Thread_local struct guard *innermost;

/* Calls body(argument) in a region, until it returns or comb_guard_leave is
 * called; says whether it was. */
int comb_guard_call(void (*body)(const void *), const void *argument,
                    void *region) {
  struct guard here;
  here.region = region;
  here.outer = innermost;
  innermost = &here;
  if (setjmp(here.origin) != 0) {
    innermost = here.outer;
    return 1;
  }
  body(argument);
  innermost = here.outer;
  return 0;
}

/* The region of the innermost guarded call on this thread, or null. */
void *comb_guard_region(void) { return innermost ? innermost->region : 0; }

/* Leaves the innermost guarded call, which there must be. */
_Noreturn void comb_guard_leave(void) { longjmp(innermost->origin, 1); }
