import { counted } from '#features/ai/rules/findings.ts';
import { isSick, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import type { FullIncidentRow, MemberRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, namesOf } from '../desk.ts';
import { describedIncident } from '../meant-incident.ts';
import { headline, namedOpen, openOf } from '../tell-incident.ts';
import { sickNames } from '../tell-service.ts';
import { tellNone } from './incident-answers.ts';
import { toll } from './present-answers.ts';

const DOWN = /\b(?:down|unreachable|offline|not respond\w*|no response|lost|dead|off)\b/i;
const HOST_DOWN = /\bhosts? (?:is |are )?(?:down|unreachable|offline|dead)\b/i;
const OF_DOWN = /\b(?:down|off|out|offline|dead|died|lost|unreachable)\b/;
const OF_NOW = /\bstill\b|\bnow\b/;
const hostsOf = (rows: readonly MemberRow[]): readonly string[] => [
  ...new Set(rows.flatMap(({ hostname }) => hostname ?? [])),
];

/** Hosts of an incident that went down, or that are down still; each number has what it counts. */
async function tellHostsOf(desk: Desk, row: FullIncidentRow, isNow: boolean): Promise<void> {
  const { shape } = desk.reading;
  const isOfDown = OF_DOWN.test(shape) || desk.memory.intent === 'tally';
  const saying = (said: RegExp): readonly MemberRow[] =>
    row.members.filter(({ title }) => isOfDown && said.test(title));
  const [down = [], isAny] = [[HOST_DOWN, DOWN].map(saying).find(({ length }) => length > 0), !isOfDown];
  const meant = isAny || down.length === 0 ? row.members : down;
  const kind = meant === down ? 'an event that reports them down' : 'an event';
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

/** Services of an incident, and which of them are not healthy now, whatever the reason. */
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
