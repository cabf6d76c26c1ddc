import { counted } from '#features/ai/rules/findings.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { isSick, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { FullIncidentRow, MemberRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, namesOf } from '../desk.ts';
import { fittingIncidents, inFull } from '../meant-incident.ts';
import { headline, namedOpen, openOf } from '../tell-incident.ts';
import { sickNames } from '../tell-service.ts';
import { idsOf } from '../things.ts';
import { tellNone } from './incident-answers.ts';
import { toll } from './present-answers.ts';

/** The incident of the talk, else the one that the words describe: `the ams power cut`; null: none. */
export async function describedIncident(desk: Desk): Promise<FullIncidentRow | null> {
  const { reading, memory } = desk;
  const [id] = reading.ids;
  if (id !== undefined) return inFull(desk, id);
  const own = reading.things.filter(({ kind }) => kind !== 'type');
  if (own.length + reading.topic.length === 0)
    return memory.incident === undefined ? null : inFull(desk, memory.incident);
  const isPlaced = own.length > 0 && reading.topic.length > 0;
  const { all } = await fittingIncidents(desk, { things: own });
  // Both the place and the kind of problem are those of its root cause.
  const ids = new Set(idsOf(own));
  const isNamedSo = ({ cause }: (typeof all)[number]): boolean =>
    cause !== null && ids.has(cause.ci?.id ?? '') && speaksOf(`${cause.title} ${cause.place ?? ''}`, reading.topic) > 0;
  const best = (isPlaced ? all.filter(isNamedSo) : all).toSorted((a, b) => b.events - a.events)[0] ?? all[0];
  return best === undefined ? null : inFull(desk, best.id);
}

const DOWN = /\b(?:down|unreachable|offline|not respond\w*|no response|lost|dead|off)\b/i;
const OF_DOWN = /\b(?:down|off|out|offline|dead|died|lost|unreachable)\b/;
const OF_NOW = /\bstill\b|\bnow\b/;
const hostsOf = (rows: readonly MemberRow[]): readonly string[] => [
  ...new Set(rows.flatMap(({ hostname, place }) => hostname ?? place ?? [])),
];

/** Hosts of an incident that went down, or that are down still; each number has what it counts. */
async function tellHostsOf(desk: Desk, row: FullIncidentRow, isNow: boolean): Promise<void> {
  const { shape } = desk.reading;
  const isOfDown = OF_DOWN.test(shape) || desk.memory.intent === 'tally';
  const down = isOfDown ? row.members.filter(({ title }) => DOWN.test(title)) : [];
  const meant = down.length > 0 ? down : row.members;
  const kind = down.length > 0 ? 'an event that reports them down' : 'an event';
  const chosen = isNow ? meant.filter(({ to }) => to === null) : meant;
  const names = hostsOf(chosen);
  const least = row.members.length < row.events ? 'At least ' : '';
  const of = isNow ? `, of ${counted(hostsOf(meant).length, 'host')} with ${kind}` : '';
  const still = isNow ? `${kind.replace('an ', 'an open ')}` : kind;
  desk.say(row)`${least}${counted(names.length, 'host')} with ${still}${of}, in the incident that began with
    ${headline(row)}${names.length === 0 ? '' : `: ${listed(names)}`}.`;
  desk.remember({ list: names.slice(0, 8), incident: row.id });
  const all = counted(hostsOf(row.members).length, 'host');
  if (!isNow) desk.say(row)`In all ${counted(row.events, 'event')} on ${all}.`;
  const open = await openOf(desk, row);
  if (open.length > 0 && (!isNow || open.length !== chosen.length))
    desk.say([row, ...open.slice(0, 3)])`${counted(open.length, 'event')} of it still open: ${namedOpen(open)}.`;
}

/** Services of an incident that are not healthy now; what else makes them sick is not told apart. */
async function tellServicesOf(desk: Desk, row: FullIncidentRow): Promise<void> {
  const looked = await desk.look(services, {});
  const hit = new Set(row.services.map(({ id }) => id));
  const sick = looked.rows.filter((one) => hit.has(one.id) && isSick(one));
  const open = await openOf(desk, row);
  const now = open.length === 0 ? 'no event of it is open' : `still open: ${namedOpen(open)}`;
  desk.say([row, looked, ...open.slice(0, 3)])`${counted(hit.size, 'service was', 'services were')} affected by
    ${headline(row)}${hit.size === 0 ? '' : `: ${namesOf(row.services)}`}; ${now}.`;
  if (hit.size > 0)
    desk.say([
      row,
      looked,
    ])`Not healthy now, for whatever reason: ${sick.length === 0 ? 'none of them' : sickNames(sick)}.`;
  desk.remember({ incident: row.id, list: row.services.slice(0, 8).map(({ name }) => name) });
}

/** Counts within an incident: `how many boxes went down in the ams power cut`, `how many of those are still out`. */
export async function tally(desk: Desk): Promise<void> {
  const row = await describedIncident(desk);
  if (row === null) return tellNone(desk);
  desk.remember({ incident: row.id });
  for (const thing of desk.reading.things) desk.applied.add(thing);
  const { shape } = desk.reading;
  if (/\bservices?\b/.test(shape)) return tellServicesOf(desk, row);
  if (/\b(?:events?|alerts?|alarms?|messages?)\b/.test(shape)) return toll(desk);
  return tellHostsOf(desk, row, OF_NOW.test(shape));
}
