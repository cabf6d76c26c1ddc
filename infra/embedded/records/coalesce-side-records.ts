import type { SideRecord } from '#domain/side-record.ts';

interface Call<T> {
  readonly items: readonly T[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins the calls for one key within one turn of the event loop into one write, since a commit costs more than its rows. When `write`
 * refuses the joined items, each call is written alone and fails by itself.
 */
export function coalesce<T>(
  write: (key: string, items: readonly T[]) => void,
  turn: (work: () => void) => void = (work) => work(),
): (key: string, items: readonly T[]) => Promise<void> {
  const waiting = new Map<string, Call<T>[]>();
  const alone = (key: string, { items, resolve, reject }: Call<T>): void => {
    try {
      write(key, items);
      resolve();
    } catch (error) {
      reject(error);
    }
  };
  const together = (key: string, calls: readonly Call<T>[]): boolean => {
    try {
      write(
        key,
        calls.flatMap(({ items }) => items),
      );
      return true;
    } catch {
      return false;
    }
  };
  const flush = (key: string): void => {
    const calls = waiting.get(key) ?? [];
    waiting.delete(key);
    if (calls.length > 1 && together(key, calls)) for (const { resolve } of calls) resolve();
    else for (const call of calls) alone(key, call);
  };
  return (key, items) =>
    new Promise((resolve, reject) => {
      const call = { items, resolve, reject };
      const calls = waiting.get(key);
      if (calls !== undefined) calls.push(call);
      else {
        waiting.set(key, [call]);
        setImmediate(() => turn(() => flush(key)));
      }
    });
}

type BatchPart<T> = { readonly item: T } | { readonly sideRecords: SideRecord };

/** Variant of `coalesce` for writes with side records: a refused call leaves none of its records. */
export function coalesceSideRecords<T>(
  write: (key: string, items: readonly T[], sideRecords: readonly SideRecord[]) => void,
  turn?: (work: () => void) => void,
): (key: string, items: readonly T[], sideRecords?: readonly SideRecord[]) => Promise<void> {
  const put = coalesce<BatchPart<T>>((key, parts) => {
    const items = parts.flatMap((part) => ('item' in part ? [part.item] : []));
    const sideRecords = parts.flatMap((part) => ('sideRecords' in part ? [part.sideRecords] : []));
    write(key, items, sideRecords);
  }, turn);
  return (key, items, sideRecords = []) =>
    put(key, [...items.map((item) => ({ item })), ...sideRecords.map((one) => ({ sideRecords: one }))]);
}
