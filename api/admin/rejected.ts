import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { REJECTED_KIND, type RejectedPayload } from '#application/events/sources/rejected-payloads.ts';
import type { Page } from '#domain/page.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { RejectedQuery, RejectedView } from '#schemas/http/admin/admin.ts';
import { wrappedList } from '#schemas/http/envelope.ts';
import { PAGE_WINDOW, type Paging, pageInfo } from '#schemas/http/paging.ts';
import { iso } from '#schemas/http/time.ts';

/** Each has up to 8 KiB of payload. */
const CHUNK = 200;

type Rejected = StoredRecord<RejectedPayload>;
interface RejectedPage {
  readonly paging: Paging;
  readonly found: Page<Rejected>;
}

async function* newestFirst(records: RecordStore, tenant: string, before?: string): AsyncGenerator<Rejected> {
  let after = before;
  for (;;) {
    const options = { limit: CHUNK, descending: true, ...(after !== undefined && { after }) };
    const chunk = await records.list<RejectedPayload>(tenant, REJECTED_KIND, options);
    yield* chunk;
    if (chunk.length < CHUNK) return;
    after = chunk.at(-1)?.id;
  }
}

/** Returns the number, at most 10,000. */
async function countOf(records: RecordStore, tenant: string): Promise<number> {
  let count = 0;
  for await (const _ of newestFirst(records, tenant)) if (++count >= PAGE_WINDOW) break;
  return count;
}

async function pageOf(
  records: RecordStore,
  tenant: string,
  { page, limit, cursor }: Paging,
): Promise<Omit<Page<Rejected>, 'total'>> {
  let skipped = cursor === undefined ? (page - 1) * limit : 0;
  const items: Rejected[] = [];
  for await (const one of newestFirst(records, tenant, cursor)) {
    if (skipped-- > 0) continue;
    if (items.length === limit) return { items, nextCursor: items.at(-1)?.id ?? null };
    items.push(one);
  }
  return { items, nextCursor: null };
}

export const listRejected = endpoint<Paging, RejectedPage>({
  id: 'admin.rejected.list',
  summary: 'List rejected webhook payloads',
  description: 'Stored for 7 days, up to 5 per request. Payloads are truncated at 8,192 characters.',
  tag: 'Administration',
  permission: 'pipeline.read',
  mounts: on.platform.get('/admin/rejected', {
    query: RejectedQuery,
    reply: wrappedList(RejectedView),
    read: ({ query }) => query,
    present: ({ paging, found }) => ({
      body: found.items.map(({ id, body: { at, source, error, index, payload, kind = 'unreadable' } }) => ({
        id,
        at: iso(at),
        source,
        error,
        index,
        payload,
        kind,
      })),
      page: pageInfo(paging, found),
    }),
  }),
  handle: async (paging, { tenant, ports: { records } }) => ({
    paging,
    found: { ...(await pageOf(records, tenant, paging)), total: await countOf(records, tenant) },
  }),
});
