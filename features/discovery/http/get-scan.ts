import { z } from 'zod';
import { onBoth } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { lastItem } from '#domain/assert.ts';
import { notFound } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { HOST_ACTIONS, type HostAction, type HostOutcome, type Scan } from '#features/discovery/rules/scan.ts';
import { hostResult, ScanDetail, scanView } from '#features/discovery/schemas/discovery-view.ts';
import { type ChunkOutcome, DISCOVERY_KINDS, readScan } from '#features/discovery/use-cases/records.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { pageFields } from '#schemas/http/paging.ts';

const CHUNKS_AT_ONCE = 100;
const { page, limit } = pageFields({ limit: 100, max: 1_000 });
const Query = z.strictObject({ action: z.enum(HOST_ACTIONS).optional(), page, limit });
type ScanQuery = z.output<typeof Query>;

interface ScanRequest {
  readonly id: string;
  readonly query: ScanQuery;
}
interface ScanWithHosts {
  readonly scan: Scan;
  readonly query: ScanQuery;
  readonly hosts: readonly HostOutcome[];
  readonly total: number;
}

/** Number of hosts of a scan with this outcome so far. */
const totalOf = ({ counts, hostsDone }: Scan, action: HostAction | undefined): number =>
  action === undefined ? hostsDone : counts[action];

/** Outcomes of all hosts that were done, in the order of the scan. */
async function* outcomesOf(records: RecordStore, tenant: string, { id }: Scan): AsyncGenerator<HostOutcome> {
  for (let after = id; ; ) {
    const list = await records.list<ChunkOutcome>(tenant, DISCOVERY_KINDS.outcome, { after, limit: CHUNKS_AT_ONCE });
    const own = list.filter((one) => one.id.startsWith(`${id}/`));
    for (const { body } of own) yield* body.hosts;
    if (own.length < CHUNKS_AT_ONCE) return;
    after = lastItem(own).id;
  }
}

async function findHosts(records: RecordStore, tenant: string, scan: Scan, query: ScanQuery): Promise<HostOutcome[]> {
  const { action, page, limit } = query;
  const found: HostOutcome[] = [];
  let passed = 0;
  for await (const host of outcomesOf(records, tenant, scan)) {
    if (action !== undefined && host.action !== action) continue;
    if (passed++ >= (page - 1) * limit) found.push(host);
    if (found.length === limit) break;
  }
  return found;
}

export const getScan = endpoint<ScanRequest, ScanWithHosts>({
  id: 'discovery.get-scan',
  summary: 'Get a scan with per-host results',
  tag: 'Discovery',
  permission: 'discovery.read',
  mounts: onBoth.get('/discovery/scans/{id}', ScanDetail, {
    params: IdPath,
    query: Query,
    read: ({ params, query }): ScanRequest => ({ id: params.id, query }),
    present: ({ scan, query, hosts, total }: ScanWithHosts) => ({
      body: {
        ...scanView(scan),
        hosts: hosts.map(hostResult),
        hosts_page: { page: query.page, limit: query.limit, total, pages: Math.ceil(total / query.limit) },
      },
    }),
  }),
  async handle({ id, query }, { tenant, ports: { records } }) {
    const scan = await readScan(records, tenant, id);
    if (scan === null) throw notFound('Scan', id);
    return { scan, query, hosts: await findHosts(records, tenant, scan, query), total: totalOf(scan, query.action) };
  },
});
