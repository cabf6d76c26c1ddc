/** One delivery of a scanner and what became of its hosts. Times are epoch ms. */
import type { Actor } from '#domain/event/event.ts';
import type { MatchKey } from '#domain/topology/match.ts';
import type { Host } from './host.ts';

export const SCAN_STATUSES = ['running', 'completed', 'failed'] as const;
export type ScanStatus = (typeof SCAN_STATUSES)[number];

export const HOST_ACTIONS = ['created', 'updated', 'unchanged', 'ambiguous', 'failed'] as const;
export type HostAction = (typeof HOST_ACTIONS)[number];
type ScanCounts = Readonly<Record<HostAction, number>>;
export const NO_COUNTS: ScanCounts = { created: 0, updated: 0, unchanged: 0, ambiguous: 0, failed: 0 };

export interface Scan {
  readonly id: string;
  readonly scanType: string;
  readonly scannerId: string;
  /** Time of the scan, which determines freshness. */
  readonly seenAt: number;
  readonly status: ScanStatus;
  readonly submittedAt: number;
  readonly completedAt: number | null;
  readonly hostsTotal: number;
  readonly hostsDone: number;
  readonly counts: ScanCounts;
  readonly chunks: number;
  /** Its sender, for the audit of its changes. */
  readonly actor: Actor;
  readonly address: string;
  readonly department: string | null;
  /** Reason for the failure. */
  readonly error: string | null;
}

/** A host as it was given in, or why it could not be read. */
export type GivenHost =
  | { readonly host: Host }
  | { readonly bad: string; readonly hostname: string | null; readonly ipAddress: string | null };

export interface HostOutcome {
  /** Index in the scan, starting at 0. */
  readonly index: number;
  readonly hostname: string | null;
  readonly ipAddress: string | null;
  readonly action: HostAction;
  readonly ci: string | null;
  readonly by: MatchKey | 'review' | null;
  /** Reason for the failure or the ambiguity. */
  readonly reason: string | null;
  readonly review: string | null;
}

export const counted = (counts: ScanCounts, outcomes: readonly Pick<HostOutcome, 'action'>[]): ScanCounts => {
  const sum: Record<HostAction, number> = { ...counts };
  for (const { action } of outcomes) sum[action] += 1;
  return sum;
};

/** A scan of which nothing could be used has failed. */
export const finishedStatus = ({ hostsTotal, counts }: Pick<Scan, 'hostsTotal' | 'counts'>): ScanStatus =>
  hostsTotal > 0 && counts.failed === hostsTotal ? 'failed' : 'completed';
