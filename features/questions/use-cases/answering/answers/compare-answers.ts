import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import { counted } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { nothingFor, nounOf, said } from '#features/questions/rules/answers/describe-value.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import type { Filters, Metric, Query } from '#features/questions/rules/query.ts';
import { readTenantQuestion } from '#features/questions/use-cases/queries/read-query.ts';
import { type ImpactRow, impact } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { type NumberRow, query, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, quoted } from '../desk.ts';
import { fittingIncidents, SEVERITY_WEIGHTS } from '../meant-incident.ts';
import { meantThings, unknownNames } from '../meant-things.ts';
import { dataBegin } from '../tell-events.ts';
import { headline } from '../tell-incident.ts';
import { findThings, isPlaceType, type Thing } from '../things.ts';
import { saidToBeLeftOut } from './number-answers.ts';

interface Side {
  readonly name: string;
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  readonly range?: Range;
}
interface Measured {
  readonly row: NumberRow;
  readonly side: Side;
  readonly bySeverity: readonly (readonly [severity: Severity, count: number])[];
}

const MAX_SIDES = 6;
const COUNTED: readonly Metric[] = ['events', 'open_events', 'incidents', 'occurrences'];

const ofThing = ({ name, kind, cis }: Thing): Side => ({
  name,
  params: kind === 'host' || cis.length === 0 ? { search: name } : { ci: cis.slice(0, 1_000).map(({ id }) => id) },
});

/** Things of the message; of one that adds a thing to the last comparison, all of them. */
async function comparedThings({ asking, reading, memory }: Desk): Promise<readonly Thing[]> {
  const { things, pointsBack, shape, asked } = reading;
  const { list, subject } = memory;
  if (asked.times.length > 1) return things;
  // `more than payments?`: the last subject is the other side.
  const isThan = /^(?:and )?(?:is (?:it|that) )?(?:more|less|fewer|worse|better|\w+er) than\b/.test(shape);
  if (things.length === 1 && subject !== undefined && isThan)
    return [...(await findThings(asking, `"${subject}"`)).things, ...things];
  const isOfTalk = things.length === 0 && (pointsBack || /\bwhich\b|\bthe (?:two|both)\b/.test(shape));
  if (!isOfTalk || list === undefined) return things;
  return (await findThings(asking, list.slice(0, MAX_SIDES).join(', '))).things;
}

/** `worst site`: the sites themselves, each with its CIs. */
async function ofPlaces({ asking, reading }: Desk, things: readonly Thing[]): Promise<readonly Thing[]> {
  const [only] = things;
  if (only?.kind !== 'type' || things.length > 1 || !isPlaceType(only.name) || reading.asked.times.length > 1)
    return things;
  const names = only.cis.slice(0, MAX_SIDES).map(({ name }) => name);
  return (await findThings(asking, names.join(', '))).things;
}

/** Today so far with as much of yesterday. */
function alike([one, other]: readonly [Range, Range], now: number): readonly [Range, Range] {
  const length = one.to - one.from;
  const isLonger = one.to >= now - 60_000 && other.to - other.from > length;
  return [one, isLonger ? { from: other.from, to: other.from + length } : other];
}

async function sidesOf(desk: Desk): Promise<readonly Side[]> {
  const { reading, memory, clock, asking } = desk;
  const { asked, time } = reading;
  const things = await ofPlaces(desk, await comparedThings(desk));
  const named = things.filter(({ kind }) => kind !== 'type');
  const sides = named.length > 1 ? named : things;
  if (sides.length > 1) return sides.slice(0, MAX_SIDES).map(ofThing);
  const ofTime = (range: Range): Side => ({
    name: clock.range(range).replace(/^since (.+)$/, 'from $1 until now'),
    params: { time_range: isoRange(range) },
    range,
  });
  const now = asking.receivedAt;
  // `calmer now than three hours ago`: an hour each.
  const past = [time?.range, ...asked.times].find((range) => range !== undefined && range.to < now - HOUR_MS / 2);
  if (past !== undefined && /\bnow than\b/.test(reading.shape) && past.to - past.from <= 4 * HOUR_MS)
    return [{ from: now - HOUR_MS, to: now }, hourOf(past)].map(ofTime);
  const [one, other] = asked.times;
  if (one !== undefined && other !== undefined) return alike([one, other], asking.receivedAt).map(ofTime);
  for (const kind of ['source', 'severity', 'service', 'environment'] as const) {
    const values = [...new Set(asked.entities.filter((one) => one.kind === kind).map(({ value }) => value))];
    if (values.length > 1)
      return values.slice(0, MAX_SIDES).map((value) => ({ name: value, params: { [kind]: [value] } }));
  }
  const { time: base } = memory;
  const earlier = ({ from, to }: Range): Range => ({ from: 2 * from - to, to: from });
  if (time !== null && BEFORE_OR_AFTER.test(reading.shape)) {
    const before = earlier(time.range);
    const begin = (await dataBegin(desk))?.at ?? 0;
    return [{ ...before, from: Math.max(before.from, begin) }, time.range].map(ofTime);
  }
  if (time !== null && base !== undefined && base.range.from !== time.range.from)
    return [base.range, time.range].map(ofTime);
  const range = time?.range ?? base?.range;
  return range === undefined ? [] : [range, earlier(range)].map(ofTime);
}

