import type { SideRecord } from '#domain/side-record.ts';
import { coalesce } from './coalesce.ts';

type Part<T> = { readonly item: T } | { readonly sideRecords: SideRecord };

/** As `coalesce`, for writes with side records: a refused call leaves none of its records. */
export function coalesceSideRecords<T>(
  write: (key: string, items: readonly T[], sideRecords: readonly SideRecord[]) => void,
  turn?: (work: () => void) => void,
): (key: string, items: readonly T[], sideRecords?: readonly SideRecord[]) => Promise<void> {
  const put = coalesce<Part<T>>((key, parts) => {
    const items = parts.flatMap((part) => ('item' in part ? [part.item] : []));
    const sideRecords = parts.flatMap((part) => ('sideRecords' in part ? [part.sideRecords] : []));
    write(key, items, sideRecords);
  }, turn);
  return (key, items, sideRecords = []) =>
    put(key, [...items.map((item) => ({ item })), ...sideRecords.map((one) => ({ sideRecords: one }))]);
}
