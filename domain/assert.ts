/**
 * Assertions for values that exist by construction. Each throws when the value is missing, so that a broken invariant
 * shows where it broke.
 */

export function assertDefined<T>(value: T | null | undefined, what: string): T & {} {
  if (value === null || value === undefined) throw new Error(`There is no ${what}`);
  return value;
}

export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} in a list of ${list.length}`);
  return item;
}

export const firstItem = <T>(list: ArrayLike<T>): T => itemAt(list, 0);

export const lastItem = <T>(list: ArrayLike<T>): T => itemAt(list, list.length - 1);

export function entryOf<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const entry = map.get(key);
  if (entry === undefined) throw new Error(`There is no entry ${String(key)}`);
  return entry;
}

/**
 * Reads typed arrays within their bounds without a check, for inner loops. One function per type of array is as fast as
 * direct access.
 */
export const int32At = (column: Int32Array, at: number): number => column[at]!;
export const float64At = (column: Float64Array, at: number): number => column[at]!;
export const uint32At = (column: Uint32Array, at: number): number => column[at]!;
export const byteAt = (column: Uint8Array, at: number): number => column[at]!;
