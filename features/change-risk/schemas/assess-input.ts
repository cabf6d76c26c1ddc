import { z } from 'zod';
import { toolInput } from '#features/questions/schemas/tool-input.ts';

/** A change of a CI, in words, and when. */
export const ASSESS_INPUT = toolInput(
  z.strictObject({
    ciId: z.string().trim().min(1).max(255),
    change: z.string().trim().min(1).max(200),
    at: z.iso.datetime({ offset: true }).optional(),
  }),
);
