import { type Fault, isOvertaken } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** A name that only one record of its kind may have. */
export interface UniqueName {
  /** Kind of the records that keep names, and the name as it is compared. */
  readonly nameKind: string;
  readonly key: string;
  /** Kind and id of the record that uses the name. */
  readonly kind: string;
  readonly id: string;
  /** Now, ms. */
  readonly at: number;
  readonly taken: () => Fault;
}

interface Reserved {
  readonly id: string;
  readonly at?: number;
}

/** Longer than the time between a name and its record. */
const HELD_MS = 60_000;

/** True if its record exists, or may be written soon. */
const isHeld = async (records: RecordStore, tenant: string, { kind, at }: UniqueName, by: Reserved): Promise<boolean> =>
  at < (by.at ?? 0) + HELD_MS || (await records.get(tenant, kind, by.id)) !== null;

/**
 * Must be called before the record is stored. A name left behind by an interrupted creation or removal is taken over
 * later.
 */
export const reserveName = async (records: RecordStore, tenant: string, name: UniqueName): Promise<void> => {
  const { nameKind, key, id, at, taken } = name;
  const known = await records.get<Reserved>(tenant, nameKind, key);
  if (known?.body.id === id) return;
  if (known !== null && (await isHeld(records, tenant, name, known.body))) throw taken();
  const body: Reserved = { id, at };
  try {
    await records.put(tenant, nameKind, key, body, { expected: known?.revision ?? 0 });
  } catch (error) {
    throw isOvertaken(error) ? taken() : error;
  }
};
