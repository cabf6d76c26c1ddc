import { useState } from 'react';
import { type StableRows, stabilized } from './stable-rows.ts';

interface HeldStableRows<Row> extends StableRows<Row> {
  /** Inserts waiting rows, in the order of the last read. */
  readonly takeIn: () => void;
}

/** Rows that do not move while `isHeld`; another `list` (other filters, other order) starts again. */
export function useStableRows<Row>(
  read: readonly Row[],
  idOf: (row: Row) => string,
  isHeld: boolean,
  list: string,
): HeldStableRows<Row> {
  const [shown, setShown] = useState<{ readonly rows: readonly Row[]; readonly list: string }>({ rows: [], list });
  const before = shown.list === list ? shown.rows : [];
  const calm = stabilized(before, read, idOf, isHeld);
  const isSame =
    shown.list === list && calm.rows.length === before.length && calm.rows.every((row, at) => row === before[at]);
  if (!isSame) setShown({ rows: calm.rows, list });
  return { ...calm, takeIn: () => setShown({ rows: read, list }) };
}
