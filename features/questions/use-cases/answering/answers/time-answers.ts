import { durationText } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { counted } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { isSick, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { healthDuring } from '#features/services/use-cases/past-health.ts';
import { type Desk, listed, namesOf, ordinal } from '../desk.ts';
import { instantOf } from '../read-message.ts';
import {
  endedIn,
  faultsIn,
  incidentOf,
  isSevere,
  SEVERE,
  tellDataBegin,
  tellEvents,
  worstFirst,
} from '../tell-events.ts';
import { downOf, headline, namedCause, tellDown, titled } from '../tell-incident.ts';
import { tellHealth, tellPastHealth } from '../tell-service.ts';
import { idsOf, type Thing, withHosts } from '../things.ts';

const TOLD = 3;
const DAY_MS = 86_400_000;

/** Since when a thing has open events, the worst first; else what it had last and how long. */
export async function tellSince(desk: Desk, thing: Thing): Promise<void> {
  const { clock, reading, asking } = desk;
  const { name } = thing;
  const { time, lower } = reading;
  const isSum = /\b(?:minutes|hours|total|downtime)\b/.test(lower);
  const isOfNow = time === null && !isSum;
  if (isOfNow && (await tellHealth(desk, [thing])) && desk.next.incident !== undefined) return;
  if (thing.kind === 'service' && !isOfNow) {
    const month = { from: asking.receivedAt - 30 * DAY_MS, to: asking.receivedAt };
    const [wide = thing] = await tellPastHealth(desk, [thing], time?.range ?? month, false);
    if (wide !== thing) return void (await tellHealth(desk, [thing]));
  }
  const ci = idsOf(await withHosts(asking, [thing])).slice(0, 1_000);
  if (await tellAbout(desk, thing, ci)) return;
  const open = isOfNow ? await desk.look(events, { ci }) : null;
  const rows = faultsIn(open?.rows ?? []).toSorted(worstFirst);
  const [worst] = rows;
  desk.remember({ subject: name, current: ci[0] ?? null, incident: worst && incidentOf(worst) });
  if (open !== null && worst !== undefined) {
    tellEvents(desk, open, rows, { most: TOLD, rest: `more open on ${name}` });
    return tellGroup(desk, worst, ci);
  }
  const { time_range, when } = desk.within(30);
  const past = await desk.look(events, { ci, time_range, sort: 'newest' });
  const range = time?.range ?? past.run.range ?? { from: 0, to: asking.receivedAt };
  const isThen = ({ to }: ToolEventRow): boolean => to === null || Date.parse(to) >= range.from;
  const ended = faultsIn(past.rows).filter(isThen).toSorted(worstFirst);
  const refs = [open, past];
  const [longest] = ended;
  const severe = ended.some(isSevere) ? ended.filter(isSevere) : ended;
  const spans = severe.map((row) => clipped(row, range, asking.receivedAt));
  const isTotal = /\b(?:how long|how many (?:minutes|hours)|how much (?:time|downtime)|total)\b/.test(lower);
  const [last] = endedIn(ended);
  const many = counted(severe.length, severe.some(isSevere) ? 'critical or major event' : 'event');
  if (isTotal && longest?.to != null && ended.length === 1 && time === null) {
    const { from, to } = longest;
    const span = durationText(Date.parse(to) - Date.parse(from));
    desk.say(refs)`${span}: ${titled(longest)} lasted from ${clock.time(from)} to ${clock.time(to)}.`;
  } else if (isTotal && severe.length > 0)
    desk.say(refs)`${durationText(covered(spans))} ${when}: ${many} on ${name}, which partly overlap.`;
  if (open !== null && last?.to != null && ENDED.test(reading.shape))
    desk.say(last)`${name} recovered ${clock.ago(last.to)}, when ${titled(last)} ended.`;
  const [only] = thing.kind === 'ci' ? ci : [];
  const isHurt = only !== undefined && open !== null && tellDown(desk, name, await downOf(desk, only, null));
  if (open !== null) desk.say(refs)`No event is open on ${name}${isHurt ? ' itself' : ''}.`;
  if (ended.length === 0) desk.say(refs)`${name} had no event ${when}.`;
  tellEvents(desk, past, ended, { most: TOLD, rest: `more on ${name} ${when}` });
  if (longest !== undefined && open !== null) await tellGroup(desk, longest, ci);
  await tellDataBegin(desk);
}

/** `when did it lose power`: events of the thing that speak of the topic, the most fitting first. False: none do. */
async function tellAbout(desk: Desk, { name }: Thing, ci: readonly string[]): Promise<boolean> {
  const { topic, time } = desk.reading;
  if (topic.length === 0) return false;
  const looked = await desk.look(events, { ci, time_range: time?.text ?? desk.lastDays(30) });
  const scoreOf = ({ title }: ToolEventRow): number => speaksOf(title, topic);
  const rows = faultsIn(looked.rows).filter((row) => scoreOf(row) > 0);
  const [best] = rows.toSorted((a, b) => scoreOf(b) - scoreOf(a) || worstFirst(a, b));
  if (best === undefined) return false;
  tellEvents(desk, looked, [best, ...rows.filter((row) => row !== best)], { most: TOLD, rest: `more on ${name}` });
  desk.remember({ subject: best.place ?? name, current: best.ciId, incident: incidentOf(best) });
  return true;
}

/** The incident around an event, where it began elsewhere. */
async function tellGroup(desk: Desk, { groupId, ciId }: ToolEventRow, own: readonly string[]): Promise<void> {
  if (groupId === null || ciId === null) return;
  const looked = await desk.look(incidents, { ci: ciId });
  const row = looked.rows.find(({ id, events: size }) => id === groupId && size > 1);
  const cause = row === undefined ? null : namedCause(desk, row);
  if (row === undefined || cause === null) return;
  const since = `open since ${desk.clock.ago(row.from)}`;
  const refs = [row, desk.ref(row, 1)];
  if (own.includes(cause.ci?.id ?? '')) desk.say(refs, 'likely')`The whole incident is ${since}.`;
  else desk.say(refs, 'likely')`It is part of the incident that probably began with ${headline(row)}, ${since}.`;
}

const ENDED = /\b(?:recover\w*|end(?:ed)?|back|clear(?:ed)?|resolv\w*|fixed|over|return\w*)\b/;

/** The part of a span that is in a range. */
const clipped = ({ from, to }: { readonly from: string; readonly to: string | null }, range: Range, now: number) =>
  [Math.max(range.from, Date.parse(from)), Math.min(range.to, to === null ? now : Date.parse(to))] as const;

type Spans = readonly (readonly [from: number, to: number])[];

/** Time that at least one of the spans covers, ms. */
function covered(spans: Spans): number {
  let [sum, end] = [0, 0];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

/** Services by how long critical and major incidents affected them in a time, by default today. */
export async function hitServices(desk: Desk): Promise<void> {
  const { reading, asking, clock } = desk;
  const { nth } = reading;
  const at = instantOf(reading);
  if (at !== null) return servicesAt(desk, at);
  const time_range = reading.time?.text ?? 'today';
  const looked = await desk.look(incidents, { time_range, severity: SEVERE });
  const range = looked.run.range ?? { from: 0, to: asking.receivedAt };
  const when = clock.range(range);
  const known = await desk.look(services, {});
  if (known.total === 0) return desk.say(known)`Not known: no services are defined yet.`;
  const all = looked.rows.flatMap((row) => row.services.map(({ id, name }) => ({ id, name, row })));
  const hits = [...Map.groupBy(all, ({ id }) => id).values()].map((same) => ({
    name: same[0]?.name ?? '',
    spans: same.map(({ row }) => clipped(row, range, asking.receivedAt)),
    worst: same.filter(({ row }) => row.severity === 'critical').length,
  }));
  const sorted = hits.toSorted((a, b) => covered(b.spans) - covered(a.spans) || b.spans.length - a.spans.length);
  const refs = [looked, known];
  if (sorted.length === 0) return desk.say(refs)`No critical or major incident affected a service ${when}.`;
  const shown = sorted.slice(nth - 1);
  const most = nth === 1 ? 'Most' : `${capital(ordinal(nth))} most`;
  desk.say(refs)`${most} affected ${when}: ${shown[0]?.name ?? 'none'}.`;
  for (const { name, spans, worst } of shown.slice(0, 5)) {
    const span = durationText(covered(spans));
    desk.say(refs)`${name}: affected for ${span} by ${counted(spans.length, 'incident')}, ${worst} critical.`;
  }
  if (looked.isCut) desk.say(refs)`Only the newest ${looked.rows.length} of ${looked.total} incidents were read.`;
  desk.remember({ list: sorted.slice(0, 8).map(({ name }) => name), subject: shown[0]?.name });
}

const MOST_SERVICES = 50;
/** `which services were down at 3`. */
async function servicesAt(desk: Desk, at: number): Promise<void> {
  const known = await desk.look(services, {});
  const all = await Promise.all(
    known.rows.slice(0, MOST_SERVICES).map(async ({ id, name, since }) => {
      const { worst } = await healthDuring(desk.asking, id, { from: at, to: at + 1 });
      return { name, status: worst?.status ?? 'unknown', score: worst?.score ?? 100, since };
    }),
  );
  const sick = all.filter(isSick).toSorted((a, b) => a.score - b.score);
  const later = all.filter((row) => row.since > at && !isSick(row));
  const names = listed(sick.map(({ name, status, score }) => `${name} (${status}, health ${score} of 100)`));
  const many = `${sick.length} of ${counted(known.total, 'service')} not healthy at ${desk.clock.time(at)}`;
  desk.say(known)`${many}${names && `: ${names}`}.`;
  if (later.length > 0) desk.say(known)`No data then on services created later: ${namesOf(later)}.`;
  desk.remember({ list: sick.slice(0, 8).map(({ name }) => name), subject: sick[0]?.name });
}
