import type { Range } from '#features/ai/rules/time/range.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type FullIncidentRow, incident, incidents, type ToolIncidentRow } from '../tools/kinds/incidents.ts';
import type { Desk, LookUp } from './desk.ts';
import { instantOf } from './read-message.ts';
import { isSevere } from './tell-events.ts';
import { ciThing, idsOf, type Thing, withHosts } from './things.ts';

const DAY_MS = 86_400_000;
/** Days in which an incident is searched by default. */
const USUAL_DAYS = 30;

export const SEVERITY_WEIGHTS = { critical: 1, major: 0.7, minor: 0.3, warning: 0.15, info: 0.05 } as const;

/** Relevance of an incident to the things, by its root cause, members and affected services. */
function aboutThings(row: ToolIncidentRow, things: readonly Thing[]): number {
  const scores = things.map((thing) => {
    const known = new Set(idsOf([thing]));
    // An incident that is active on the CI outranks one that is over there.
    const share = row.to === null && !row.activeCis.some((id) => known.has(id)) ? 0.5 : 1;
    return share * aboutThing(row, thing, known);
  });
  return scores.reduce((sum, one) => sum + one, 0);
}
function aboutThing({ cause, cis, services }: ToolIncidentRow, thing: Thing, known: ReadonlySet<string>): number {
  if (thing.kind === 'host') return cause?.place?.toLowerCase() === thing.name.toLowerCase() ? 4 : 0;
  const isCause = known.has(cause?.ci?.id ?? '');
  if (thing.kind === 'service' && services.some(({ id }) => id === thing.id)) return 3 + 3 * Number(isCause);
  const members = cis.filter((id) => known.has(id)).length;
  return isCause ? 4 : members === 0 ? 0 : 2 + members / Math.max(cis.length, 1);
}

/** An incident with how well it fits the question. */
interface Fitting {
  readonly row: ToolIncidentRow;
  readonly fits: number;
  readonly weight: number;
}

/** Titles of the time that speak of the topic: by incident the best; a word that only the place has counts half. */
async function byTopic(desk: Desk, timeRange: string, topic: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (topic.length === 0) return new Map();
  const { rows } = await desk.look(events, { time_range: timeRange });
  const best = new Map<string, number>();
  for (const { title, place, groupId, eventId } of rows) {
    const score = Math.max(speaksOf(title, topic), 0.5 * speaksOf(`${title} ${place ?? ''}`, topic));
    const id = groupId ?? eventId;
    if (score > 0) best.set(id, Math.max(best.get(id) ?? 0, score));
  }
  return best;
}

export interface IncidentChoice {
  readonly looked: LookUp<ToolIncidentRow>;
  readonly all: readonly ToolIncidentRow[];
  /** Words for the time that was looked at. */
  readonly when: string;
}

export const weightOf = (row: ToolIncidentRow): number =>
  SEVERITY_WEIGHTS[row.severity ?? 'info'] *
  (1 + Math.log2(1 + (row.to === null ? row.active : row.events))) *
  (row.to === null ? 1.2 : 1) *
  (row.state === 'acknowledged' || row.assignee !== null ? 0.8 : 1) *
  (1 + row.services.length / 10);

/** An incident that began hours before may have lasted until then. */
const withBefore = ({ from, to }: Range): string => isoRange({ from: from - DAY_MS / 2, to });

/** Incidents that the question may be about, the best first; without things and topic all of the time, the weightiest first. */
export async function fittingIncidents(desk: Desk, how: IncidentWish = {}): Promise<IncidentChoice> {
  const { things = desk.reading.things } = how;
  const own = await fitting(desk, things, how);
  const isOfTypes = things.some(({ kind }) => kind === 'type');
  if (own.all.length > 0 && !isOfTypes) return own;
  // Faults of a database are often reported on its machine.
  const wide = await withHosts(desk.asking, things);
  const isMore = idsOf(wide).length > idsOf(things).length;
  const behind = isMore ? await fitting(desk, wide, how) : own;
  return behind.all.length > 0 ? behind : own;
}
interface IncidentWish {
  readonly openOnly?: boolean;
  readonly things?: readonly Thing[];
  readonly topic?: readonly string[];
}

