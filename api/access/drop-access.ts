import { DISCOVERY_KINDS } from '#api/discovery/records.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import { type RecordStore, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** What is kept under no tenant and belongs to one: its body says to which. */
const KINDS = [ACCESS_KINDS.credential, ACCESS_KINDS.session, DISCOVERY_KINDS.queue];
const CHUNK = 1_000;

async function dropKind(records: RecordStore, tenant: string, kind: string): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const options = { limit: CHUNK, ...(after === undefined ? {} : { after }) };
    const found = await records.list<{ readonly tenant?: string }>(SYSTEM_TENANT, kind, options);
    for (const { id, body } of found) if (body.tenant === tenant) await records.remove(SYSTEM_TENANT, kind, id);
    if (found.length < CHUNK) return;
    after = found.at(-1)!.id;
  }
}

/** Removes credentials, sessions and waiting scans of a tenant, wherever its tokens and users are by then. */
export async function dropAccess(records: RecordStore, tenant: string): Promise<void> {
  for (const kind of KINDS) await dropKind(records, tenant, kind);
  await records.remove(SYSTEM_TENANT, DISCOVERY_KINDS.lease, tenant);
}
