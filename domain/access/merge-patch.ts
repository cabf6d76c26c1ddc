type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A JSON merge patch (RFC 7396) on stored overrides: null removes, absent keeps, an array is replaced as a whole. Objects
 * that become empty are removed too, so that what is left are real overrides.
 */
export const mergePatch = (stored: Json, patch: Json): Json => {
  const merged: Record<string, unknown> = { ...stored };
  for (const [key, change] of Object.entries(patch)) {
    if (change === undefined) continue;
    const base = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const value = isObject(change) ? mergePatch(isObject(base) ? base : {}, change) : change;
    if (value === null || (isObject(value) && Object.keys(value).length === 0)) delete merged[key];
    else merged[key] = value;
  }
  return merged;
};
