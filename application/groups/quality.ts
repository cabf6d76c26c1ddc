import { decisionsOfMany } from '#application/events/group-membership.ts';
import { scanRecords } from '#application/records/scan-records.ts';
import { ACCESS_KINDS, type AuditRecord } from '#domain/access/records.ts';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import { CAUSE_VERDICTS, type ListedGroup, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import { correlationTypes } from '#domain/correlation/grouping/group-view.ts';
import type { Decision } from '#domain/correlation/records.ts';
import { takenBack } from '#domain/correlation/taken-back.ts';
import { parseEventId } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Interval, wilson } from '#domain/statistics/bounds.ts';
import { type Bin, binsOf, calibrationError } from '#domain/statistics/calibration.ts';

/** Manual corrections by users, without undone ones. */
interface Corrections {
  /** Number of parts removed from a group, and of merges of events or groups. */
  readonly splits: number;
  readonly merges: number;
  /** True if the audit trail has more entries than the scan limit. */
  readonly isTruncated: boolean;
}

const SPLIT = 'group.split';
const MERGED = 'event.correlated';
/** Maximum of entries scanned and counted. */
const SCANNED = 10_000;
const COUNTED = 5_000;
const CHUNK = 500;
/** The newest decisions, which include undone ones. */
const DECIDED = 1_000;

type CorrectionPorts = Pick<Ports, 'records' | 'events' | 'correlation'>;

/** The event whose decision a correction is; of a split the newest that left. */
const eventOf = ({ action, target, after }: AuditRecord): string => {
  const ids = action === SPLIT ? (after as { readonly eventIds?: readonly string[] } | null)?.eventIds : undefined;
  return parseEventId(ids?.toSorted().at(-1) ?? target.id) ?? '';
};
const keyOf = (eventId: string, at: number): string => `${eventId} ${at}`;

/** Returns effective corrections. */
async function standing(ports: CorrectionPorts, tenant: string, entries: readonly AuditRecord[]) {
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
async function correctionsSince(ports: CorrectionPorts, tenant: string, since: number): Promise<Corrections> {
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

/** Groups with a verdict that are counted, those with the latest arrival. */
const MOST = 1_000;
const PAGE = 100;

/** Share of the verdicts that answer a question. */
interface VerdictShare {
  readonly right: number;
  readonly of: number;
  /** Wilson's, 95 %; null when nothing was counted. */
  readonly interval: Interval | null;
}
/** Difference between the confidence of causes and their accuracy. */
interface Calibration {
  readonly of: number;
  /** Null below 30 verdicts. */
  readonly error: number | null;
  readonly bins: readonly (Bin & Pick<VerdictShare, 'interval'>)[];
}
/** Shares of groups: with the right events, without unrelated ones, without missing ones. */
interface GroupShares {
  readonly correct: VerdictShare;
  readonly precise: VerdictShare;
  readonly complete: VerdictShare;
}
export interface Quality {
  readonly verdicts: number;
  readonly cause: VerdictShare;
  readonly groups: GroupShares;
  readonly members: Readonly<Record<Verdict['members'], number>>;
  readonly corrections: Corrections;
  readonly calibration: Calibration;
  /**
   * Shares by the strategy of the cause's best link, and by the type of its CI; null: none is stored, or it has none.
   */
  readonly byStrategy: readonly (VerdictShare & { readonly strategy: string | null })[];
  readonly byCiType: readonly (VerdictShare & { readonly type: string | null })[];
  readonly isTruncated: boolean;
}

interface CauseVerdict {
  readonly verdict: Verdict;
  readonly eventId: string | null;
  readonly confidence: number | null;
}
type QualityPorts = Pick<Ports, 'groupRows' | 'events' | 'correlation' | 'records'>;

async function judgedOf({ groupRows }: QualityPorts, tenant: string, since: number): Promise<readonly CauseVerdict[]> {
  const found: CauseVerdict[] = [];
  const take = ({ care: { verdict }, group: { candidate } }: ListedGroup): void => {
    if (verdict === undefined || verdict.at < since) return;
    found.push({ verdict, eventId: candidate?.eventId ?? null, confidence: candidate?.confidence ?? null });
  };
  for (const verdict of CAUSE_VERDICTS) {
    let cursor: string | null | undefined;
    for (let read = 0; cursor !== null && read < MOST; read += PAGE) {
      const page = { sort: 'last', order: 'desc', limit: PAGE, ...(cursor !== undefined && { cursor }) } as const;
      const { items, nextCursor } = await groupRows.find(tenant, { verdict }, page);
      for (const row of items) take(row);
      cursor = nextCursor;
    }
  }
  return found;
}

const shareOf = (right: number, of: number): VerdictShare => ({ right, of, interval: wilson(right, of) });

const causesRight = (all: readonly CauseVerdict[]): VerdictShare => {
  const said = all.filter(({ verdict }) => verdict.cause !== 'unknown');
  return shareOf(said.filter(({ verdict }) => verdict.cause === 'right').length, said.length);
};

const BINS = 5;
const MIN_JUDGED = 30;

const calibrationOf = (judged: readonly CauseVerdict[]): Calibration => {
  const said = judged.flatMap(({ verdict: { cause }, confidence }) =>
    cause === 'unknown' || confidence === null ? [] : [{ confidence, isRight: cause === 'right' }],
  );
  const bins = binsOf(said, BINS);
  const error = said.length < MIN_JUDGED ? null : calibrationError(bins);
  const intervalOf = ({ judged, hitRate }: Bin) => wilson(Math.round((hitRate ?? 0) * judged), judged);
  return { of: said.length, error, bins: bins.map((bin) => ({ ...bin, interval: intervalOf(bin) })) };
};

const byMost = <T extends VerdictShare>(shares: readonly T[]): T[] => [...shares].sort((a, b) => b.of - a.of);

/** Counts verdicts of users on groups since a time (ms). */
export const qualityOf = async (ports: QualityPorts, tenant: string, since: number): Promise<Quality> => {
  const judged = await judgedOf(ports, tenant, since);
  const ids = [...new Set(judged.flatMap(({ eventId }) => eventId ?? []))];
  const types = new Map((await ports.events.getMany(tenant, ids)).map(({ id, ci }) => [id, ci?.type ?? null]));
  const strategies = new Map<string, string>();
  for await (const { decisions } of decisionsOfMany(ports, tenant, ids))
    for (const [id, strategy] of correlationTypes(decisions)) strategies.set(id, strategy);
  const grouped = (of: ReadonlyMap<string, string | null>) =>
    [...Map.groupBy(judged, ({ eventId }) => of.get(eventId ?? '') ?? null)].map(
      ([name, all]) => [name, causesRight(all)] as const,
    );
  const counted = (wanted: Verdict['members']): number =>
    judged.filter(({ verdict }) => verdict.members === wanted).length;
  const of = judged.length;
  const members = { right: counted('right'), too_many: counted('too_many'), too_few: counted('too_few') };
  return {
    verdicts: of,
    cause: causesRight(judged),
    groups: {
      correct: shareOf(members.right, of),
      precise: shareOf(of - members.too_many, of),
      complete: shareOf(of - members.too_few, of),
    },
    corrections: await correctionsSince(ports, tenant, since),
    calibration: calibrationOf(judged),
    members,
    byStrategy: byMost(grouped(strategies).map(([strategy, share]) => ({ strategy, ...share }))),
    byCiType: byMost(grouped(types).map(([type, share]) => ({ type, ...share }))),
    isTruncated: of >= MOST,
  };
};
