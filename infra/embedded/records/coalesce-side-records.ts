import type { Along } from '#domain/along.ts';
import { gathered } from './coalesce.ts';

type Part<T> = { readonly item: T } | { readonly along: Along };

/** As `gathered`, for writes that take records along: a call that is refused leaves none of its own. */
export function gatheredAlong<T>(
  write: (key: string, items: readonly T[], along: readonly Along[]) => void,
  turn?: (work: () => void) => void,
): (key: string, items: readonly T[], along?: readonly Along[]) => Promise<void> {
  const put = gathered<Part<T>>((key, parts) => {
    const items = parts.flatMap((part) => ('item' in part ? [part.item] : []));
    const along = parts.flatMap((part) => ('along' in part ? [part.along] : []));
    write(key, items, along);
  }, turn);
  return (key, items, along = []) =>
    put(key, [...items.map((item) => ({ item })), ...along.map((one) => ({ along: one }))]);
}
