import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** Progress of the demo; `sent` and `total` are messages of monitors. */
export interface Demo {
  readonly tenant: string;
  readonly state: 'waiting' | 'loading' | 'ready' | 'failed';
  readonly sent: number;
  readonly total: number;
}

const PLACE = [SYSTEM_TENANT, 'demo', 'current'] as const;
type DemoPorts = Pick<Ports, 'records'>;

export const storedDemo = ({ records }: DemoPorts): Promise<StoredRecord<Demo> | null> => records.get<Demo>(...PLACE);

/** Throws Fault `precondition` when it has changed meanwhile. Returns its revision. */
export const putDemo = ({ records }: DemoPorts, demo: Demo, expected: number): Promise<number> =>
  records.put(...PLACE, demo, { expected });

export const dropDemo = ({ records }: DemoPorts): Promise<boolean> => records.remove(...PLACE);
