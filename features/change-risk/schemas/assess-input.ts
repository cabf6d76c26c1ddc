import { z } from 'zod';
import { toolInput } from '#features/questions/schemas/tool-input.ts';

/** A change of a CI, in words, and when. */
export const ASSESS_INPUT = toolInput(
  z.strictObject({
    ci: z.string().trim().min(1).max(255).describe('CI ID or exact name'),
    change: z.string().trim().min(1).max(200).describe('For example restart, patch, upgrade'),
    at: z.iso.datetime({ offset: true }).optional().describe('Planned time'),
  }),
);
