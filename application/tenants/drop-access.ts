import { recordChunks } from '#application/records/list-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

interface Owned {
  readonly tenant?: string;
}

async function dropKind(records: RecordStore, tenant: string, kind: string): Promise<void> {
  for await (const chunk of recordChunks<Owned>(records, SYSTEM_TENANT, kind))
    for (const { id, body } of chunk) if (body.tenant === tenant) await records.remove(SYSTEM_TENANT, kind, id);
}

/** Removes credentials, sessions and the waiting work of features of a tenant, wherever its tokens and users are by then. */
export async function dropAccess({ records, ownedRecords }: Pick<Ports, 'records' | 'ownedRecords'>, tenant: string) {
  for (const kind of ownedRecords.kinds) await dropKind(records, tenant, kind);
  for (const kind of ownedRecords.leases) await records.remove(SYSTEM_TENANT, kind, tenant);
}
