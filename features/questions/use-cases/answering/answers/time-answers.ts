import { durationText } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { counted } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { query, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { healthDuring } from '#features/services/use-cases/past-health.ts';
import { type Desk, listed, ordinal } from '../desk.ts';
import { isBeforeData, tellDataBegin } from '../tell-data.ts';
import { isSevere, tellEvents, worstFirst } from '../tell-events.ts';
import { downOf, headline, namedCause, tellDown, titled } from '../tell-incident.ts';
import { tellHealth, tellPastHealth } from '../tell-service.ts';
import type { Thing } from '../things.ts';
import { instantOf } from './event-answers.ts';

const TOLD = 3;
const DAY_MS = 86_400_000;

/** Since when a thing has open events, the worst first; else what it had last and how long. */
export async function tellSince(desk: Desk, thing: Thing): Promise<void> {
  const { clock, reading } = desk;
  const { name } = thing;
  const isSum = /\b(?:minutes|hours|total|downtime)\b/.test(reading.lower);
  if (reading.time === null && !isSum && (await tellHealth(desk, [thing])) && desk.next.incident !== undefined) return;
  if (thing.kind === 'service' && (reading.time !== null || isSum)) {
    const range = reading.time?.range ?? { from: desk.asking.receivedAt - 30 * DAY_MS, to: desk.asking.receivedAt };
    const [wide = thing] = await tellPastHealth(desk, [thing], range, false);
    if (wide !== thing) return void (await tellHealth(desk, [thing]));
  }
  const ci = thing.cis.slice(0, 1_000).map(({ id }) => id);
  if (await tellAbout(desk, thing, ci)) return;
  const open = reading.time === null && !isSum ? await desk.look(events, { ci }) : null;
  const rows = (open?.rows ?? []).filter(({ isChange }) => !isChange).toSorted(worstFirst);
  desk.remember({ subject: name, current: ci[0] ?? null, incident: rows[0]?.groupId ?? rows[0]?.eventId });
  const [worst] = rows;
  if (open !== null && worst !== undefined) {
    tellEvents(desk, open, rows, { most: TOLD, rest: `more open on ${name}` });
    return tellGroup(desk, worst, ci);
  }
  const { time_range, when } = desk.within(30);
  const past = await desk.look(events, { ci, time_range, sort: 'newest' });
  const range = reading.time?.range ?? past.run.range ?? { from: 0, to: desk.asking.receivedAt };
  const isThen = ({ to }: ToolEventRow): boolean => to === null || Date.parse(to) >= range.from;
  const ended = past.rows.filter((row) => !row.isChange && isThen(row)).toSorted(worstFirst);
  if (ended.length === 0 && (await isBeforeData(desk))) return;
  const refs = [open, past];
  const [longest] = ended;
  const severe = ended.some(isSevere) ? ended.filter(isSevere) : ended;
  const spans = severe.map(({ from, to }) => clipped({ from, to }, range, desk.asking.receivedAt));
  const isTotal = /\b(?:how long|how many (?:minutes|hours)|how much (?:time|downtime)|total)\b/.test(reading.lower);
  const [last] = ended.filter(({ to }) => to !== null).toSorted((a, b) => (b.to ?? '').localeCompare(a.to ?? ''));
  if (isTotal && longest?.to != null && ended.length === 1 && reading.time === null) {
    const span = durationText(Date.parse(longest.to) - Date.parse(longest.from));
    desk.say(`${span}: ${titled(longest)} lasted from ${clock.time(longest.from)} to ${clock.time(longest.to)}.`, refs);
  } else if (isTotal && severe.length > 0)
    desk.say(
      `${durationText(covered(spans))} ${when}: ${counted(severe.length, severe.some(isSevere) ? 'critical or major event' : 'event')} on ${name}, which partly overlap.`,
      refs,
    );
  if (open !== null && last?.to != null && ENDED.test(reading.shape))
    desk.say(`${name} recovered ${clock.ago(last.to)}, when ${titled(last)} ended.`, last);
  const [only] = thing.kind === 'ci' ? ci : [];
  const isHurt = only !== undefined && open !== null && tellDown(desk, name, await downOf(desk, only, null));
  if (open !== null) desk.say(`No event is open on ${name}${isHurt ? ' itself' : ''}.`, refs);
  if (ended.length === 0) desk.say(`${name} had no event ${when}.`, refs);
  tellEvents(desk, past, ended, { most: TOLD, rest: `more on ${name} ${when}` });
  if (longest !== undefined && open !== null) await tellGroup(desk, longest, ci);
  await tellDataBegin(desk);
}

/** `when did it lose power`: events of the thing that speak of the topic, the most fitting first. False: none do. */
async function tellAbout(desk: Desk, { name }: Thing, ci: readonly string[]): Promise<boolean> {
  const { topic, time } = desk.reading;
  if (topic.length === 0) return false;
  const looked = await desk.look(events, { ci: [...ci], time_range: time?.text ?? desk.lastDays(30) });
  const scoreOf = ({ title }: ToolEventRow): number => speaksOf(title, topic);
  const rows = looked.rows.filter((row) => !row.isChange && scoreOf(row) > 0);
  const [best] = rows.toSorted((a, b) => scoreOf(b) - scoreOf(a) || worstFirst(a, b));
  if (best === undefined) return false;
  tellEvents(desk, looked, [best, ...rows.filter((row) => row !== best)], { most: TOLD, rest: `more on ${name}` });
  desk.remember({ subject: name, current: best.ciId, incident: best.groupId ?? best.eventId });
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
  const isOwn = own.includes(cause.ci?.id ?? '');
  desk.say(
    isOwn
      ? `The whole incident is ${since}.`
      : `It is part of the incident that probably began with ${headline(row)}, ${since}.`,
    [row, desk.ref(row, 1)],
    'likely',
  );
}

const ENDED = /\b(?:recover\w*|end(?:ed)?|back|clear(?:ed)?|resolv\w*|fixed|over|return\w*)\b/;

/** The part of a span that is in a range. */
const clipped = ({ from, to }: { readonly from: string; readonly to: string | null }, range: Range, now: number) =>
  [Math.max(range.from, Date.parse(from)), Math.min(range.to, to === null ? now : Date.parse(to))] as const;

interface Hit {
  readonly name: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
  readonly worst: number;
}

/** Time that at least one of the spans covers, ms. */
function covered(spans: Hit['spans']): number {
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
  const at = instantOf(reading);
  if (at !== null) return servicesAt(desk, at);
  const time_range = reading.time?.text ?? 'today';
  const looked = await desk.look(incidents, { time_range, severity: ['critical', 'major'] });
  const range = looked.run.range ?? { from: 0, to: asking.receivedAt };
  const when = clock.range(range);
  const known = await desk.look(services, {});
  if (known.total === 0) return hitNames(desk, time_range, when);
  const hits = new Map<string, Hit>();
  for (const row of looked.rows)
    for (const { id, name } of row.services) {
      const span = clipped(row, range, asking.receivedAt);
      const before = hits.get(id) ?? { name, spans: [], worst: 0 };
      hits.set(id, { name, spans: [...before.spans, span], worst: before.worst + Number(row.severity === 'critical') });
    }
  const sorted = [...hits.values()].toSorted(
    (a, b) => covered(b.spans) - covered(a.spans) || b.spans.length - a.spans.length,
  );
  const refs = [looked, known];
  if (sorted.length === 0) return desk.say(`No critical or major incident affected a service ${when}.`, refs);
  const shown = sorted.slice(reading.nth - 1);
  const nth = reading.nth === 1 ? 'Most' : `${capital(ordinal(reading.nth))} most`;
  desk.say(`${nth} affected ${when}: ${shown[0]?.name ?? 'none'}.`, refs);
  for (const { name, spans, worst } of shown.slice(0, 5))
    desk.say(
      `${name}: affected for ${durationText(covered(spans))} by ${counted(spans.length, 'incident')}, ${worst} critical.`,
      refs,
    );
  if (looked.total > looked.rows.length)
    desk.say(`Only the newest ${looked.rows.length} of ${looked.total} incidents were read.`, refs);
  desk.remember({ list: sorted.slice(0, 8).map(({ name }) => name), subject: shown[0]?.name });
}

const MOST_SERVICES = 50;
/** `which services were down at 3`. */
async function servicesAt(desk: Desk, at: number): Promise<void> {
  if (await isBeforeData(desk)) return;
  const known = await desk.look(services, {});
  const all = await Promise.all(
    known.rows.slice(0, MOST_SERVICES).map(async ({ id, name }) => {
      const { worst } = await healthDuring(desk.asking, id, { from: at, to: at + 1 });
      return { name, status: worst?.status ?? 'unknown', score: worst?.score ?? 100 };
    }),
  );
  const sick = all
    .filter(({ status }) => status === 'critical' || status === 'degraded')
    .toSorted((a, b) => a.score - b.score);
  const names = sick.map(({ name, status, score }) => `${name} (${status}, health ${score} of 100)`);
  const many = `${sick.length} of ${counted(known.total, 'service')} not healthy at ${desk.clock.time(at)}`;
  desk.say(`${many}${names.length === 0 ? '' : `: ${listed(names)}`}.`, known);
  desk.remember({ list: sick.slice(0, 8).map(({ name }) => name), subject: sick[0]?.name });
}

/** No services are defined: names of services that senders give. */
async function hitNames(desk: Desk, time_range: string, when: string): Promise<void> {
  const looked = await desk.look(query, {
    metric: 'incidents',
    group_by: 'service',
    time_range,
    sort: 'desc',
    severity: ['critical', 'major'],
  });
  const [row] = looked.rows;
  const rows = row?.result.rows.filter(({ value, key }) => (value ?? 0) > 0 && key !== 'none') ?? [];
  desk.say('No services are defined yet.', row ?? null);
  if (rows.length > 0)
    desk.say(
      `Critical and major incidents by service name on events ${when}: ${listed(rows.slice(0, 8).map(({ label, value }) => `${label} ${value}`))}.`,
      row ?? null,
    );
}
