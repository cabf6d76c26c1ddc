import { z } from 'zod';
import { MATCH_KEYS } from '#domain/topology/match.ts';
import type { ConnectionGroup, Listener } from '#features/discovery/rules/network.ts';
import { SOURCES, type SourceClaim } from '#features/discovery/rules/provenance.ts';
import { HOST_ACTIONS, type HostOutcome, SCAN_STATUSES, type Scan } from '#features/discovery/rules/scan.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

/* Responses about scans, their hosts and the data derived from them. */

const count = z.int().min(0);
const summaryFields = {
  scan_id: z.string(),
  scan_type: z.string(),
  scanner_id: z.string(),
  status: z.enum(SCAN_STATUSES),
  submitted_at: IsoTime,
  completed_at: IsoTime.nullable(),
  hosts_total: count,
  hosts_done: count,
  created: count,
  updated: count,
  unchanged: count,
  ambiguous: count,
  failed: count,
  error: z.string().nullable(),
};
export const ScanSummary = z.object(summaryFields).meta({ id: 'Scan' });

const HostResult = z
  .object({
    index: count.meta({ description: 'Index in the scan, starting at 0' }),
    hostname: z.string().nullable(),
    ip_address: z.string().nullable(),
    action: z.enum(HOST_ACTIONS),
    ci_id: z.string().nullable(),
    matched_by: z.enum([...MATCH_KEYS, 'review']).nullable(),
    reason: z.string().nullable(),
    review_id: z.string().nullable(),
  })
  .meta({ id: 'ScannedHostResult' });
export const ScanDetail = z
  .object({
    ...summaryFields,
    hosts: z.array(HostResult),
    hosts_page: z.object({ page: count, limit: count, total: count, pages: count }),
  })
  .meta({ id: 'ScanDetail' });

export const scanView = (scan: Scan): z.output<typeof ScanSummary> => ({
  scan_id: scan.id,
  scan_type: scan.scanType,
  scanner_id: scan.scannerId,
  status: scan.status,
  submitted_at: iso(scan.submittedAt),
  completed_at: scan.completedAt === null ? null : iso(scan.completedAt),
  hosts_total: scan.hostsTotal,
  hosts_done: scan.hostsDone,
  ...scan.counts,
  error: scan.error,
});

export const hostResult = (one: HostOutcome): z.output<typeof HostResult> => ({
  index: one.index,
  hostname: one.hostname,
  ip_address: one.ipAddress,
  action: one.action,
  ci_id: one.ci,
  matched_by: one.by,
  reason: one.reason,
  review_id: one.review,
});

const ClaimView = z.object({
  value: z.unknown(),
  source: z.enum(SOURCES),
  by: z.string(),
  seen_at: IsoTime,
  authority: z.int().min(1).meta({ description: 'Rank of the source; 1 is highest' }),
});
export const ProvenanceView = z
  .object({
    ci_id: z.string(),
    authority: z.array(z.enum(SOURCES)).meta({ description: 'Sources, highest priority first' }),
    attributes: z.record(z.string(), ClaimView.extend({ losers: z.array(ClaimView) })),
  })
  .meta({ id: 'Provenance' });

export const claimView = (authority: readonly SourceClaim['source'][]) => (claim: SourceClaim) => ({
  value: claim.value,
  source: claim.source,
  by: claim.by,
  seen_at: iso(claim.seenAt),
  authority: authority.indexOf(claim.source) + 1,
});

/** docs/specification.md §11. */
export const ProcessConnections = z
  .object({
    groups: z.array(
      z.object({
        processName: z.string(),
        targetIP: z.string(),
        targetServer: z.string().nullable(),
        targetCIId: z.string().nullable(),
        connectionCount: count,
        ports: z.array(z.int()),
        firstSeen: IsoTime,
        lastSeen: IsoTime,
      }),
    ),
  })
  .meta({ id: 'ProcessConnections' });

export const connectionView = (
  group: ConnectionGroup,
  target: { readonly id: string; readonly name: string } | null,
) => ({
  processName: group.process,
  targetIP: group.targetIp,
  targetServer: target?.name ?? null,
  targetCIId: target?.id ?? null,
  connectionCount: group.count,
  ports: [...group.ports],
  firstSeen: iso(group.firstSeen),
  lastSeen: iso(group.lastSeen),
});

/** docs/specification.md §11. */
export const ListeningProcessView = z
  .object({
    found: z.boolean(),
    process: z
      .object({
        name: z.string(),
        pid: z.int().nullable(),
        port: z.int(),
        protocol: z.string(),
        description: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'ListeningProcess' });

export const listenerView = (listener: Listener | null): z.output<typeof ListeningProcessView> => {
  if (listener === null) return { found: false, process: null };
  const { name, pid, port, protocol, description } = listener;
  return { found: true, process: { name, pid, port, protocol, description } };
};
