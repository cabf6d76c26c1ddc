import { Fault, notFound } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { capital } from '#domain/text.ts';
import { everyRecord } from './list-records.ts';
import { reserveName } from './unique-name.ts';

interface NamedRecord {
  readonly id: string;
  readonly name: string;
  readonly updatedAt: number;
}

/** Records of a tenant that have a name of their own. */
export interface NamedKind {
  /** Noun for the user. */
  readonly what: string;
  readonly kind: string;
  /** Kind of the records that keep the names. */
  readonly nameKind: string;
  readonly keyOf: (name: string) => string;
  readonly atMost: number;
}

export interface Replacement<T> {
  readonly before: T;
  readonly after: T;
  readonly expected: number;
  readonly sideRecords: readonly SideRecord[];
}

const reserve = (records: RecordStore, tenant: string, named: NamedKind, { id, name, updatedAt }: NamedRecord) =>
  reserveName(records, tenant, {
    nameKind: named.nameKind,
    key: named.keyOf(name),
    kind: named.kind,
    id,
    at: updatedAt,
    taken: () =>
      new Fault('conflict', `A ${named.what} named ${name} already exists`, [
        { field: 'name', reason: 'already in use' },
      ]),
  });

/** Throws Fault `not-found`. */
export const findNamed = async <T extends NamedRecord>(
  records: RecordStore,
  tenant: string,
  { what, kind }: NamedKind,
  id: string,
): Promise<StoredRecord<T>> => {
  const stored = await records.get<T>(tenant, kind, id);
  if (stored === null) throw notFound(capital(what), id);
  return stored;
};

/** Throws Fault `conflict` when the name is in use or there are too many. Returns the revision. */
export const addNamed = async <T extends NamedRecord>(
  records: RecordStore,
  tenant: string,
  named: NamedKind,
  body: T,
  sideRecords: readonly SideRecord[],
): Promise<number> => {
  const { what, kind, atMost } = named;
  if ((await everyRecord(records, tenant, kind)).length >= atMost)
    throw new Fault('conflict', `Limit reached: ${atMost} ${what}s per tenant`);
  await reserve(records, tenant, named, body);
  return records.put(tenant, kind, body.id, body, { expected: 0, sideRecords });
};

/** Releases a name that was reserved for a change that was not made. */
const releaseName = async (records: RecordStore, tenant: string, named: NamedKind, { id, name }: NamedRecord) => {
  const { kind, nameKind, keyOf } = named;
  const stored = await records.get<NamedRecord>(tenant, kind, id);
  if (stored !== null && keyOf(stored.body.name) !== keyOf(name)) await records.remove(tenant, nameKind, keyOf(name));
};

/**
 * Throws Fault `conflict` when a new name is in use, `precondition` when it changed meanwhile. Returns the revision.
 */
export const putNamed = async <T extends NamedRecord>(
  records: RecordStore,
  tenant: string,
  named: NamedKind,
  { before, after, expected, sideRecords }: Replacement<T>,
): Promise<number> => {
  const [oldName, newName] = [named.keyOf(before.name), named.keyOf(after.name)];
  if (oldName !== newName) await reserve(records, tenant, named, after);
  const revision = await records
    .put(tenant, named.kind, after.id, after, { expected, sideRecords })
    .catch(async (error) => {
      await releaseName(records, tenant, named, after);
      throw error;
    });
  if (oldName !== newName) await records.remove(tenant, named.nameKind, oldName);
  return revision;
};

export const dropNamed = async (
  records: RecordStore,
  tenant: string,
  { kind, nameKind, keyOf }: NamedKind,
  { id, name }: NamedRecord,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await records.remove(tenant, kind, id, sideRecords);
  await records.remove(tenant, nameKind, keyOf(name));
};
