/** Returns an object with a value made for each of the keys. */
export const recordOf = <K extends string, V>(
  keys: readonly K[],
  made: (key: K, place: number) => V,
): Readonly<Record<K, V>> =>
  Object.fromEntries(keys.map((key, place) => [key, made(key, place)])) as Readonly<Record<K, V>>;

/** A JSON object: neither null nor a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object, else an empty one. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
