import { type Fault, isOvertaken } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';

/** A name that only one record of its kind may have. */
export interface UniqueName {
  /** Kind of the records that keep names, and the name as it is compared. */
  readonly nameKind: string;
  readonly key: string;
  /** Kind and id of the record that takes the name. */
  readonly kind: string;
  readonly id: string;
  readonly taken: () => Fault;
}

/** To be called before the record is stored. A name left behind by an interrupted creation or removal is taken over. */
export const reserveName = async (records: RecordStore, tenant: string, name: UniqueName): Promise<void> => {
  const { nameKind, key, kind, id, taken } = name;
  const known = await records.get<{ id: string }>(tenant, nameKind, key);
  if (known?.body.id === id) return;
  if (known !== null && (await records.get(tenant, kind, known.body.id)) !== null) throw taken();
  try {
    await records.put(tenant, nameKind, key, { id }, { expected: known?.revision ?? 0 });
  } catch (error) {
    throw isOvertaken(error) ? taken() : error;
  }
};
