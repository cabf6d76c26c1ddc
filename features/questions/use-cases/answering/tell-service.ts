import { durationText } from '#domain/numbers.ts';
import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import { counted } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { isSick, services, type ToolServiceRow } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { healthDuring } from '#features/services/use-cases/past-health.ts';
import { type Desk, listed, namesOf } from './desk.ts';
import { isSevere, worstFirst } from './tell-events.ts';
import { headline, tellRow, titled } from './tell-incident.ts';
import { idsOf, type Thing } from './things.ts';

/** `a (critical) and b (degraded)`. */
export const sickNames = (sick: readonly ToolServiceRow[]): string =>
  listed(sick.map(({ name, status }) => `${name} (${status})`));

const UPSTREAM = { hops: 3, direction: 'up', types: CAUSE_TYPES, limit: 200 } as const;
const MAX_COMPONENTS = 100;

/** Open events on the things and on their dependencies, as health counts them, the worst first. */
async function openBehind(desk: Desk, things: readonly Thing[]): Promise<readonly ToolEventRow[]> {
  const { ports, tenant, caller } = desk.asking;
  const own = idsOf(things).slice(0, MAX_COMPONENTS);
  const ups = caller.permissions.has('cmdb.read')
    ? await Promise.all(own.map((id) => ports.graph.neighbourhood(tenant, id, UPSTREAM)))
    : [];
  const all = new Set([...own, ...ups.flatMap(({ nodes }) => nodes.map(({ ci }) => ci))]);
  const { rows } = await desk.look(events, {});
  // Checks of a whole service are often events of a CI with its name.
  const names = new Set(things.map(({ name }) => name));
  const isBehind = ({ ciId, place }: ToolEventRow): boolean => all.has(ciId ?? '') || names.has(place ?? '');
  return rows.filter((row) => !row.isChange && isBehind(row)).toSorted(worstFirst);
}

/** Open incidents that affect the services, the most urgent first, with the events behind them. */
async function hitting(desk: Desk, named: readonly Thing[]) {
  const behind = await openBehind(desk, named);
  const severe = behind.filter(isSevere);
  const shown = severe.length > 0 ? severe : behind;
  const of = new Set(shown.map(({ groupId, eventId }) => groupId ?? eventId));
  const looked = await desk.look(incidents, {});
  return { looked, shown, open: looked.rows.filter(({ id }) => of.has(id)) };
}

/** `why is it the worst`: its open problems, those of its own components first, and the next service. */
export async function tellWorstOf(desk: Desk, thing: Thing): Promise<void> {
  const { rows } = await desk.look(services, {});
  const at = rows.findIndex(({ id }) => id === thing.id);
  const [row, next] = rows.slice(Math.max(0, at));
  if (row !== undefined) desk.say(row)`${services.tell(row, {})}`;
  const { looked, shown, open } = await hitting(desk, [thing]);
  const own = new Set(idsOf([thing]));
  const isBehind = ({ ciId, place }: ToolEventRow): boolean => !own.has(ciId ?? '') && place !== thing.name;
  const ordered = shown.toSorted((a, b) => Number(isBehind(a)) - Number(isBehind(b)));
  const texts = ordered
    .slice(0, 6)
    .map((one) => `${titled(one)} (${one.severity}, since ${desk.clock.time(one.from)})`);
  const more = ordered.length > texts.length ? `; ${ordered.length - texts.length} more` : '';
  desk.say([looked, ...ordered.slice(0, 3)])`${counted(open.length, 'open incident')} behind it:
    ${texts.join('; ')}${more}.`;
  if (next !== undefined) desk.say(next)`Next: ${services.tell(next, {})}`;
  desk.rememberThing(thing, { incident: open[0]?.id });
}

