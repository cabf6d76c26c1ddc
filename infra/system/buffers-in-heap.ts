import { setFlagsFromString } from 'node:v8';

/**
 * V8 begins a major collection each time buffers have grown by some 64 MB, with any heap size; batches of engines turn
 * over more every few seconds. With this, buffers count towards the heap's own limit.
 */
export const countBuffersWithHeap = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit');
