import { useState } from 'react';
import { type Calm, calmed } from './calm.ts';

interface CalmRows<Row> extends Calm<Row> {
  /** Shows what waits, in the order of the last read. */
  readonly takeIn: () => void;
}

/** Rows that do not move while `isHeld`; another `list` (other filters, other order) begins anew. */
export function useCalmRows<Row>(
  read: readonly Row[],
  idOf: (row: Row) => string,
  isHeld: boolean,
  list: string,
): CalmRows<Row> {
  const [shown, setShown] = useState<{ readonly rows: readonly Row[]; readonly list: string }>({ rows: [], list });
  const before = shown.list === list ? shown.rows : [];
  const calm = calmed(before, read, idOf, isHeld);
  const isSame =
    shown.list === list && calm.rows.length === before.length && calm.rows.every((row, at) => row === before[at]);
  if (!isSame) setShown({ rows: calm.rows, list });
  return { ...calm, takeIn: () => setShown({ rows: read, list }) };
}
