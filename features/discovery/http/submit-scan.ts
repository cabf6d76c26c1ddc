import { parsed } from '#api/http/routing/exchange.ts';
import { onBothLinked } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { askerOf, audited } from '#application/access/audit.ts';
import { placeRecord } from '#application/tasks/places.ts';
import { believable } from '#domain/event/lifecycle/change.ts';
import { Fault, invalid, isOvertaken } from '#domain/fault.ts';
import { NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import { ScanData, ScanEnvelope } from '#features/discovery/schemas/discovery.ts';
import { ScanSummary, scanView } from '#features/discovery/schemas/discovery-view.ts';
import { discoveryTasks } from '#features/discovery/use-cases/discovery-tasks.ts';
import { DISCOVERY_KINDS, readScan, saveScan } from '#features/discovery/use-cases/records.ts';
import { Spool, type Spooled } from './spool.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const KEY_KEPT_MS = 24 * 3_600_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

interface ScanUpload {
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
}): ScanUpload => {
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
    throw new Fault('unprocessable', 'This Idempotency-Key was already used with a different request', [
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

async function enqueue(context: Context, scan: Scan): Promise<void> {
  const { tenant, ports } = context;
  const place = placeRecord(discoveryTasks, { tenant, id: scan.id, at: scan.submittedAt });
  const { scanType: scan_type, scannerId: scanner_id, hostsTotal: hosts_total } = scan;
  const target = { kind: 'scan', id: scan.id };
  const after = { scan_type, scanner_id, hosts_total };
  const entry = audited(context, { action: 'scan.submitted', target, before: null, after });
  await saveScan(ports, tenant, scan, [place, entry]);
  ports.background.ring(discoveryTasks.name);
}

async function submit({ body }: ScanUpload, context: Context): Promise<Submitted> {
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

const present =
  (prefix: string) =>
  ({ scan, replayed }: Submitted) => ({
    body: scanView(scan),
    headers: { Location: `${prefix}/discovery/scans/${scan.id}`, ...(replayed && { 'Idempotency-Replayed': 'true' }) },
  });

export const submitScan = endpoint<ScanUpload, Submitted>({
  id: 'discovery.submit-scan',
  takesLong: true,
  summary: 'Submit scan data',
  description:
    'Processed in the background. Up to 64 MiB and 100,000 hosts. Invalid hosts fail individually. Idempotent.',
  tag: 'Discovery',
  permission: 'discovery.submit',
  limit: 'bulk',
  ownKeys: true,
  mounts: onBothLinked.post(
    '/discovery/scan-data',
    ScanSummary,
    {
      body: ScanData,
      bodyKind: 'stream',
      replyHeaders: ['Location'],
      maxBytes: MAX_BYTES,
      status: 202,
      read: readBody,
    },
    present,
  ),
  handle: submit,
});
