/** Drops what was put first into a map or a set: bounds a cache in order of insertion. */
export function forgetOldest<K>(cache: { keys(): Iterator<K>; delete(key: K): boolean }): void {
  const oldest = cache.keys().next();
  if (oldest.done !== true) cache.delete(oldest.value);
}
