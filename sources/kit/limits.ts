import { isRecord } from '#domain/record-of.ts';

/** Cutting what monitors send to the limits of an event (docs/specification.md §14): nothing is refused for its length. */

export const MAX_TITLE = 1024;
export const MAX_DESCRIPTION = 32 * 1024;
export const MAX_TEXT = 4 * 1024;
const MAX_TAGS = 100;
const MAX_TAG = 256;
export const MAX_HINTS = 20;
/** Bytes of JSON. */
const MAX_RAW = 16 * 1024;
const MAX_DETAILS = 32 * 1024;
const MAX_DEPTH = 32;

/** Returns the maximum bytes of one UTF-16 unit in JSON. */
function unitSize(code: number): number {
  if (code < 0x20) return 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : code >= 0xd800 && code < 0xe000 ? 6 : 3;
}

/** Returns the number of units of `text` that fit into `budget` bytes of JSON. */
function unitsWithin(text: string, budget: number): number {
  let left = budget;
  for (let i = 0; i < text.length; i += 1) {
    left -= unitSize(text.charCodeAt(i));
    if (left < 0) return i;
  }
  return text.length;
}

function textSize(text: string, budget: number): number {
  let size = 2;
  for (let i = 0; i < text.length && size <= budget; i += 1) size += unitSize(text.charCodeAt(i));
  return size;
}

/** Returns the bytes of `value` as JSON; stops counting above `budget`, and is infinite for too deep nesting. */
function jsonSize(value: unknown, budget: number, depth = 0): number {
  if (typeof value === 'string') return textSize(value, budget);
  if (typeof value !== 'object' || value === null) return 24;
  if (depth >= MAX_DEPTH) return Number.POSITIVE_INFINITY;
  let size = 2;
  for (const key in value) {
    const one = (value as Readonly<Record<string, unknown>>)[key];
    if (!Array.isArray(value)) size += textSize(key, budget) + 1;
    size += jsonSize(one, budget - size, depth + 1) + 1;
    if (size > budget) return size;
  }
  return size;
}

/** The first `limit` units, never half a character. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/** Cuts, and records the names of cut fields. */
export interface Cutter {
  text(name: string, value: string, limit: number): string;
  tags(values: readonly string[]): string[];
  details(values: Readonly<Record<string, unknown>>): Record<string, unknown>;
  raw(value: unknown): unknown;
  readonly cut: readonly string[];
}

export function cutter(): Cutter {
  const cut = new Set<string>();
  const text = (name: string, value: string, limit: number): string => {
    const kept = clip(value, limit).toWellFormed();
    if (kept.length < value.length) cut.add(name);
    return kept;
  };
  return {
    text,
    tags(values) {
      const kept = new Set<string>();
      for (const value of values) {
        if (kept.size < MAX_TAGS) kept.add(text('tags', value.trim().replace(/\s+/g, ' '), MAX_TAG));
        else if (!kept.has(value)) cut.add('tags');
      }
      kept.delete('');
      return [...kept];
    },
    details(values) {
      const kept: Record<string, unknown> = {};
      let left = MAX_DETAILS;
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined || value === null) continue;
        const short = typeof value === 'string' ? text(`details.${name}`, value, MAX_TEXT) : value;
        const size = jsonSize(short, Math.min(left, 2 * MAX_TEXT));
        if (size > left || (isObject(short) && size > 2 * MAX_TEXT)) cut.add(`details.${name}`);
        else {
          kept[name] = short;
          left -= size;
        }
      }
      return kept;
    },
    raw(value) {
      const size = jsonSize(value, MAX_RAW);
      if (size <= MAX_RAW) return value;
      cut.add('details.raw');
      if (size === Number.POSITIVE_INFINITY) return undefined;
      const written = writtenOut(value);
      if (written === undefined) return undefined;
      return clip(written, unitsWithin(written, MAX_RAW - 2)).toWellFormed();
    },
    get cut() {
      return [...cut];
    },
  };
}

const isObject = (value: unknown): boolean => isRecord(value) || Array.isArray(value);

/** JSON of a value that was JSON; undefined when it is nested too deeply to be written. */
function writtenOut(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}
