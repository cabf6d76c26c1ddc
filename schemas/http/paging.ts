import { z } from 'zod';
import type { Page, PageRequest } from '#domain/page.ts';
import { wholeNumber } from './common.ts';

/** Rows that page numbers can reach; further on there is the cursor. */
export const PAGE_WINDOW = 10_000;

const count = z.int().min(0);
const nextCursor = z.string().nullable().optional();

/** /api and /v1. */
export const pagination = z
  .object({ page: count, limit: count, total: count, pages: count, nextCursor })
  .meta({ id: 'Pagination' });

/** /api/events. */
export const eventsPagination = z
  .object({ total: count, page: count, pageSize: count, totalPages: count, nextCursor })
  .meta({ id: 'EventsPagination' });

export interface Paging {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Query fields of a list, to spread into its schema; check the whole with `withinWindow`. */
export const pageFields = (numbers: { readonly limit: number; readonly max: number }) => ({
  page: wholeNumber(1, PAGE_WINDOW).default(1),
  limit: wholeNumber(1, numbers.max).default(numbers.limit),
  cursor: z
    .string()
    .regex(/^[!-~]{1,2048}$/, 'expected the nextCursor of a previous page')
    .optional(),
});

/** A cursor that is the id of a record. */
export const ulidCursor = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'expected the nextCursor of a previous page')
  .optional();

/** Refuses pages past the first 10,000 rows: `z.strictObject({ ...pageFields(…) }).check(always(withinWindow))`. */
export const withinWindow: z.core.CheckFn<Paging> = ({ value, issues }) => {
  // An invalid number is not reported here.
  if (value.cursor !== undefined || !(value.page * value.limit > PAGE_WINDOW)) return;
  const message = `page × limit must not exceed ${PAGE_WINDOW}. Narrow the filter or use cursor`;
  issues.push({ code: 'custom', input: value.page, path: ['page'], message });
};

/** The query to a store; a cursor replaces the offset. */
export const pageRequest = <S extends string>(paging: Paging, sort: S, order: 'asc' | 'desc'): PageRequest<S> => ({
  sort,
  order,
  limit: paging.limit,
  ...(paging.cursor === undefined ? { offset: (paging.page - 1) * paging.limit } : { cursor: paging.cursor }),
});

/** `page` of a presenter. */
export const pageInfo = (paging: Paging, found: Page<unknown>) => ({
  page: paging.page,
  limit: paging.limit,
  total: found.total,
  nextCursor: found.nextCursor,
  isBehindCursor: paging.cursor !== undefined,
});
