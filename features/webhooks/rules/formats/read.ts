/* The body was truncated to its size limit, so any part may be missing. */

export type JsonBag = Readonly<Record<string, unknown>>;

/** A text that is not empty, or a number as text; else null. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Cuts to a maximum of characters, the last of them a mark when some are missing. */
export const clipped = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
