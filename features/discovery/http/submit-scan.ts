import { parsed } from '#api/http/routing/exchange.ts';
import { bothLinked } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { askerOf, audited } from '#application/access/audit.ts';
import { believable } from '#domain/event/life/change.ts';
import { Fault, invalid, isOvertaken } from '#domain/fault.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import { ScanData, ScanEnvelope } from '#features/discovery/schemas/discovery.ts';
import { ScanSummary, scanView } from '#features/discovery/schemas/discovery-view.ts';
import {
  DISCOVER,
  DISCOVERY_KINDS,
  type QueuedScan,
  readScan,
  saveScan,
} from '#features/discovery/use-cases/records.ts';
import { Spool, type Spooled } from './spool.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const KEY_KEPT_MS = 24 * 3_600_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

interface Given {
  readonly body: AsyncIterable<Uint8Array>;
}
interface Submitted {
  readonly scan: Scan;
  readonly replayed: boolean;
}
interface KeyRecord {
  readonly scan: string;
  readonly hash: string;
}

const readBody = ({
  body,
  headers,
}: {
  body: unknown;
  headers: Readonly<Record<string, string | undefined>>;
}): Given => {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw invalid('Content-Type', 'expected application/json');
  return { body: body as AsyncIterable<Uint8Array> };
};

/** The scan that the same request made before, or null when this is the first. Throws Fault `unprocessable` for another request. */
async function earlier(context: Context, id: string, hash: string): Promise<Scan | null> {
  const { tenant, idempotencyKey: key, receivedAt } = context;
  const { records } = context.ports;
  if (key === null) return null;
  const record: KeyRecord = { scan: id, hash };
  const options = { expiresAt: receivedAt + KEY_KEPT_MS };
  try {
    await records.put(tenant, DISCOVERY_KINDS.key, key, record, { ...options, expected: 0 });
    return null;
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
  const stored = (await records.get<KeyRecord>(tenant, DISCOVERY_KINDS.key, key))?.body;
  if (stored !== undefined && stored.hash !== hash)
    throw new Fault('unprocessable', 'This Idempotency-Key was used with another request', [
      { field: 'Idempotency-Key', reason: 'expected a new key for a new request' },
    ]);
  const scan = stored === undefined ? null : await readScan(records, tenant, stored.scan);
  // The request that had the key died before it wrote its scan.
  if (scan === null) await records.put(tenant, DISCOVERY_KINDS.key, key, record, options);
  return scan;
}

const scanOf = (context: Context, id: string, { envelope, hosts, chunks }: Spooled): Scan => {
  const { scan_type, scanner_id, timestamp } = parsed(ScanEnvelope, envelope) as ReturnType<typeof ScanEnvelope.parse>;
  const { receivedAt } = context;
  return {
    id,
    scanType: scan_type,
    scannerId: scanner_id,
    seenAt: believable(timestamp ?? receivedAt, receivedAt),
    status: 'running',
    submittedAt: receivedAt,
    completedAt: null,
    hostsTotal: hosts,
    hostsDone: 0,
    counts: NO_COUNTS,
    chunks,
    error: null,
    ...askerOf(context),
  };
};

/** A place in the queue first, then the scan: what dies in between leaves a place that is cleared away. */
async function enqueue(context: Context, scan: Scan): Promise<void> {
  const { tenant, ports } = context;
  const queued: QueuedScan = { tenant, scan: scan.id, at: scan.submittedAt };
  await ports.records.put(SYSTEM_TENANT, DISCOVERY_KINDS.queue, scan.id, queued);
  const { scanType: scan_type, scannerId: scanner_id, hostsTotal: hosts_total } = scan;
  const target = { kind: 'scan', id: scan.id };
  const after = { scan_type, scanner_id, hosts_total };
  const entry = audited(context, { action: 'scan.submitted', target, before: null, after });
  await saveScan(ports, tenant, scan, [entry]);
  ports.background.ring(DISCOVER);
}

async function submit({ body }: Given, context: Context): Promise<Submitted> {
  const { tenant, ports, receivedAt } = context;
  const id = ports.ids.ulid();
  const spool = new Spool(ports, { tenant, scan: id, receivedAt });
  const spooled = await spool.read(body);
  try {
    const scan = scanOf(context, id, spooled);
    const before = await earlier(context, id, spooled.hash);
    if (before === null) {
      await enqueue(context, scan);
      return { scan, replayed: false };
    }
    await spool.remove();
    return { scan: before, replayed: true };
  } catch (error) {
    await spool.remove();
    throw error;
  }
}

const common = {
  method: 'post',
  path: '/discovery/scan-data',
  body: ScanData,
  bodyKind: 'stream',
  replyHeaders: ['Location'],
  maxBytes: MAX_BYTES,
  status: 202,
  read: readBody,
} as const;
const present =
  (prefix: string) =>
  ({ scan, replayed }: Submitted) => ({
    body: scanView(scan),
    headers: {
      Location: `${prefix}/discovery/scans/${scan.id}`,
      ...(replayed && { 'Idempotency-Replayed': 'true' }),
    },
  });

export const submitScan = endpoint<Given, Submitted>({
  id: 'discovery.submit-scan',
  takesLong: true,
  summary: 'Give in what a scanner has found; it is worked on in the background',
  description: 'At most 64 MiB and 100,000 hosts. A bad host fails alone. The same scan twice changes nothing.',
  tag: 'Discovery',
  permission: 'discovery.submit',
  limit: 'bulk',
  ownKeys: true,
  mounts: bothLinked(common, ScanSummary, present),
  handle: submit,
});
