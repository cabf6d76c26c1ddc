import { z } from 'zod';
import { eventsPagination, pagination } from './paging.ts';

/*
 * Envelopes of replies, per dialect; a mount's `reply` is built with these. The presenter returns the content:
 *   platform  the record or the array            → wrapped, wrappedList
 *   v1        the record or the array            → the record itself, v1List
 *   events    the object without `success`       → succeeded, succeededPage
 *   ai        the object without `success`       → succeeded
 * A presenter that returns `page` makes the surface add `pagination`.
 */

const success = z.literal(true);

/** /api: `{ success: true, data }`. */
export const wrapped = <T extends z.ZodType>(data: T) => z.object({ success, data });

/** /api: `{ success: true, data: [...], pagination }`. */
export const wrappedList = <T extends z.ZodType>(item: T) => z.object({ success, data: z.array(item), pagination });

/** /api/events and AI: `{ success: true, ...shape }`. */
export const succeeded = <S extends z.core.$ZodShape>(shape: S) => z.object({ success, ...shape });

/** /api/events: `{ success: true, ...shape, pagination: { total, page, pageSize, totalPages } }`. */
export const succeededPage = <S extends z.core.$ZodShape>(shape: S) =>
  z.object({ success, ...shape, pagination: eventsPagination });

/** /v1: `{ data: [...], pagination }`. */
export const v1List = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), pagination });
