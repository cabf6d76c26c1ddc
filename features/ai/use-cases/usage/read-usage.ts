import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import {
  type AiUsage,
  DAY_MS,
  DaySums,
  dayOf,
  startOfDay,
  USAGE_KINDS,
  type UsageDay,
} from '#features/ai/rules/usage.ts';

const CHUNK = 1_000;
/** Attempts read of one day; further ones are not counted. */
const MAX_ATTEMPTS = 100_000;

/** The first attempt at or after a time; null when there is none. */
export const firstAttempt = async (records: RecordStore, tenant: string, from: number): Promise<AiUsage | null> =>
  (await records.list<AiUsage>(tenant, USAGE_KINDS.attempt, { after: leastUlidAt(from), limit: 1 }))[0]?.body ?? null;

/** Sums the attempts of one day. */
export const sumDay = async (records: RecordStore, tenant: string, day: string): Promise<UsageDay> => {
  const sums = new DaySums();
  const end = leastUlidAt(startOfDay(day) + DAY_MS);
  let after = leastUlidAt(startOfDay(day));
  for (let read = 0; read < MAX_ATTEMPTS; read += CHUNK) {
    const chunk = await records.list<AiUsage>(tenant, USAGE_KINDS.attempt, { after, limit: CHUNK });
    for (const { id, body } of chunk) if (id < end) sums.add(body);
    after = chunk.at(-1)?.id ?? end;
    if (chunk.length < CHUNK || after >= end) break;
  }
  return { day, rows: sums.rows };
};

/** The day before, so that a list that begins behind it begins with `day`. */
const before = (day: string): string => dayOf(startOfDay(day) - DAY_MS);

/** Stored counts by day, from `from` to `to` inclusive. */
export const storedDays = async <T>(
  records: RecordStore,
  tenant: string,
  kind: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<string, T>> => {
  const limit = (startOfDay(to) - startOfDay(from)) / DAY_MS + 1;
  const found = await records.list<T>(tenant, kind, { after: before(from), limit });
  return new Map(found.filter(({ id }) => id <= to).map(({ id, body }) => [id, body]));
};

/** Returns every day with attempts, from `from` to `to` inclusive: past ones as summed, the others summed now. */
export const usageDays = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  range: { readonly from: string; readonly to: string },
): Promise<UsageDay[]> => {
  const days = [...(await storedDays<UsageDay>(records, tenant, USAGE_KINDS.day, range)).values()];
  const last = days.at(-1);
  for (let from = startOfDay(last ? dayOf(startOfDay(last.day) + DAY_MS) : range.from); ; ) {
    const next = await firstAttempt(records, tenant, from);
    if (next === null || dayOf(next.at) > range.to) return days;
    const sum = await sumDay(records, tenant, dayOf(next.at));
    days.push(sum);
    from = startOfDay(sum.day) + DAY_MS;
  }
};