const hourOf = ({ from, to }: Range): Range =>
  ((middle) => ({ from: middle - HOUR_MS / 2, to: middle + HOUR_MS / 2 }))((from + to) / 2);
/** `before or after one`: both sides of a time, as far as data go. */
const BEFORE_OR_AFTER = /\bbefore or (?:after|¤)|\bafter or before\b/;

/** The query of the message, else of the last question. */
async function baseOf({ asking, reading, memory }: Desk): Promise<Query | null> {
  if (reading.asked.query !== null || BEFORE_OR_AFTER.test(reading.shape) || memory.asked === undefined)
    return reading.asked.query;
  return (await readTenantQuestion(asking, memory.asked)).query;
}

const metricOf = (desk: Desk, own: Metric | undefined): Metric => {
  const isNow =
    /\b(?:now|currently|at the moment|worse off|better off)\b/.test(desk.reading.lower) && desk.reading.time === null;
  if (isNow && (own === undefined || own === 'events')) return 'open_events';
  return own === undefined || own === 'service_health' || own === 'cis' ? 'events' : own;
};

interface Measuring {
  readonly side: Side;
  readonly metric: Metric;
  readonly filters: Filters;
}
async function measure(desk: Desk, { side, metric, filters }: Measuring): Promise<Measured | null> {
  const { severity, source, environment, text: search } = filters;
  const isCounted = COUNTED.includes(metric);
  const row = await desk.find(query, {
    metric,
    severity: severity as readonly Severity[] | undefined,
    source,
    environment,
    search,
    time_range: metric === 'open_events' ? undefined : desk.reading.time?.text,
    group_by: isCounted ? 'severity' : undefined,
    ...side.params,
  });
  if (row === null) return null;
  const counts = new Map(row.result.rows.map(({ key, value }) => [key, value ?? 0]));
  const bySeverity = SEVERITIES.map((one) => [one, counts.get(one) ?? 0] as const);
  return { side, row, bySeverity: isCounted ? bySeverity.filter(([, many]) => many > 0) : [] };
}

const FEWER = /\b(?:less|fewer|better|quieter|calmer|healthier|lower|least|quietest|calmest|best|healthiest)\b/;
const WORSE = /\b(?:worse|worst|better|best|healthier|healthiest|sicker|trouble|hit harder|bad)\b/;

const isYesNo = ({ reading: { shape, lower } }: Desk): boolean =>
  /^(?:and )?(?:is|are|was|were|did|does|do|has|have|more|fewer|less|worse|better)\b/.test(shape) &&
  /\bthan\b/.test(lower);

