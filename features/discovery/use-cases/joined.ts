/** Records CIs with new relationships in the same change: a crash loses none. */

import { lastItem } from '#domain/assert.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { type JoinedCis, LEFT_AFTER_MS } from './rebinder.ts';
import { DISCOVERY_KINDS } from './records.ts';

interface JoinedRecord {
  readonly tenant: string;
  readonly ciIds: readonly string[];
  /** Times of the join and of the last attempt; ms. */
  readonly at: number;
  readonly taken: number;
}

/** Age at which no correlation window reaches the events; ms. */
const KEPT_MS = 86_400_000;
/** Records read at once: an import makes one for 1,000 CIs, and open events are looked for on 10,000 CIs at most. */
const PAGE = 10;

const KIND = DISCOVERY_KINDS.joined;

/** Record to store with relationships. */
export const joinedRecord = (
  { ids, clock }: Pick<Ports, 'ids' | 'clock'>,
  tenant: string,
  ciIds: readonly string[],
): SideRecord & { readonly body: JoinedRecord } => {
  const now = clock.now();
  const place = { tenant: SYSTEM_TENANT, kind: KIND, id: ids.ulid() };
  return { ...place, body: { tenant, ciIds, at: now, taken: now }, expiresAt: now + KEPT_MS };
};

export const asJoined = ({ id, body: { tenant, ciIds } }: ReturnType<typeof joinedRecord>): JoinedCis => ({
  tenant,
  ciIds,
  records: [id],
});

/** False when another process was faster. */
async function take({ records, clock }: Ports, { id, revision, body }: StoredRecord<JoinedRecord>): Promise<boolean> {
  const now = clock.now();
  const how = { expected: revision, expiresAt: body.at + KEPT_MS };
  try {
    await records.put<JoinedRecord>(SYSTEM_TENANT, KIND, id, { ...body, taken: now }, how);
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
}

/** All that was left by a process, page by page and by tenant. */
export async function* takeLeft(ports: Ports): AsyncGenerator<JoinedCis> {
  let after: string | null = null;
  do {
    const options = { limit: PAGE, ...(after !== null && { after }) };
    const page: StoredRecord<JoinedRecord>[] = await ports.records.list<JoinedRecord>(SYSTEM_TENANT, KIND, options);
    const taken: StoredRecord<JoinedRecord>[] = [];
    for (const record of page)
      if (ports.clock.now() - record.body.taken >= LEFT_AFTER_MS && (await take(ports, record))) taken.push(record);
    for (const [tenant, some] of Map.groupBy(taken, ({ body }) => body.tenant))
      yield { tenant, ciIds: [...new Set(some.flatMap(({ body }) => body.ciIds))], records: some.map(({ id }) => id) };
    after = page.length < PAGE ? null : lastItem(page).id;
  } while (after !== null);
}

export async function applyJoined({ records }: Ports, { records: ids }: JoinedCis): Promise<void> {
  for (const id of ids) await records.remove(SYSTEM_TENANT, KIND, id);
}
