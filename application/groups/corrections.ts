import { decisionsOfMany } from '#application/events/group-membership.ts';
import { scanRecords } from '#application/records/scan-records.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { Decision } from '#domain/correlation/records.ts';
import { takenBack } from '#domain/correlation/taken-back.ts';
import { parseEventId } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Corrections of people by hand, without those that were taken back. */
export interface Corrections {
  /** How often a part was taken out of a group, and how often events or groups were put together. */
  readonly splits: number;
  readonly merges: number;
  /** More entries of the audit trail than are looked at. */
  readonly isTruncated: boolean;
}

const SPLIT = 'group.split';
const MERGED = 'event.correlated';
/** Entries that are looked at, and counted. */
const SCANNED = 10_000;
const COUNTED = 5_000;
const CHUNK = 500;
/** The newest, of which it is known whether they were taken back. */
const DECIDED = 1_000;

type Reading = Pick<Ports, 'records' | 'events' | 'correlation'>;

/** The event whose decision a correction is; of a split the newest that left. */
const eventOf = ({ action, target, after }: AuditRecord): string => {
  const ids = action === SPLIT ? (after as { readonly eventIds?: readonly string[] } | null)?.eventIds : undefined;
  return parseEventId(ids?.toSorted().at(-1) ?? target.id) ?? '';
};
const keyOf = (eventId: string, at: number): string => `${eventId} ${at}`;

/** Corrections that stand. */
async function standing(ports: Reading, tenant: string, entries: readonly AuditRecord[]) {
  const newest = entries.slice(0, DECIDED);
  const keys = new Set(newest.map((entry) => keyOf(eventOf(entry), entry.at)));
  const made = new Map<number, Decision>();
  for await (const { decisions } of decisionsOfMany(ports, tenant, [...new Set(newest.map(eventOf))]))
    for (const decision of decisions)
      if (decision.hand !== undefined && keys.has(keyOf(decision.eventId, decision.hand.at)))
        made.set(decision.position, decision);
  const decisions = [...made.values()].sort((a, b) => a.position - b.position);
  const gone = takenBack(decisions);
  const dropped = new Set(
    decisions.flatMap(({ position, eventId, hand }) => (gone.has(position) ? keyOf(eventId, hand?.at ?? 0) : [])),
  );
  return entries.filter((entry) => !dropped.has(keyOf(eventOf(entry), entry.at)));
}

/** Counts the audit trail since a time (ms). */
export async function correctionsSince(ports: Reading, tenant: string, since: number): Promise<Corrections> {
  const { items, nextCursor } = await scanRecords<AuditRecord>(ports.records, tenant, {
    kind: ACCESS_KINDS.audit,
    descending: true,
    limit: COUNTED,
    atMost: SCANNED,
    chunk: CHUNK,
    until: leastUlidAt(since),
    matches: ({ action, at }) => at >= since && (action === SPLIT || action === MERGED),
  });
  const stand = await standing(
    ports,
    tenant,
    items.map(({ body }) => body),
  );
  const splits = stand.filter(({ action }) => action === SPLIT).length;
  return { splits, merges: stand.length - splits, isTruncated: nextCursor !== null };
}