/** Numbers of two or more things, times, sources or severities, side by side. */
export async function compare(desk: Desk): Promise<void> {
  const { reading, clock } = desk;
  const { lower, things, time } = reading;
  // A side that nothing has the name of is no reason to compare something else.
  if (reading.missing.length > 0 && things.length < 2) return unknownNames(desk);
  const ofServices = things.filter(({ kind }) => kind === 'service');
  const isOfNow = time === null && reading.asked.times.length === 0;
  if (ofServices.length > 1 && isOfNow && WORSE.test(lower)) return compareHealth(desk, ofServices);
  const isOfLoss = ['impact', 'safe'].includes(desk.memory.intent ?? '') && reading.pointsBack && things.length > 0;
  if (isOfLoss && (await compareImpact(desk))) return;
  if (REACH.test(lower) && (await compareReach(desk))) return;
  const isOfUsual = /\b(?:usual|normal|average|typical)\b|\bgetting (?:worse|better)\b/.test(lower);
  const sides = isOfUsual ? [] : await sidesOf(desk);
  if (isOfUsual && (await compareUsual(desk))) return;
  if (sides.length < 2) return askSides(desk);
  const base = await baseOf(desk);
  const asked = metricOf(desk, base?.metric);
  const metric = asked === 'open_events' && sides.some(({ range }) => range) ? 'events' : asked;
  const measuring = sides.map((side) => measure(desk, { side, metric, filters: base?.filters ?? {} }));
  const found = (await Promise.all(measuring)).flatMap((one) => one ?? []);
  const [first, second] = found;
  if (first === undefined || second === undefined) return;
  const isOfTimes = sides.some(({ range }) => range);
  desk.remember({ list: isOfTimes ? [] : sides.map(({ name }) => name) });
  saidToBeLeftOut(desk);
  const refs = found.map(({ row }) => row);
  if (await isPartlyBeforeData(desk, found, metric)) return;
  const { unit, range } = first.row.result;
  const text = ({ side, row, bySeverity }: Measured): string => {
    const parts = bySeverity.map(([severity, n]) => `${n} ${severity}`).join(', ');
    return `${side.name} ${row.value === null ? nothingFor(metric) : said(row.value, unit)}${parts && ` (${parts})`}`;
  };
  const isOfWeight = WORSE.test(lower) && COUNTED.includes(metric);
  const weight = ({ row, bySeverity }: Measured): number =>
    isOfWeight ? bySeverity.reduce((sum, [one, n]) => sum + n * SEVERITY_WEIGHTS[one], 0) : (row.value ?? 0);
  const sorted = found.toSorted((a, b) => weight(b) - weight(a));
  const [top, low] = [sorted[0], sorted.at(-1)] as [Measured, Measured];
  const when = isOfTimes || range === null ? '' : ` ${clock.range(range)}`;
  const isFewer = FEWER.test(lower);
  const [high, little] = isOfWeight ? (['worse', 'better'] as const) : (['more', 'fewer'] as const);
  const [best, word, opposite] = isFewer ? [low, little, high] : [top, high, little];
  const verdict = (): string => {
    if (weight(top) === weight(low)) return isYesNo(desk) ? 'No, the same' : 'No difference';
    if (!isYesNo(desk)) return `${best.side.name}: ${word}`;
    return best === first ? `Yes, ${word}` : `No, ${opposite}`;
  };
  desk.say(refs)`${verdict()}: ${nounOf(metric)}${when}: ${found.map(text).join('; ')}.`;
}

function askSides(desk: Desk): void {
  const unknown = listed(desk.reading.topic.map(quoted));
  const none = unknown && `No CI, service or source found named ${unknown}. `;
  desk.isAbstained = true;
  desk.lead.push(`${none}Which two do you want to compare? Name two systems, sources, severities or times.`);
}

/** `is that worse than losing b`: what fails with the last subject and with the other. False: one of them is no single CI. */
async function compareImpact(desk: Desk): Promise<boolean> {
  const [other] = desk.reading.things;
  const [of, to] = [desk.memory.current, other?.cis.length === 1 ? other.cis[0]?.id : undefined];
  const [one, two] = await Promise.all([of, to].map((id) => (id == null ? null : desk.find(impact, { ci: id }))));
  if (one == null || two == null) return false;
  const size = ({ services: hit, impacted }: ImpactRow): number => hit.length * 10_000 + impacted.length;
  const text = ({ name, services: hit, impacted }: ImpactRow): string =>
    `${name} ${counted(impacted.length, 'CI')} and ${counted(hit.length, 'service')}`;
  const verdict = size(one) === size(two) ? 'As bad' : `Worse: ${(size(one) > size(two) ? one : two).name}`;
  desk.say([one, two])`${verdict}, by what would fail: ${text(one)}; ${text(two)}.`;
  return true;
}

const REACH =
  /\b(?:hit|affect\w*|took|take|hurt|broke)\b.{0,12}\b(?:more|most|fewer|least)\b|\bmore (?:hosts|boxes|cis|machines|systems|services)\b/;

/** `which hit more boxes`: CIs and services of the largest incident of each. False: one of them has none. */
async function compareReach(desk: Desk): Promise<boolean> {
  const things = desk.reading.things.filter(({ kind }) => kind !== 'type').slice(0, MAX_SIDES);
  const found = await Promise.all(things.map((thing) => fittingIncidents(desk, { things: [thing], topic: [] })));
  const largest = (all: readonly ToolIncidentRow[]) => all.toSorted((a, b) => b.cis.length - a.cis.length)[0];
  const rows = found.flatMap(({ all }) => largest(all) ?? []);
  const top = largest(rows);
  if (top === undefined || rows.length < Math.max(2, things.length)) return false;
  const text = (row: ToolIncidentRow): string =>
    `${headline(row)}: ${counted(row.cis.length, 'CI')}, ${counted(row.services.length, 'service')}`;
  desk.say(rows)`More: ${headline(top)}. ${rows.map(text).join('; ')}.`;
  return true;
}

