import { Fault, notFound } from '#domain/fault.ts';
import type { Memory } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
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
interface NamedKind {
  /** Noun for the user. */
  readonly what: string;
  readonly kind: string;
  /** Kind of the records that keep the names. */
  readonly nameKind: string;
  readonly keyOf: (name: string) => string;
  readonly atMost: number;
}

interface Replacement<T> {
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

/** Releases a name that was reserved for a change that was not made. */
const releaseName = async (records: RecordStore, tenant: string, named: NamedKind, { id, name }: NamedRecord) => {
  const { kind, nameKind, keyOf } = named;
  const stored = await records.get<NamedRecord>(tenant, kind, id);
  if (stored !== null && keyOf(stored.body.name) !== keyOf(name)) await records.remove(tenant, nameKind, keyOf(name));
};

type NamedPorts = Pick<Ports, 'records' | 'memory'>;

/**
 * Returns the functions of one kind. `forget` drops what the process remembers of the tenant, after each change; `also`
 * gives further records to store with one.
 */
export const namedStore = <T extends NamedRecord, P extends NamedPorts = NamedPorts>(
  named: NamedKind,
  forget: (memory: Memory, tenant: string) => void,
  also: (ports: P, tenant: string, record: T) => readonly SideRecord[] = () => [],
) => {
  const { what, kind, nameKind, keyOf, atMost } = named;
  return {
    /** Throws Fault `not-found`. */
    find: async (records: RecordStore, tenant: string, id: string): Promise<StoredRecord<T>> => {
      const stored = await records.get<T>(tenant, kind, id);
      if (stored === null) throw notFound(capital(what), id);
      return stored;
    },

    /** Throws Fault `conflict` when the name is in use or there are too many. Returns the revision. */
    add: async (ports: P, tenant: string, body: T, sideRecords: readonly SideRecord[]): Promise<number> => {
      const { records, memory } = ports;
      if ((await everyRecord(records, tenant, kind)).length >= atMost)
        throw new Fault('conflict', `Limit reached: ${atMost} ${what}s per tenant`);
      await reserve(records, tenant, named, body);
      const together = [...sideRecords, ...also(ports, tenant, body)];
      const revision = await records.put(tenant, kind, body.id, body, { expected: 0, sideRecords: together });
      forget(memory, tenant);
      return revision;
    },

    /** Throws Fault `conflict` when a new name is in use, `precondition` when it changed meanwhile. Returns the revision. */
    put: async (
      ports: P,
      tenant: string,
      { before, after, expected, sideRecords }: Replacement<T>,
    ): Promise<number> => {
      const { records, memory } = ports;
      const [oldName, newName] = [keyOf(before.name), keyOf(after.name)];
      if (oldName !== newName) await reserve(records, tenant, named, after);
      const together = [...sideRecords, ...also(ports, tenant, after)];
      const revision = await records
        .put(tenant, kind, after.id, after, { expected, sideRecords: together })
        .catch(async (error) => {
          await releaseName(records, tenant, named, after);
          throw error;
        });
      if (oldName !== newName) await records.remove(tenant, nameKind, oldName);
      forget(memory, tenant);
      return revision;
    },

    drop: async (ports: P, tenant: string, body: T, sideRecords: readonly SideRecord[]): Promise<void> => {
      const { records, memory } = ports;
      await records.remove(tenant, kind, body.id, [...sideRecords, ...also(ports, tenant, body)]);
      await records.remove(tenant, nameKind, keyOf(body.name));
      forget(memory, tenant);
    },
  };
};
