import type { z } from 'zod';
import type { pagination } from '#schemas/http/paging.ts';

/** A list of `/api`. */
export interface List<Row> {
  readonly data: readonly Row[];
  readonly pagination: z.output<typeof pagination>;
}
