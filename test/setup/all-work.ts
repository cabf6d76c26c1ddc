import type { BacklogWork } from '#domain/pipeline/processor.ts';

/** No limit; an entry that cannot be processed fails the test. */
export const ALL: BacklogWork = {
  most: Number.POSITIVE_INFINITY,
  failed(_entry, error) {
    throw error;
  },
};