async function fitting(
  desk: Desk,
  things: readonly Thing[],
  { openOnly = false, topic = desk.reading.topic }: IncidentWish,
): Promise<IncidentChoice> {
  for (const thing of things) desk.applied.add(thing);
  const { time } = desk.reading;
  const now = desk.asking.receivedAt;
  const isNarrow = things.length > 0 || topic.length > 0;
  const usual = desk.lastDays(USUAL_DAYS);
  const timeRange = time === null ? (isNarrow && !openOnly ? usual : undefined) : withBefore(time.range);
  const [only] = things;
  const ci = things.length === 1 && only?.kind === 'ci' && only.cis.length === 1 ? (only.id ?? undefined) : undefined;
  const looked = await desk.look(incidents, { time_range: timeRange, ci });
  const told = await byTopic(desk, timeRange ?? usual, topic);
  const during = looked.rows.filter(({ to }) => time === null || to === null || Date.parse(to) >= time.range.from);
  const isBoth = topic.length > 0 && isOfPlaces(things);
  const scored = during.map((row): Fitting => {
    const about = aboutThings(row, things);
    const ofCause = row.cause === null ? 0 : speaksOf(`${row.cause.title} ${row.cause.place ?? ''}`, topic);
    const titled = Math.max(told.get(row.id) ?? 0, ofCause);
    const isStarted = time === null || Date.parse(row.from) >= time.range.from;
    const weight =
      weightOf(row) * (isStarted ? 1 : 0.3) * (time === null && row.to !== null ? 0.4 * recency(row, now) : 1);
    // Words with a place mean an incident that has both.
    const isOther = isBoth && about * titled === 0;
    return { row, fits: isOther ? 0 : about + 3 * titled, weight };
  });
  const most = Math.max(0, ...scored.map(({ fits }) => fits));
  const fit = scored.filter(({ fits }) => !isNarrow || (fits > 0 && (topic.length === 0 || fits >= 0.6 * most)));
  const all = fit.toSorted((a, b) =>
    isNarrow ? b.fits * (0.3 + b.weight) - a.fits * (0.3 + a.weight) : b.weight - a.weight,
  );
  const when = time === null ? (timeRange === undefined ? 'now' : 'in the last 30 days') : desk.clock.range(time.range);
  return { looked, all: all.map(({ row }) => row), when };
}
const isOfPlaces = (things: readonly Thing[]): boolean =>
  things.length > 0 && things.every(({ kind }) => kind === 'place');
const recency = ({ from }: ToolIncidentRow, now: number): number => 1 / (1 + (now - Date.parse(from)) / DAY_MS);

const BEGAN =
  /\b(?:lost|lose|fail\w*|crash\w*|die[ds]?|dr[ao]p\w*|br[eo]\w*ke|happen\w*|w[ei]nt|start\w*|began|stop\w*|hang|hung|slow|out)\b/;
const NEAR_MS = 30 * 60_000;
/** Severe incidents that began within half an hour, the nearest and heaviest first. */
const begunAbout = (all: readonly ToolIncidentRow[], at: number): readonly ToolIncidentRow[] => {
  const away = ({ from }: ToolIncidentRow): number => Math.abs(Date.parse(from) - at) / NEAR_MS;
  return all
    .filter((row) => isSevere(row) && away(row) <= 1)
    .toSorted((a, b) => weightOf(b) / (0.2 + away(b)) - weightOf(a) / (0.2 + away(a)));
};

/** The incident in full; null when it is gone. */
export const inFull = (desk: Desk, id: string): Promise<FullIncidentRow | null> => desk.find(incident, { group: id });

/** The incident that fits the things best: an open one before any other. */
export async function fittest(desk: Desk, things: readonly Thing[]): Promise<ToolIncidentRow | null> {
  const { all } = await fittingIncidents(desk, { things, topic: [] });
  return all.find(({ to }) => to === null) ?? all[0] ?? null;
}

/** A question for the most important incident, or for all open ones. */
const isOfAllOpen = (shape: string): boolean =>
  /\b(?:most|worst|main|biggest|urgent|top|important|burning|on fire|going on|everything|alerts|events|alarms|problems|current\w*|open|latest|last|newest|happen\w*|broke|broken|wrong|first|now|root causes?|start)\b/.test(
    shape,
  );
