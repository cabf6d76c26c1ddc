import { V1Error } from '#schemas/http/errors.ts';
import type { Surface } from './surface.ts';
import { v1Error, v1Faults } from './v1-error.ts';

/** The root: health, metrics, documents, event streams. Speaks like /v1. */
export const ops: Surface = {
  name: 'ops',
  prefix: '',
  faults: v1Faults,
  success: (body) => body,
  error: v1Error,
  errorSchema: V1Error,
};
