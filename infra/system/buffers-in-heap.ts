import { setFlagsFromString } from 'node:v8';

/**
 * V8 begins a major collection each time buffers have grown by some 64 MB, however large the heap is. A process that reads and writes
 * batches of engines turns over more than that every few seconds, and goes through all that it holds in memory for it. With this buffers count
 * towards the limit at which the heap itself is collected.
 */
export const countBuffersWithHeap = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit');
