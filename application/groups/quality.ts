import { decisionsOfMany } from '#application/events/group-membership.ts';
import { CAUSE_VERDICTS, type ListedGroup, type Verdict } from '#domain/correlation/grouping/group-state.ts';
import { correlationTypes } from '#domain/correlation/grouping/group-view.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Interval, wilson } from '#domain/statistics/bounds.ts';
import { type Bin, binsOf, calibrationError } from '#domain/statistics/calibration.ts';
import { type Corrections, correctionsSince } from './corrections.ts';

/** Groups with a verdict that are counted, those with the latest arrival. */
const MOST = 1_000;
const PAGE = 100;

/** How often the cause was right, of the verdicts that say so or not. */
interface Share {
  readonly right: number;
  readonly of: number;
  /** Wilson's, 95 %; null when nothing was counted. */
  readonly interval: Interval | null;
}
/** How far the confidence of causes is from how often they were right. */
interface Calibration {
  readonly of: number;
  /** Null below 30 verdicts. */
  readonly error: number | null;
  readonly bins: readonly Bin[];
}
export interface Quality {
  readonly verdicts: number;
  readonly cause: Share;
  readonly members: Readonly<Record<Verdict['members'], number>>;
  readonly corrections: Corrections;
  readonly calibration: Calibration;
  /** By the strategy of the cause's best link, and by the type of its CI; null: none is stored, or it has none. */
  readonly byStrategy: readonly (Share & { readonly strategy: string | null })[];
  readonly byCiType: readonly (Share & { readonly type: string | null })[];
  readonly isTruncated: boolean;
}

interface Judged {
  readonly verdict: Verdict;
  readonly eventId: string | null;
  readonly confidence: number | null;
}
type Reading = Pick<Ports, 'groupRows' | 'events' | 'correlation' | 'records'>;

async function judgedOf({ groupRows }: Reading, tenant: string, since: number): Promise<readonly Judged[]> {
  const found: Judged[] = [];
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

const shareOf = (all: readonly Judged[]): Share => {
  const said = all.filter(({ verdict }) => verdict.cause !== 'unknown');
  const right = said.filter(({ verdict }) => verdict.cause === 'right').length;
  return { right, of: said.length, interval: wilson(right, said.length) };
};

const BINS = 5;
const LEAST_JUDGED = 30;

const calibrationOf = (judged: readonly Judged[]): Calibration => {
  const said = judged.flatMap(({ verdict: { cause }, confidence }) =>
    cause === 'unknown' || confidence === null ? [] : [{ confidence, isRight: cause === 'right' }],
  );
  const bins = binsOf(said, BINS);
  return { of: said.length, error: said.length < LEAST_JUDGED ? null : calibrationError(bins), bins };
};

const byMost = <T extends Share>(shares: readonly T[]): T[] => [...shares].sort((a, b) => b.of - a.of);

/** Verdicts of people on groups since a time (ms), counted. */
export const qualityOf = async (ports: Reading, tenant: string, since: number): Promise<Quality> => {
  const judged = await judgedOf(ports, tenant, since);
  const ids = [...new Set(judged.flatMap(({ eventId }) => eventId ?? []))];
  const types = new Map((await ports.events.getMany(tenant, ids)).map(({ id, ci }) => [id, ci?.type ?? null]));
  const strategies = new Map<string, string>();
  for await (const { decisions } of decisionsOfMany(ports, tenant, ids))
    for (const [id, strategy] of correlationTypes(decisions)) strategies.set(id, strategy);
  const grouped = (of: ReadonlyMap<string, string | null>) =>
    [...Map.groupBy(judged, ({ eventId }) => of.get(eventId ?? '') ?? null)].map(
      ([name, all]) => [name, shareOf(all)] as const,
    );
  const counted = (wanted: Verdict['members']): number =>
    judged.filter(({ verdict }) => verdict.members === wanted).length;
  return {
    verdicts: judged.length,
    cause: shareOf(judged),
    corrections: await correctionsSince(ports, tenant, since),
    calibration: calibrationOf(judged),
    members: { right: counted('right'), too_many: counted('too_many'), too_few: counted('too_few') },
    byStrategy: byMost(grouped(strategies).map(([strategy, share]) => ({ strategy, ...share }))),
    byCiType: byMost(grouped(types).map(([type, share]) => ({ type, ...share }))),
    isTruncated: judged.length >= MOST,
  };
};
