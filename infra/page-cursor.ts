import { Buffer } from 'node:buffer';
import { invalid } from '#domain/fault.ts';

/** The last row of a page: where the next one begins. */
export interface PageEnd<K extends string | number = number> {
  readonly key: K;
  readonly id: string;
}

/** Opaque; bound to the sort and order it was made for, and the same in both modes. */
export const encodeCursor = (sort: string, order: string, { key, id }: PageEnd<string | number>): string =>
  Buffer.from(JSON.stringify([sort, order, key, id])).toString('base64url');

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}

/**
 * Decodes cursors of lists of events and groups. Throws Fault `invalid` for a malformed cursor or one of another sort
 * or order.
 */
export function decodeCursor(sort: string, order: string, cursor: string): PageEnd {
  const parts = parse(cursor);
  if (!Array.isArray(parts) || parts.length !== 4) throw invalid('cursor', 'invalid cursor');
  const [madeFor, direction, key, id] = parts as unknown[];
  if (madeFor !== sort || direction !== order)
    throw invalid('cursor', 'cursor was created with a different sort order');
  if (typeof key !== 'number' || typeof id !== 'string') throw invalid('cursor', 'invalid cursor');
  return { key, id };
}

/**
 * Decodes cursors of lists of the topology, whose keys are texts too. Throws Fault `invalid` for a cursor of anything
 * else.
 */
export function decodeTopologyCursor(sort: string, order: string, cursor: string): PageEnd<string | number> {
  const parts = parse(cursor);
  const [madeFor, direction, key, id] = (Array.isArray(parts) ? parts : []) as unknown[];
  const isKey = typeof key === 'string' || typeof key === 'number';
  if (madeFor === sort && direction === order && typeof id === 'string' && isKey) return { key, id };
  throw invalid('cursor', 'invalid cursor for this list');
}
