import type { BacklogWork } from '#domain/pipeline/processor.ts';

/** As much as there is; what cannot be done fails the test. */
export const ALL: BacklogWork = {
  most: Number.POSITIVE_INFINITY,
  failed(_entry, error) {
    throw error;
  },
};
