/** The vendor refuses bounds in strict schemas; a grammar of llama.cpp has no other end for a text. */
const BOUNDS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

/** The schema without its bounds, at any depth. */
export const unbounded = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(unbounded);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !BOUNDS.has(key))
      .map(([key, value]) => [key, unbounded(value)]),
  );
};
