import { recordOf } from '#domain/correlation/grouping/apply.ts';
import type { GroupMemory } from '#domain/correlation/grouping/group-memory.ts';
import type { OpenGroup } from '#domain/correlation/grouping/groups.ts';
import type { Arrival, CorrelationInput, Enriched, Hit, ResolvedSettings } from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import { STRATEGY_NAMES } from '#domain/correlation/strategies/strategies.ts';
import type { ByHand, Link, SplitRequestRecord } from '#domain/event/incoming.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { NearCi } from '#domain/topology/near.ts';

/** Input of merge, made manually. Times in ms; event ids are short words, since merge only compares them. */

export const TENANT = 'acme';

export const SETTINGS: ResolvedSettings = {
  ...DEFAULT_SETTINGS,
  strategies: { ...DEFAULT_SETTINGS.strategies, temporal: { enabled: true, windowMs: 600_000 } },
};

export const arrivalOf = (given: Partial<Arrival> & Pick<Arrival, 'eventId'>): Arrival => ({
  tenant: TENANT,
  position: 1,
  time: 1_000_000,
  severity: 'major',
  signature: 's',
  identity: given.eventId,
  system: given.eventId,
  services: [],
  ciId: null,
  hasRelationships: false,
  above3: 0,
  below3: 0,
  chain: [],
  suppressed: false,
  usual: false,
  complaint: { kind: 'unknown', known: null },
  rebound: false,
  ...given,
});

/** A CI's upstream list, nearest first: `above('db', 'disk')` has db at one hop and disk at two. */
export const above = (...cis: string[]): NearCi[] => cis.map((ci, i) => ({ ci, hops: i + 1, via: cis[i - 1] ?? null }));

export const enrichedOf = (arrival: Arrival, upstream: readonly NearCi[] = [], settings = SETTINGS): Enriched => ({
  arrival,
  upstream,
  settings,
  rates: { quiet: true, tenant: 0, signature: 0, ci: 0, service: {} },
  late: false,
  near: [],
  truncated: false,
  degree: 0,
  reach2: 0,
  reach3: 0,
  all: 0,
});

type Input = Entry<CorrelationInput>;

export const factsEntry = (
  { arrival, upstream, settings }: Pick<Enriched, 'arrival' | 'upstream' | 'settings'>,
  more: {
    position?: number;
    links?: readonly Link[];
    manual?: boolean;
    late?: boolean;
    apart?: SplitRequestRecord;
    hand?: ByHand;
  } = {},
): Input => {
  const { position = arrival.position, ...rest } = more;
  return { tenant: arrival.tenant, position, value: { kind: 'facts', arrival, upstream, settings, ...rest } };
};

export const HAND: ByHand = {
  by: { id: 'u1', username: 'ann', name: 'Ann' },
  at: 2_000_000,
  trail: { id: 'trail', address: '192.0.2.1', department: null, expiresAt: 9_000_000 },
};

/** A user removes these events from the group; `of` is one of them. */
export const apartEntry = (
  of: Pick<Enriched, 'arrival' | 'upstream' | 'settings'>,
  {
    position,
    from,
    eventIds,
    restores,
  }: Pick<SplitRequestRecord, 'from' | 'eventIds' | 'restores'> & { position: number },
): Input =>
  factsEntry(of, {
    position,
    links: [],
    manual: true,
    hand: HAND,
    apart: { id: `split-${position}`, from, eventIds, reason: 'two faults', ...(restores && { restores }) },
  });

export const hitOf = (other: string, score: number): Hit => ({
  other,
  score,
  literalScore: score,
  reason: 'because',
  details: {},
});

export const hitsEntry = (arrival: Arrival, strategy: string, hits: readonly Hit[], cut = 0): Input => ({
  tenant: arrival.tenant,
  position: arrival.position,
  value: { kind: 'hits', strategy, eventId: arrival.eventId, hits, cut },
});

export const passedEntry = (strategy: string, through: number): Input => ({
  tenant: '',
  position: through,
  value: { kind: 'passed', strategy, through },
});

export const forgottenEntry = (position: number, tenant = TENANT): Input => ({
  tenant,
  position,
  value: { kind: 'forgotten' },
});

export const allPassed = (through: number): Input[] => STRATEGY_NAMES.map((name) => passedEntry(name, through));

export const linkTo = (other: string, score: number, strategy: string = 'dependency'): Link => ({
  other,
  score,
  literalScore: score,
  reasons: [{ strategy, score, literalScore: score, reason: 'because', details: {} }],
});

const shown = (group: OpenGroup): object => ({
  ...recordOf(group),
  members: [...group.members.keys()].sort(),
  witnesses: [...group.witnesses].sort(),
});

/** All that is remembered of open groups, in a form that can be compared. */
export const groupsIn = (memory: GroupMemory): object[] =>
  [...memory.tenants.values()]
    .flatMap(({ open }) => [...open.values()])
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(shown);
