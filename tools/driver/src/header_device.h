
#ifndef COMB_DEVICE_H
#define COMB_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of the GPU, for those who do not get it from the vendor's library.
 * What is begun here and by functions happens in order; only comb_device_read,
 * comb_device_synchronize and comb_device_stop_clock wait until it has
 * happened. */

/* Begins to use the GPU, before anything else here: 0 is NVIDIA's, 1 AMD's. */
void comb_device_open(int64_t vendor);

/* Memory of the GPU, which is not initialised; comb_free frees it. */
void *comb_device_allocate(uint64_t bytes);

/* Copies bytes of this program to the GPU. */
void comb_device_write(void *device, const void *host, uint64_t bytes);

/* Copies bytes of the GPU to this program, and waits for them. */
void comb_device_read(void *host, const void *device, uint64_t bytes);

/* Waits until everything is done that was begun. */
void comb_device_synchronize(void);

/* Starts the GPU's clock when what was begun before is done, and gives the
 * milliseconds until what has been begun since is. */
void comb_device_start_clock(void);
double comb_device_stop_clock(void);

#ifdef __cplusplus
}
#endif

#endif /* COMB_DEVICE_H */