/** The only severe incident that is open: no other can be meant. */
async function onlySevere(desk: Desk): Promise<FullIncidentRow | null> {
  const { all } = await fittingIncidents(desk, { openOnly: true });
  const [only, other] = all.filter((row) => isSevere(row) && row.to === null);
  return only === undefined || other !== undefined ? null : inFull(desk, only.id);
}

/** The meant incident: by ID, by names in the message, else of the conversation, else the most important open one if that is asked for. */
export async function meantIncident(desk: Desk, how: { readonly isPast?: boolean } = {}) {
  const { reading, memory } = desk;
  const { topic } = reading;
  const [id] = reading.ids;
  if (id !== undefined) return inFull(desk, id);
  const isNamed = reading.things.length > 0 || topic.length > 0 || reading.time !== null;
  if (!isNamed && memory.incident !== undefined) return inFull(desk, memory.incident);
  const { current } = desk.asking;
  const things: readonly Thing[] =
    isNamed || current === null ? reading.things : [{ ...ciThing(current), said: current.name }];
  if (!isNamed && current === null && !isOfAllOpen(reading.shape)) return onlySevere(desk);
  const open = how.isPast ? null : await fittingIncidents(desk, { openOnly: true, things });
  const isHurt =
    /\b(?:took|take|taken|kill\w*|broke|die[ds]?|down|fail\w*|crash\w*|outage|worst)\b/.test(reading.shape) &&
    reading.time !== null;
  const ids = new Set(idsOf(things.filter(({ kind }) => kind === 'ci')));
  // `lost its database at 17:20`: what began about then.
  const at = reading.time !== null && BEGAN.test(reading.shape) ? instantOf(reading) : null;
  const near = at === null ? [] : begunAbout((await fittingIncidents(desk, { things })).all, at);
  if (near[0] !== undefined) return inFull(desk, near[0].id);
  const isOn = ({ to, cause, activeCis }: ToolIncidentRow): boolean =>
    to === null && (ids.size === 0 || ids.has(cause?.ci?.id ?? '') || activeCis.some((one) => ids.has(one)));
  // A question about a healthy CI means its newest incident, and no open one in which it recovered.
  const newest = (all: readonly ToolIncidentRow[]): readonly ToolIncidentRow[] =>
    isHurt
      ? all.toSorted((a, b) => weightOf(b) - weightOf(a))
      : ids.size === 0 || topic.length > 0
        ? all
        : all.toSorted((a, b) => b.from.localeCompare(a.from));
  const { all } = await fittingIncidents(desk, { things });
  const isTold = topic.length > 0 && things.length > 0;
  const best = (isHurt || how.isPast ? undefined : (isTold ? all : open?.all)?.find(isOn)) ?? newest(all)[0];
  // An unknown topic must not hide the incidents of the thing.
  const isLoose = best === undefined && topic.length > 0 && things.length > 0 && !isOfPlaces(things);
  const [loose = best] = isLoose ? (await fittingIncidents(desk, { things, topic: [] })).all : [];
  return loose === undefined ? null : inFull(desk, loose.id);
}

/** The incident of the talk, or an incident by its description: `the ams power cut`; null: none. */
export async function describedIncident(desk: Desk): Promise<FullIncidentRow | null> {
  const { reading, memory } = desk;
  const [id] = reading.ids;
  if (id !== undefined) return inFull(desk, id);
  const own = reading.things.filter(({ kind }) => kind !== 'type');
  if (own.length + reading.topic.length === 0)
    return memory.incident === undefined ? null : inFull(desk, memory.incident);
  const isPlaced = own.length > 0 && reading.topic.length > 0;
  const { all } = await fittingIncidents(desk, { things: own });
  if (!isPlaced) {
    const [largest] = all.toSorted((a, b) => b.events - a.events);
    return largest === undefined ? null : inFull(desk, largest.id);
  }
  // The place and the kind of problem are those of one of its events.
  const ids = new Set(idsOf(own));
  for (const { id: one } of all.slice(0, MOST_READ)) {
    const row = await inFull(desk, one);
    if (row?.members.some(({ ciId, title }) => ids.has(ciId ?? '') && speaksOf(title, reading.topic) > 0)) return row;
  }
  return null;
}
const MOST_READ = 5;