const HOUR_MS = 3_600_000;
const USUAL_MS = 7 * 24 * HOUR_MS;

/** `more alerts than usual`: the rate of a time, by default the last hour, against the days before it. False: nothing is before it. */
async function compareUsual(desk: Desk): Promise<boolean> {
  const { reading, asking, clock } = desk;
  const now = asking.receivedAt;
  const begin = await dataBegin(desk);
  const own = reading.time?.range ?? { from: now - HOUR_MS, to: now };
  const range = { from: own.from, to: Math.min(own.to, now) };
  const before = { from: Math.max(range.from - USUAL_MS, begin?.at ?? 0), to: range.from };
  if (begin === null || before.to - before.from < HOUR_MS || range.to - range.from < HOUR_MS / 4) return false;
  const base = await baseOf(desk);
  const [thing] = reading.pointsBack ? await meantThings(desk) : reading.things;
  const asked = metricOf(desk, base?.metric);
  const metric = asked === 'open_events' ? 'events' : asked;
  const measured = (name: string, of: Range) => {
    const params = { time_range: isoRange(of), ...(thing !== undefined && ofThing(thing).params) };
    return measure(desk, { side: { name, params }, metric, filters: base?.filters ?? {} });
  };
  const [is, was] = await Promise.all([measured('now', range), measured('before', before)]);
  if (is?.row.value == null || was?.row.value == null || is.row.result.unit !== 'count') return false;
  const rate = (value: number, of: Range): number => (value * HOUR_MS) / (of.to - of.from);
  const [one, other] = [rate(is.row.value, range), rate(was.row.value, before)];
  const word = one > 1.25 * other ? 'More' : one < 0.8 * other ? 'Fewer' : 'About the same';
  const many = `${is.row.value} ${nounOf(metric)}${thing === undefined ? '' : ` on ${thing.name}`} ${clock.range(range)}`;
  const usual = `${other.toFixed(1)} an hour from ${clock.time(before.from)} to ${clock.time(before.to)}`;
  desk.say([is.row, was.row])`${word}: ${many}, ${one.toFixed(1)} an hour, against ${usual}.`;
  return true;
}

/** The current health of services; the question is about the first one. */
async function compareHealth(desk: Desk, things: readonly Thing[]): Promise<void> {
  const looked = await desk.look(services, {});
  const rows = things.flatMap(({ id }) => looked.rows.find((row) => row.id === id) ?? []);
  const [first] = rows;
  const [worst] = rows.toSorted((a, b) => a.score - b.score);
  if (first === undefined || worst === undefined) return;
  const isSame = rows.every(({ score }) => score === worst.score);
  const isBetter = /\b(?:better|best|healthier|healthiest)\b/.test(desk.reading.lower);
  const isIt = (first === worst) !== isBetter;
  const verdict = isSame ? 'No difference' : isYesNo(desk) ? (isIt ? 'Yes' : 'No') : `Worse: ${worst.name}`;
  const texts = rows.map(({ name, status, score }) => `${name} is ${status}, health ${score} of 100`);
  desk.say([looked, ...rows])`${verdict}: ${texts.join('; ')}.`;
}

/** A time before the first event cannot be compared: zero would be no number of it. */
async function isPartlyBeforeData(desk: Desk, found: readonly Measured[], metric: Metric): Promise<boolean> {
  const begin = await dataBegin(desk);
  if (begin === null) return false;
  const before = found.filter(({ side: { range } }) => range !== undefined && range.from < begin.at - 60_000);
  if (before.length === 0) return false;
  const names = listed(before.map(({ side }) => side.name));
  const known = found.flatMap(({ side: { name, range }, row: { value } }) => {
    if (value === null || range === undefined || range.to <= begin.at) return [];
    const from = range.from < begin.at ? ` (since ${begin.text})` : '';
    return [`${value} ${nounOf(metric)} ${name}${from}`];
  });
  const numbers = known.length === 0 ? '' : ` Known: ${known.join('; ')}.`;
  const refs = found.map(({ row }) => row);
  desk.say(refs)`Can't be compared: data begin ${begin.text}, later than the start of: ${names}.${numbers}`;
  return true;
}
