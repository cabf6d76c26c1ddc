import { z } from 'zod';
import { toolInput } from '#features/questions/schemas/tool-input.ts';

export const INVESTIGATE_INPUT = toolInput(
  z.strictObject({ group: z.string().trim().min(1).max(64).describe('Group ID, COR-…') }),
);
