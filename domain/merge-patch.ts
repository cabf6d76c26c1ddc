import { isRecord } from '#domain/record-of.ts';

/** JSON merge patch (RFC 7396): null removes, absent leaves unchanged, an array is replaced as a whole. */

export type JsonObject = Readonly<Record<string, unknown>>;

const merged = (stored: JsonObject, patch: JsonObject, keepsEmpty: boolean): JsonObject => {
  const after: Record<string, unknown> = { ...stored };
  for (const [key, change] of Object.entries(patch)) {
    if (change === undefined) continue;
    const base = Object.hasOwn(after, key) ? after[key] : undefined;
    const value = isRecord(change) ? merged(isRecord(base) ? base : {}, change, keepsEmpty) : change;
    const isNothing = value === null || (!keepsEmpty && isRecord(value) && Object.keys(value).length === 0);
    if (isNothing) delete after[key];
    else after[key] = value;
  }
  return after;
};

export const mergePatch = (stored: JsonObject, patch: JsonObject): JsonObject => merged(stored, patch, true);

/** A merge patch on overrides: objects that become empty are removed too, so that only real overrides remain. */
export const mergeOverrides = (stored: JsonObject, patch: JsonObject): JsonObject => merged(stored, patch, false);
