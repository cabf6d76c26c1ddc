import { Buffer } from 'node:buffer';
import { invalid } from '#domain/fault.ts';

/** A version of a CI (`of` 0) or relationship (1) that began, or with `removal` 1 the last one that ended. */
export interface ChangePosition {
  readonly at: number;
  readonly of: 0 | 1;
  readonly id: string;
  readonly revision: number;
  readonly removal: 0 | 1;
}

/** Position before all others in a list with the newest first. */
export const NEWEST: ChangePosition = { at: Number.MAX_SAFE_INTEGER, of: 1, id: '', revision: 0, removal: 0 };

/** The same in both modes. */
export const encodeChange = ({ at, of, id, revision, removal }: ChangePosition): string =>
  Buffer.from(JSON.stringify([at, of, id, revision, removal])).toString('base64url');

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}

const isBit = (value: unknown): value is 0 | 1 => value === 0 || value === 1;

/** Throws Fault `invalid` for a cursor of anything else. */
export function decodeChange(cursor: string): ChangePosition {
  const [at, of, id, revision, removal, ...rest] = ([parse(cursor)].flat() ?? []) as unknown[];
  if (Number.isSafeInteger(at) && isBit(of) && typeof id === 'string' && Number.isSafeInteger(revision))
    if (isBit(removal) && rest.length === 0) return { at: at as number, of, id, revision: revision as number, removal };
  throw invalid('cursor', 'invalid cursor for this list');
}
