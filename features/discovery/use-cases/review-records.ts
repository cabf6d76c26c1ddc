import type { Actor } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { sameJson } from '#domain/same-json.ts';
import { MATCH_KEYS, type MachineKeys, type MatchKey } from '#domain/topology/match.ts';
import type { Host } from '#features/discovery/rules/host.ts';
import type { MatchQuestion } from '#features/discovery/rules/match.ts';
import { DISCOVERY_KINDS } from './records.ts';

const REVIEW_STATUSES = ['open', 'resolved', 'dismissed'] as const;
type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** A machine with an ambiguous CI; times in ms. */
export interface Review {
  readonly id: string;
  readonly status: ReviewStatus;
  readonly scannerId: string;
  /** The last scan that met it. */
  readonly scanId: string;
  readonly seenAt: number;
  readonly host: Host;
  readonly by: MatchKey;
  readonly reason: string;
  readonly candidates: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resolution: { readonly ci: string | null; readonly by: Actor; readonly at: number } | null;
}

/** An undecided question is raised again when a later scan finds the machine; ms. */
export const OPEN_KEPT_MS = 90 * 86_400_000;
const ID_CHARACTERS = 26;

/** One ID per machine, so that a decision applies to later scans. Addresses move, so they count only without other keys or with a shared name. */
export function reviewIdOf(
  { crypto }: Pick<Ports, 'crypto'>,
  machine: MachineKeys,
  addresses: readonly string[] = [],
): string {
  const lasting = MATCH_KEYS.filter((key) => key !== 'ip_address' && machine[key].length > 0);
  const keys = lasting.length > 0 ? lasting : (['ip_address'] as const);
  const texts = keys.map((key) => `${key} ${[...machine[key]].sort().join(' ')}`);
  const at = addresses.length > 0 ? [`at ${[...addresses].sort().join(' ')}`] : [];
  const text = [...texts, ...at].join('\n');
  return crypto.sha256(text).slice(0, ID_CHARACTERS);
}

export const readReview = async ({ records }: Pick<Ports, 'records'>, tenant: string, id: string) =>
  (await records.get<Review>(tenant, DISCOVERY_KINDS.review, id)) ?? null;

export interface Unsure {
  readonly id: string;
  readonly decision: MatchQuestion;
  readonly host: Host;
  readonly scan: { readonly id: string; readonly scannerId: string; readonly seenAt: number };
}

/** Puts the question, or brings it up to date; an older scan or the same one changes nothing. */
export async function askReview(ports: Ports, tenant: string, unsure: Unsure, known: Review | null): Promise<void> {
  const { id, decision, host, scan } = unsure;
  const { by, reason, candidates } = decision;
  const now = ports.clock.now();
  const isOpen = known?.status === 'open';
  if (isOpen && (known.seenAt > scan.seenAt || (known.seenAt === scan.seenAt && sameJson(known.host, host)))) return;
  const review: Review = {
    id,
    status: 'open',
    scannerId: scan.scannerId,
    scanId: scan.id,
    seenAt: scan.seenAt,
    host,
    by,
    reason,
    candidates,
    createdAt: isOpen ? known.createdAt : now,
    updatedAt: now,
    resolution: null,
  };
  await ports.records.put(tenant, DISCOVERY_KINDS.review, id, review, { expiresAt: now + OPEN_KEPT_MS });
}
