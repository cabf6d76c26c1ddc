import type { Along } from '#domain/along.ts';
import { coalesce } from './coalesce.ts';

type Part<T> = { readonly item: T } | { readonly along: Along };

/** As `coalesce`, for writes with side records: a refused call leaves none of its records. */
export function coalesceSideRecords<T>(
  write: (key: string, items: readonly T[], along: readonly Along[]) => void,
  turn?: (work: () => void) => void,
): (key: string, items: readonly T[], along?: readonly Along[]) => Promise<void> {
  const put = coalesce<Part<T>>((key, parts) => {
    const items = parts.flatMap((part) => ('item' in part ? [part.item] : []));
    const along = parts.flatMap((part) => ('along' in part ? [part.along] : []));
    write(key, items, along);
  }, turn);
  return (key, items, along = []) =>
    put(key, [...items.map((item) => ({ item })), ...along.map((one) => ({ along: one }))]);
}