/** Names the other open incidents of the services beside the answered one. */
export async function tellOneOf(desk: Desk, things: readonly Thing[]): Promise<void> {
  const named = things.filter(({ kind }) => kind === 'service');
  const { looked, open } = named.length === 0 ? { looked: null, open: [] } : await hitting(desk, named);
  const own = open.find(({ id }) => id === desk.next.incident);
  if (own === undefined || open.length === 1) return;
  const others = listed(open.filter((row) => row !== own).map(headline));
  const of = `one of ${open.length} open incidents affecting ${namesOf(named)}`;
  desk.say(looked)`${headline(own)} began ${of}; the others began with ${others}.`;
  desk.findings.lead();
}

async function tellHitting(desk: Desk, named: readonly Thing[]): Promise<void> {
  const { looked, shown, open } = await hitting(desk, named);
  const names = namesOf(named);
  if (open.length === 0) return desk.say(looked)`No open incident affects ${names}.`;
  const [oldest = ''] = shown.map(({ from }) => from).toSorted();
  desk.say(looked)`${counted(open.length, 'open incident')} affecting ${names}, since ${desk.clock.ago(oldest)}.`;
  for (const row of open.slice(0, 3)) await tellRow(desk, row);
  desk.remember({ incident: open[0]?.id });
}

/** Health of the services among the things behind a first word, with open incidents; false: there are none. */
export async function tellHealth(
  desk: Desk,
  things: readonly Thing[],
  word: (row: ToolServiceRow) => string = () => '',
): Promise<boolean> {
  const named = things.filter(({ kind }) => kind === 'service');
  const [first] = named;
  if (first === undefined || !desk.asking.caller.permissions.has('services.read')) return false;
  const { rows } = await desk.look(services, {});
  for (const row of rows.filter(({ id }) => named.some((one) => one.id === id)))
    desk.say(row)`${word(row)}${services.tell(row, {})}`;
  await tellHitting(desk, named);
  desk.rememberThing(first);
  return true;
}

/** Past health of the services among the things, behind a yes or no; the things with all CIs that decide their health. */
export async function tellPastHealth(desk: Desk, things: readonly Thing[], range: Range, isAsked: boolean) {
  const looked = await desk.look(services, {});
  return Promise.all(
    things.map(async (thing): Promise<Thing> => {
      const row = looked.rows.find(({ id }) => id === thing.id);
      if (row === undefined) return thing;
      const since = Math.max(range.from, desk.reading.begin ?? 0);
      const { worst, involved, ...spans } = await healthDuring(desk.asking, row.id, { ...range, from: since });
      const status = worst?.status ?? 'unknown';
      const word = !isAsked || status === 'unknown' ? '' : status === 'healthy' ? 'Yes: ' : 'No: ';
      const isInstant = range.to - range.from < 1_000;
      const when = isInstant
        ? `at ${desk.clock.time(range.from)}`
        : desk.clock.range({ ...range, from: isSick({ status }) ? since : Math.max(since, row.since) });
      const at = isInstant ? 'was' : 'was at worst';
      const lasted = (['critical', 'degraded'] as const).flatMap((one) =>
        isInstant || spans[`${one}Ms`] === 0 ? [] : [`${one} for ${durationText(spans[`${one}Ms`])}`],
      );
      const parts = [`health ${worst?.score ?? 100} of 100`, ...lasted].join(', ');
      const begin = desk.clock.time(row.since);
      // Present components without events are no health of a service that was not there.
      if (range.to <= row.since && !isSick({ status }))
        desk.say(row)`No data on ${row.name} before ${begin}, when it was created.`;
      else desk.say(row)`${word}${row.name} ${at} ${status} ${when}, ${parts}.`;
      if (range.from < row.since && isSick({ status }))
        desk.say(row)`${row.name} was created ${begin}: before, this is the health of its present components.`;
      const known = new Map(thing.cis.map((ci) => [ci.id, ci]));
      return { ...thing, cis: involved.map((id) => known.get(id) ?? { id, name: '', type: '' }) };
    }),
  );
}
