import { isRecord } from '#domain/record-of.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** Returns the text at a path; null: there is none. */
export function fieldIn(value: unknown, ...path: readonly string[]): string | null {
  let at = value;
  for (const field of path) at = isRecord(at) ? at[field] : undefined;
  return textOf(at);
}

/** Returns the objects of a list; an object counts as a list of one. */
export const recordsIn = (value: unknown): readonly Fields[] =>
  (Array.isArray(value) ? value : [value]).filter(isRecord);
export const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).flatMap((one) => textOf(one) ?? []);
