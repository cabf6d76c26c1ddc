import fc from 'fast-check';

/*
 * A random day: faults, messages of their monitors, and actions of users and machines meanwhile. Times in minutes of
 * the day.
 */

export const HOSTS = ['sw-1', 'db-1', 'web-1', 'web-2'] as const;
export const TITLES = ['Filesystem is almost full', 'Replication is behind', 'Host is unreachable'] as const;
export const PARTS = ['/var', '/data'] as const;
/** Form of the messages about a condition: `keyed` names it, `plain` is ingest by sourceId. */
const MONITORS = ['alertmanager', 'grafana', 'zabbix', 'nagios', 'plain'] as const;
export type Monitor = (typeof MONITORS)[number];

/** One condition of one monitor, and the times in which it holds. */
export interface Trouble {
  readonly monitor: Monitor;
  readonly host: number;
  readonly title: number;
  readonly part: number;
  readonly severity: number;
  /** Minutes between repeats; null: it is sent once. */
  readonly repeat: number | null;
  readonly periods: readonly Period[];
}
interface Period {
  /** Minutes after the end of the previous period. */
  readonly after: number;
  readonly lasts: number;
  /** Delay of the message of the end in minutes; null: it never arrives. */
  readonly end: number | null;
}

export type Act =
  | { readonly does: 'silence'; readonly host: number; readonly lasts: number }
  | { readonly does: 'maintenance'; readonly host: number; readonly lasts: number }
  | { readonly does: 'restart' }
  /** The clock of the server is wrong by this number of minutes. */
  | { readonly does: 'jump'; readonly by: number; readonly lasts: number }
  | { readonly does: 'status'; readonly which: number; readonly to: 'acknowledged' | 'resolved' | 'open' }
  | { readonly does: 'assign'; readonly which: number };
export interface Day {
  readonly troubles: readonly Trouble[];
  readonly acts: readonly { readonly at: number; readonly act: Act }[];
}

const DAY_MINUTES = 1_440;

const index = (list: readonly unknown[]) => fc.nat(list.length - 1);
const period = fc.record({
  after: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 600 })),
  lasts: fc.oneof(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 60, max: 1_200 })),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 180 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
});
const trouble: fc.Arbitrary<Trouble> = fc.record({
  monitor: fc.constantFrom(...MONITORS),
  host: index(HOSTS),
  title: index(TITLES),
  part: index(PARTS),
  severity: fc.nat(2),
  repeat: fc.oneof(fc.constant(null), fc.constantFrom(0.5, 5, 30, 61, 240, 720, 1_440)),
  periods: fc.array(period, { minLength: 1, maxLength: 3 }),
});
const anyOf = fc.nat(9);
const common: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ does: fc.constant('silence' as const), host: index(HOSTS), lasts: fc.integer({ min: 5, max: 300 }) }),
  fc.record({ does: fc.constant('maintenance' as const), host: index(HOSTS), lasts: fc.integer({ min: 5, max: 300 }) }),
  fc.record({
    does: fc.constant('jump' as const),
    by: fc.constantFrom(-120, 180, 1_800, 11_520),
    lasts: fc.integer({ min: 2, max: 60 }),
  }),
  fc.record({
    does: fc.constant('status' as const),
    which: anyOf,
    to: fc.constantFrom('acknowledged' as const, 'acknowledged' as const, 'resolved' as const, 'open' as const),
  }),
  fc.record({ does: fc.constant('assign' as const), which: anyOf }),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 15, arbitrary: common },
  // A start costs as much as a day.
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
);
export const day: fc.Arbitrary<Day> = fc.record({
  troubles: fc.array(trouble, { minLength: 1, maxLength: 8 }),
  acts: fc.array(fc.record({ at: fc.nat(DAY_MINUTES), act }), { maxLength: 6 }),
});

/** A message about a condition; times in minutes of the day. */
export interface Message {
  /** Time of its arrival at the server. */
  readonly at: number;
  readonly trouble: Trouble;
  readonly says: 'fires' | 'over';
  /** Start of the period that it is about. */
  readonly since: number;
  /** The time that it is about: that of the occurrence, or of the end. */
  readonly of: number;
}

/** Maximum of repeats: the fortieth has shown the same as the thousandth. */
const MAX_REPEATS = 40;

const messagesOfPeriod = (trouble: Trouble, since: number, { lasts, end }: Period): Message[] => {
  const over = Math.min(since + lasts, DAY_MINUTES);
  const { repeat } = trouble;
  const count = repeat === null ? 1 : Math.min(MAX_REPEATS, Math.ceil((over - since) / repeat));
  const fires = Array.from({ length: count }, (_, n): Message => {
    const at = since + n * (repeat ?? 0);
    return { at, trouble, says: 'fires', since, of: at };
  });
  if (end === null || since + lasts > DAY_MINUTES) return fires;
  return [...fires, { at: over + end, trouble, says: 'over', since, of: over }];
};

/** Names the condition of the monitor. */
export const conditionOf = ({ monitor, host, title, part }: Trouble): string =>
  `${monitor} ${HOSTS[host]} ${TITLES[title]} ${monitor === 'nagios' ? '' : PARTS[part]}`;

/** All messages of a day in the order in which they arrive; of several plans for one condition the first counts. */
export const messagesOf = ({ troubles }: Day): Message[] => {
  const planned = new Map<string, Trouble>();
  for (const one of troubles) if (!planned.has(conditionOf(one))) planned.set(conditionOf(one), one);
  const messages = [...planned.values()].flatMap((one) => {
    let from = 0;
    return one.periods.flatMap((part) => {
      const since = from + part.after;
      from = since + part.lasts;
      return since < DAY_MINUTES ? messagesOfPeriod(one, since, part) : [];
    });
  });
  return messages.sort((a, b) => a.at - b.at);
};
