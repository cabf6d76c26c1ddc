import { Buffer } from 'node:buffer';
import type { Event } from '#domain/event/event.ts';

const WORD = /[\p{L}\p{N}]/u;
const NUMBERS = /\d+/g;

/** The tenant as one search word: names hold hyphens, which would split it. */
export const tenantWord = (tenant: string): string => `t${Buffer.from(tenant).toString('hex')}`;

/**
 * A query for all words of what a user typed, or null when it has none. Every word is quoted, so none is query syntax.
 */
export function matchExpression(tenant: string, typed: string): string | null {
  const words = typed.split(/[\s\0]+/).filter((word) => WORD.test(word));
  if (words.length === 0) return null;
  const quoted = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
  return `tenant : ${tenantWord(tenant)} AND {title description} : (${quoted})`;
}

/** True when search must learn the new description: readings that differ in numbers alone are not worth an index update. */
export const wordsDiffer = (before: Event, after: Event): boolean =>
  before.description !== after.description &&
  before.description?.replace(NUMBERS, '0') !== after.description?.replace(NUMBERS, '0');
