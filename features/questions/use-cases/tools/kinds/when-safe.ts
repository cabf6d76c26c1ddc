import { requirePermission } from '#application/access/require-permission.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { maintenanceOf } from '#domain/topology/maintenance.ts';
import type { TimeSpan } from '#domain/topology/maintenance-window.ts';
import { clockTime, counted, factsOf } from '#features/ai/rules/findings.ts';
import { calendarOf, HOUR_MS } from '#features/ai/rules/time/calendar.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { hourOf, quietWindows, WEEKS } from '#features/questions/rules/quiet-hours.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { type Asking, item, type QuestionTool, queryOf } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';
import { ciNamed, near } from './cis.ts';

const WEEK_MS = 7 * 24 * HOUR_MS;
const MOST = 3;

export interface WindowRow {
  readonly ciId: string;
  readonly ciName: string;
  readonly from: string;
  readonly to: string;
  /** recorded: maintenance window of the CI; quiet: fewest past events outside business hours. */
  readonly kind: 'recorded' | 'quiet';
  /** Events on the CI and its neighbors at this time of the last weeks. */
  readonly events: number;
  /** Weeks with data, at most 4. */
  readonly weeks: number;
}
async function pastByHour({ tenant, ports, receivedAt: now }: Asking, ciIds: readonly string[]) {
  const end = hourOf(now);
  const edges = Array.from({ length: WEEKS * 7 * 24 + 1 }, (_, n) => end - WEEKS * WEEK_MS + n * HOUR_MS);
  const filter = { ciIds, from: end - WEEKS * WEEK_MS, to: end };
  const request = { measure: 'events', by: ['time'], edges, limit: edges.length } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
  return new Map(buckets.map(({ keys: [at], count }) => [Number(at), count]));
}

/** Maintenance of neighbors: redundancy is missing then. */
async function takenBy({ tenant, ports }: Asking, cis: readonly CiName[]): Promise<TimeSpan[]> {
  const ids = new Set(cis.map(({ id }) => id));
  const all = await ports.topology.inMaintenance(tenant);
  return all.flatMap(({ ciId, maintenance: { window } }) => (window !== undefined && ids.has(ciId) ? [window] : []));
}

export const whenSafe: QuestionTool<ParamsOf<typeof INPUTS.ci>, WindowRow> = {
  name: 'when_safe',
  title: 'Find a time for maintenance',
  description:
    'Good times for maintenance of a CI in the next 7 days: its maintenance window, and hours outside business hours with the fewest past events and no maintenance of its neighbors.',
  input: INPUTS.ci,
  permission: 'events.read',
  async run(asking, { ci: named }) {
    const { tenant, ports, receivedAt: now, zone } = asking;
    requirePermission(asking, 'cmdb.read');
    const { id, name } = await ciNamed(asking, 'ci', named);
    const [own] = await ports.topology.getCis(tenant, [id]);
    const neighbors = [...(await near(asking, id, 'up')), ...(await near(asking, id, 'down'))];
    const [counts, taken, first] = await Promise.all([
      pastByHour(asking, [id, ...neighbors.map((one) => one.id)]),
      takenBy(asking, neighbors),
      firstArrival(ports, tenant),
    ]);
    const weeks = first === null ? 0 : Math.min(WEEKS, Math.max(0, Math.floor((now - first) / WEEK_MS)));
    const window = own === undefined ? undefined : maintenanceOf(own)?.window;
    const of = { ciId: id, ciName: name, weeks };
    const rowOf = ({ from, to }: TimeSpan, kind: WindowRow['kind'], events: number): WindowRow => {
      return { ...of, from: iso(from), to: iso(to), kind, events };
    };
    const quiet = quietWindows({ now, calendar: calendarOf(zone), counts, taken }, MOST);
    const rows = [
      ...(window !== undefined && window.to > now ? [rowOf(window, 'recorded', 0)] : []),
      ...quiet.map((one) => rowOf(one, 'quiet', one.events)),
    ];
    return { rows, total: rows.length };
  },
  items: ({ ciId, ciName, from, to, kind, events }) => {
    const facts = factsOf({ from, to, 'past events': events });
    return [{ ...item('query', `${ciId}:${from}`, `${kind} window of ${ciName}`, facts), href: `/v1/cmdb/ci/${ciId}` }];
  },
  href: ({ ci }) => `/v1/cmdb/ci${queryOf({ search: ci })}`,
  noun: 'window',
  tell: ({ from, to, kind, events, weeks }) => {
    const span = `${clockTime(Date.parse(from))} to ${clockTime(Date.parse(to))}`;
    if (kind === 'recorded') return `Maintenance window: ${span}.`;
    return `${span}: ${weeks === 0 ? 'less than a week of events to judge by' : `${counted(events, 'event')} at this time in the last ${counted(weeks, 'week')}`}.`;
  },
  none: 'No time found in the next 7 days.',
};
