import { onBothList } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { scanRecords } from '#application/records/scan-records.ts';
import type { Page } from '#domain/page.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { Scan } from '#features/discovery/rules/scan.ts';
import { ScanDataView } from '#features/discovery/schemas/discovery.ts';
import { ScanDataQuery, ScansQuery } from '#features/discovery/schemas/discovery-admin.ts';
import { ScanSummary, scanView } from '#features/discovery/schemas/discovery-view.ts';
import { chunkId, DISCOVERY_KINDS, type HostChunk } from '#features/discovery/use-cases/records.ts';
import { PAGE_WINDOW, pageInfo } from '#schemas/http/paging.ts';
import { iso } from '#schemas/http/time.ts';

const READ_AT_ONCE = 500;
/** Hosts shown of each scan in the list of scan data. */
const HOSTS_SHOWN = 100;

/** Newest first; given in between `from` and `to`. */
async function findScans(records: RecordStore, tenant: string, query: ScansQuery): Promise<Page<Scan>> {
  const { page, limit, cursor, scanner_id, status, from, to } = query;
  const skipped = cursor === undefined ? (page - 1) * limit : 0;
  const { items, ...rest } = await scanRecords<Scan>(records, tenant, {
    kind: DISCOVERY_KINDS.scan,
    descending: true,
    atMost: PAGE_WINDOW,
    chunk: READ_AT_ONCE,
    limit: skipped + limit,
    after: cursor,
    matches: (scan) =>
      (scanner_id === undefined || scan.scannerId === scanner_id) &&
      (status === undefined || scan.status === status) &&
      (from === undefined || scan.submittedAt >= from) &&
      (to === undefined || scan.submittedAt <= to),
  });
  return { ...rest, items: items.slice(skipped).map(({ body }) => body) };
}

const reading = { tag: 'Discovery', permission: 'discovery.read', limit: 'standard' } as const;

interface ScansPage {
  readonly query: ScansQuery;
  readonly found: Page<Scan>;
}

export const listScans = endpoint<ScansQuery, ScansPage>({
  ...reading,
  id: 'discovery.list-scans',
  summary: 'List scans',
  mounts: onBothList.get('/discovery/scans', ScanSummary, {
    query: ScansQuery,
    read: ({ query }) => query,
    present: ({ query, found }: ScansPage) => ({ body: found.items.map(scanView), page: pageInfo(query, found) }),
  }),
  handle: async (query, { tenant, ports }) => ({ query, found: await findScans(ports.records, tenant, query) }),
});

interface ScanDataPage {
  readonly query: ScansQuery;
  readonly found: Page<Scan>;
  readonly chunks: readonly (HostChunk | null)[];
}

const shownHosts = (chunk: HostChunk | null) =>
  (chunk?.hosts ?? []).slice(0, HOSTS_SHOWN).map((given) => {
    if ('bad' in given)
      return {
        ip_address: given.ipAddress,
        hostname: given.hostname,
        mac_address: null,
        open_ports: [],
        os_guess: null,
      };
    const { ipAddress, hostname, macAddress, openPorts, osGuess, os } = given.host;
    return {
      ip_address: ipAddress ?? null,
      hostname: hostname ?? null,
      mac_address: macAddress ?? null,
      open_ports: [...(openPorts ?? [])],
      os_guess: osGuess ?? os ?? null,
    };
  });

const scanData = (scan: Scan, chunk: HostChunk | null) => {
  const discovered_hosts = shownHosts(chunk);
  return {
    scan_id: scan.id,
    scan_type: scan.scanType,
    scanner_id: scan.scannerId,
    timestamp: iso(scan.seenAt),
    data: { discovered_hosts },
    hosts_total: scan.hostsTotal,
    truncated: discovered_hosts.length < scan.hostsTotal,
  };
};

export const listScanData = endpoint<ScansQuery, ScanDataPage>({
  ...reading,
  id: 'discovery.list-scan-data',
  summary: 'List submitted scan data',
  mounts: onBothList.get('/discovery/scan-data', ScanDataView, {
    query: ScanDataQuery,
    read: ({ query }) => query,
    present: ({ query, found, chunks }: ScanDataPage) => ({
      body: found.items.map((scan, i) => scanData(scan, chunks[i] ?? null)),
      page: pageInfo(query, found),
    }),
  }),
  async handle(query, { tenant, ports: { records } }) {
    const found = await findScans(records, tenant, query);
    const first = ({ id }: Scan) => records.get<HostChunk>(tenant, DISCOVERY_KINDS.chunk, chunkId(id, 0));
    const chunks = (await Promise.all(found.items.map(first))).map((stored) => stored?.body ?? null);
    return { query, found, chunks };
  },
});
