import { recordChunks } from '#application/records/list-records.ts';
import { revise } from '#application/records/revise.ts';
import {
  type CountedHour,
  hourOf,
  MAX_SOURCES,
  NOTHING,
  type SourceActivity,
  unitedActivity,
} from '#domain/event/source-counts.ts';
import type { Ports } from '#domain/ports/ports.ts';

type CountPorts = Pick<Ports, 'records' | 'clock' | 'ids' | 'memory'>;

/** Counts of one process in one hour, and the last time of each source at its end. */
const KINDS = { hour: 'source-hour', seen: 'source-seen' } as const;
const SEEN_ID = 'all';
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

interface HourRecord {
  readonly hour: number;
  readonly sources: Readonly<Record<string, SourceActivity>>;
}
type SeenTimes = Readonly<Record<string, number>>;

const storeSeen = async (ports: CountPorts, { tenant, sources }: CountedHour): Promise<void> => {
  const { records } = ports;
  await revise<{ readonly seen: SeenTimes; readonly revision: number }>(ports, {
    of: ['source-seen', tenant, SEEN_ID],
    ifMatch: null,
    async load() {
      const found = await records.get<SeenTimes>(tenant, KINDS.seen, SEEN_ID);
      return { seen: found?.body ?? {}, revision: found?.revision ?? 0 };
    },
    change(before) {
      const latest = new Map(Object.entries(before.seen));
      for (const [name, { last }] of sources) if (last > 0) latest.set(name, Math.max(last, latest.get(name) ?? 0));
      const kept = [...latest].sort((a, b) => b[1] - a[1]).slice(0, MAX_SOURCES);
      return { seen: Object.fromEntries(kept), revision: before.revision + 1 };
    },
    put: ({ seen }, { revision }) => records.put(tenant, KINDS.seen, SEEN_ID, seen, { expected: revision }),
  });
};

/** Stores the counts of this process since the last run; a kill loses those, a minute at most. */
export const storeSourceCounts = async (ports: CountPorts, isStopping: () => boolean): Promise<void> => {
  const { records, clock, ids, memory } = ports;
  const counts = memory.sources;
  counts.process ??= ids.ulid();
  for (const one of counts.unstored()) {
    if (isStopping()) return;
    const { tenant, hour, sources } = one;
    const body: HourRecord = { hour, sources: Object.fromEntries(sources) };
    const expiresAt = (hour + DAY_HOURS + 2) * HOUR_MS;
    await records.put(tenant, KINDS.hour, `${hour}-${counts.process}`, body, { expiresAt });
    counts.stored(one);
  }
  for (const one of counts.finished(hourOf(clock.now()))) {
    if (isStopping()) return;
    await storeSeen(ports, one);
    counts.forget(one);
  }
};

/** Returns counts of the last 24 full hours and the current one, with sources active before. */
export const readSourceCounts = async (
  { records, clock, memory }: CountPorts,
  tenant: string,
): Promise<ReadonlyMap<string, SourceActivity>> => {
  const { sources: counts } = memory;
  const since = hourOf(clock.now()) - DAY_HOURS;
  const heard = new Map<string, SourceActivity>();
  const add = (name: string, more: SourceActivity): void => {
    heard.set(name, unitedActivity(heard.get(name) ?? NOTHING, more));
  };
  const own = counts.of(tenant);
  for await (const chunk of recordChunks<HourRecord>(records, tenant, KINDS.hour))
    for (const { id, body } of chunk) {
      // Counts in the memory of this process are newer than its stored ones.
      const isOwn = counts.process !== null && id.endsWith(`-${counts.process}`) && own.has(body.hour);
      if (body.hour >= since && !isOwn) for (const [name, one] of Object.entries(body.sources)) add(name, one);
    }
  for (const [hour, sources] of own) if (hour >= since) for (const [name, one] of sources) add(name, one);
  const seen = await records.get<SeenTimes>(tenant, KINDS.seen, SEEN_ID);
  for (const [name, last] of Object.entries(seen?.body ?? {})) add(name, { ...NOTHING, last });
  return heard;
};
