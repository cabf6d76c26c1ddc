import { counted } from '#features/ai/rules/findings.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { isSick } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { changes, events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import {
  type FullIncidentRow,
  incidents,
  type ToolIncidentRow,
} from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { be, type Desk, listed, namesOf, quoted, some } from '../desk.ts';
import { fittingIncidents, inFull, meantIncident } from '../meant-incident.ts';
import { meantThings, subjectsOf } from '../meant-things.ts';
import { contextOf, faultsIn, incidentOf, placesOf, tellEvents, tellFolded, worstFirst } from '../tell-events.ts';
import {
  downOf,
  headline,
  leftoverOf,
  namedOpen,
  openOf,
  suspectOf,
  tellDown,
  tellNotes,
  tellServices,
  titled,
} from '../tell-incident.ts';
import { tellHealth } from '../tell-service.ts';
import { idsOf } from '../things.ts';

const STILL = /\bstill\b/;
/** Nouns for a whole group, which lasts while any event of it does. */
export const OF_GROUP = /\b(?:incidents?|outages?|groups?)\b/;
const EXACT = 0.5;

/** `is it over?` yes, and `is it still open?` no. */
const answerWord = ({ reading }: Desk, isOver: boolean): string =>
  isOver === STILL.test(reading.shape) ? 'No' : 'Yes';

/** State of a fault: of a service by its health, of things by their events, else of the incident. */
export async function over(desk: Desk): Promise<void> {
  const { reading, memory, clock } = desk;
  const { topic } = reading;
  const meant = subjectsOf(await meantThings(desk));
  const isSaid = topic.length === 0 || reading.things.length > 0;
  if (isSaid && (await tellHealth(desk, meant, (row) => `${answerWord(desk, !isSick(row))}: `))) return;
  const isOfTalk = reading.things.length + topic.length === 0 && memory.incident !== undefined;
  const things = isOfTalk ? [] : meant;
  const [thing] = things;
  const ci = idsOf(things);
  const isOfGroup = OF_GROUP.test(reading.shape);
  const all = ci.length === 0 || isOfGroup ? null : await desk.look(events, { ci });
  const open = faultsIn(all?.rows ?? []).filter(({ title }) => topic.length === 0 || speaksOf(title, topic) > 0);
  const [worst] = open.toSorted(worstFirst);
  if (all !== null && worst !== undefined && thing !== undefined) {
    const many = counted(open.length, 'event is', 'events are');
    desk.say(all)`${answerWord(desk, false)}: ${many} open on ${namesOf(things)}.`;
    tellEvents(desk, all, open, { most: 4 });
    return desk.rememberThing(thing, { incident: incidentOf(worst) });
  }
  const isOfCis = things.length > 0 && topic.length === 0 && things.every(({ kind }) => kind === 'ci');
  const row = isOfCis && !isOfGroup ? null : await meantIncident(desk);
  if (row !== null) {
    if (thing === undefined) desk.remember({ incident: row.id });
    else desk.rememberThing(thing, { incident: row.id });
    return tellOver(desk, row);
  }
  const past = all && (await desk.look(events, { ci, time_range: desk.lastDays(30), sort: 'newest' }));
  const last = faultsIn(past?.rows ?? []).find(({ to }) => to !== null);
  if (last?.to != null && thing !== undefined) {
    desk.say(last)`${answerWord(desk, true)}: ${titled(last)} ended ${clock.ago(last.to)}.`;
    const whole = last.groupId === null ? null : await inFull(desk, last.groupId);
    if (whole !== null) tellOpen(desk, whole, await openOf(desk, whole));
    return desk.rememberThing(thing, { incident: incidentOf(last) });
  }
  if (thing !== undefined) desk.rememberThing(thing);
  desk.isAbstained = true;
  desk.say(await contextOf(desk))`Not known: no incident of the last 30 days is about it.`;
}

async function tellOver(desk: Desk, row: FullIncidentRow): Promise<void> {
  const { clock, reading } = desk;
  const of = OF_GROUP.test(reading.shape) ? undefined : spokenOf(row, reading.topic);
  const [from, to] = of === undefined ? [row.from, row.to] : [of.from, of.to];
  const name = of === undefined ? headline(row) : titled(of);
  const word = answerWord(desk, to !== null);
  const open = await openOf(desk, row);
  if (to !== null) desk.say(row)`${word}: ${name} ended ${clock.ago(to)}; it lasted ${clock.span(from, to)}.`;
  else if (row.causeOver === null || of !== undefined)
    desk.say(row)`${word}: ${name} is open since ${clock.ago(from)}.`;
  else {
    const many = `${row.active} of ${counted(row.events, 'event')} ${row.active === 1 ? 'is' : 'are'} open`;
    desk.say([row, ...open.slice(0, 3)])`${word}: ${many}: ${namedOpen(open)}.`;
    desk.say(row)`The incident began with ${name}, which is over since ${clock.time(row.causeOver)}.`;
    return tellNotes(desk, row, 1);
  }
  tellOpen(desk, row, open);
  tellNotes(desk, row, 1);
}
function tellOpen(desk: Desk, row: FullIncidentRow, open: readonly ToolEventRow[]): void {
  const of = `Open now of ${counted(row.events, 'event')}`;
  if (open.length > 0 && row.events > 1) desk.say([row, ...open.slice(0, 3)])`${of}: ${namedOpen(open)}.`;
}

/** The member that the words mean: the root cause, if it fits them as well as any other. */
export function spokenOf({ members, cause }: FullIncidentRow, topic: readonly string[]) {
  if (topic.length === 0) return undefined;
  const score = ({ title, place, eventId }: FullIncidentRow['members'][number]): number =>
    speaksOf(`${title} ${place ?? ''}`, topic) + (eventId === cause?.eventId ? 0.1 : 0);
  const [best] = members.toSorted((a, b) => score(b) - score(a));
  return best !== undefined && score(best) >= EXACT ? best : undefined;
}

/** A thing that did not recover with the others has a fault of its own, if they did. */
export async function leftBehind(desk: Desk): Promise<void> {
  const [thing] = subjectsOf(await meantThings(desk));
  if (thing === undefined) return over(desk);
  desk.rememberThing(thing);
  const looked = await desk.look(events, { ci: idsOf([thing]) });
  const [worst] = faultsIn(looked.rows).toSorted(worstFirst);
  if (worst === undefined) return desk.say(looked)`It did: no event is open on ${thing.name}.`;
  const row = worst.groupId === null ? null : await inFull(desk, worst.groupId);
  const isOwn = row?.cause == null || row.cause.eventId === worst.eventId;
  const isOpen = !isOwn && row.causeOver === null;
  const why = isOwn ? 'Not known: no other event explains it' : 'Not known: it is a separate fault now';
  const begin = isOpen ? `The probable root cause of it is open, too: ${headline(row)}` : why;
  desk.remember({ incident: incidentOf(worst) });
  desk.say([row, worst], 'likely')`${begin}. ${titled(worst)} is open since ${desk.clock.ago(worst.from)}.`;
  if (!isOwn && row.causeOver !== null) {
    const ended = row.members.filter(({ to }) => to !== null);
    const many = `${ended.length} of ${counted(row.events, 'event')} of the incident ended`;
    const since = desk.clock.time(row.causeOver);
    desk.say(row)`${headline(row)}, which began it, is over since ${since}, and ${many}.`;
    const peers = ended.filter(({ title }) => title === worst.title).flatMap(({ place }) => place ?? []);
    if (peers.length > 0) desk.say(row)`The same ended on ${listed(peers)}.`;
  }
  const [id] = idsOf([thing]);
  if (id !== undefined && !tellDown(desk, thing.name, await downOf(desk, id, null)))
    desk.say(looked)`Nothing that ${thing.name} depends on has an open critical or major event.`;
}

/** An answer about the incident of the conversation, where no other is named: `should we roll it back`. */
const onSpoken =
  (tell: (desk: Desk, row: FullIncidentRow, open: readonly ToolEventRow[]) => Promise<void> | void) =>
  async (desk: Desk): Promise<void> => {
    const { reading, memory } = desk;
    const isUnnamed = reading.ids.length === 0 && reading.things.every(({ kind }) => kind === 'type');
    const isOfTalk = isUnnamed && memory.incident !== undefined;
    const row = isOfTalk ? await inFull(desk, memory.incident ?? '') : await meantIncident(desk);
    if (row === null) return desk.say(await contextOf(desk))`Not known: no incident is about it.`;
    desk.remember({ incident: row.id });
    return tell(desk, row, await openOf(desk, row));
  };

/** Events of the incident by state. */
export const members = onSpoken(async (desk, row, open) => {
  const what = `${counted(row.events, 'event')} of the incident that began with ${headline(row)}`;
  const word = !YES_NO.test(desk.reading.shape) ? '' : open.length > 0 ? 'Yes: ' : 'No: ';
  desk.say(row)`${word}${open.length} of ${what} ${be(open.length)} open.`;
  tellFolded(desk, await desk.look(events, {}), open);
  const ended = row.members.filter(({ to }) => to !== null);
  if (ended.some(({ place }) => place !== null)) desk.say(row)`Ended on ${placesOf(ended)}.`;
});

const YES_NO = /^(?:is|are)\b/;

const HOSTS = /\b(?:hosts?|machines?|boxes)\b/;
/** Size of an incident: hosts or CIs of a type, if that is asked, events, CIs and services, and its open events. */
export const toll = onSpoken((desk, row, open) => {
  const least = row.members.length < row.events ? 'At least ' : '';
  const hosts = new Set(row.members.flatMap(({ hostname }) => hostname ?? []));
  if (HOSTS.test(desk.reading.lower)) desk.say(row)`${least}${counted(hosts.size, 'host')}.`;
  for (const { said, cis } of desk.reading.things.filter((one) => one.kind === 'type' && !HOSTS.test(one.said))) {
    const own = cis.filter(({ id }) => row.cis.includes(id));
    desk.say(row)`${own.length} ${said}${own.length === 0 ? '' : `: ${namesOf(own)}`}.`;
  }
  const hit = row.services.length === 0 ? '' : `, ${counted(row.services.length, 'service')}`;
  const many = `${counted(row.events, 'event')}, ${counted(row.cis.length, 'CI')}${hit}`;
  desk.say(row)`${many}: the incident that began with ${headline(row)}, ${desk.clock.ago(row.from)}.`;
  tellOpen(desk, row, open);
  desk.say(row)`It was on ${placesOf(row.members)}.`;
  tellServices(desk, row);
});

/** `whose stuff broke`. */
export const WHOSE =
  /\bwhose (?:\w+ ){0,2}(?:broke|break\w*|fail\w*|suffer\w*|w(?:as|ere)|got|went)\b|\bwho (?:was|were|got) (?:hit|affected|hurt)\b/;
/** Services and systems of an incident, with the owners that are recorded. */
export async function tellOwnersOf(desk: Desk, row: FullIncidentRow): Promise<void> {
  const { asking } = desk;
  const cis = await asking.ports.topology.getCis(asking.tenant, row.cis.slice(0, 200));
  const teamOf = ({ attributes, customFields }: (typeof cis)[number]): string =>
    String(
      Object.entries({ ...attributes, ...customFields }).find(([name]) => /^(?:team|owner)$/i.test(name))?.[1] ?? '',
    );
  const teams = Map.groupBy(cis, teamOf);
  teams.delete('');
  tellServices(desk, row);
  desk.say(row)`Events were on ${placesOf(row.members)}.`;
  const owners = [...teams].map(([team, own]) => `${team} (${namesOf(own)})`);
  if (owners.length > 0) desk.say(row)`Recorded owners: ${owners.slice(0, 8).join('; ')}.`;
}

const UNDONE = /\broll(?:ed|ing)?[ -]?(?:it )?back|\brevert|\bback to v?\d/i;
/** A change, later ones that undo it, and the open events of its incident. */
export const rollback = onSpoken(async (desk, row, open) => {
  const { clock } = desk;
  const change = await suspectOf(desk, row);
  if (/^(?:is|was|has|have|did|were|why|when|who)\b/.test(desk.reading.shape)) {
    const looked = await desk.look(changes, { time_range: desk.lastDays(30) });
    const later = looked.rows.filter(
      ({ at, ciId, eventId }) => change !== undefined && eventId !== null && ciId === change.ciId && at > change.at,
    );
    const undone = later.find(({ title }) => UNDONE.test(title));
    const noted = row.notes.findLast(({ text }) => UNDONE.test(text));
    const [newest] = later;
    const then = newest === undefined ? 'no later deployment' : `later there was only ${titled(newest)}`;
    if (undone !== undefined) desk.say(undone)`Yes: ${titled(undone)}, ${clock.ago(undone.at)}.`;
    else if (noted !== undefined)
      desk.say(row)`By a note of ${noted.by}, ${clock.ago(noted.at)}: ${quoted(noted.text)}.`;
    else if (change === undefined) desk.say([looked, row])`Not known: no change was recorded before ${headline(row)}.`;
    else
      desk.say([looked, change])`Not as far as is recorded: ${then} after ${titled(change)}, ${clock.ago(change.at)}.`;
    return tellOpen(desk, row, open);
  }
  const none = `no change was recorded in the 2 hours before ${headline(row)}`;
  const said = change === undefined ? none : `${titled(change)} was ${clock.ago(change.at)}`;
  const many = `${open.length} of ${counted(row.events, 'event')} ${be(open.length)} open`;
  desk.say(row)`That decision is yours: ${said}; ${many}.`;
  tellOpen(desk, row, open);
  desk.say(row)`Whether a rollback would mend it is not known here.`;
});

/** Open events by words or things, with severity and places; ignoring them is no decision of an answer. */
export async function ignore(desk: Desk): Promise<void> {
  const { topic, things } = desk.reading;
  const looked = await desk.look(events, { ci: some(idsOf(things)) });
  const scoreOf = ({ title }: ToolEventRow): number => speaksOf(title, topic);
  const best = Math.max(EXACT, ...looked.rows.map(scoreOf));
  const rows = faultsIn(looked.rows).filter((row) => topic.length === 0 || scoreOf(row) >= best);
  const about = topic.length === 0 ? 'there' : `about ${quoted(topic.join(' '))}`;
  if (rows.length === 0) return desk.say(looked)`Nothing to ignore: no event is open ${about}.`;
  const many = counted(rows.length, 'event is', 'events are');
  desk.say(looked)`That decision is yours: ${many} open ${about}.`;
  tellFolded(desk, looked, rows);
}

/** Assigned to, or acknowledged by, another user. */
const isTaken = ({ asking: { caller } }: Desk, { assignee, acknowledgedBy }: ToolIncidentRow): boolean =>
  [assignee, acknowledgedBy].some((name) => name !== null && name !== caller.name);

/** The weightiest open incident without another assignee, else the weightiest. */
export async function startingPoint(desk: Desk): Promise<FullIncidentRow | null> {
  const { all } = await fittingIncidents(desk, { openOnly: true });
  const open = all.filter(({ to }) => to === null);
  const best = open.find((row) => !isTaken(desk, row)) ?? open[0];
  return best === undefined ? null : inFull(desk, best.id);
}

/** Incidents with another assignee. */
export async function tellTaken(desk: Desk, id: string): Promise<void> {
  const looked = await desk.look(incidents, {});
  const taken = looked.rows.filter((row) => row.id !== id && isTaken(desk, row));
  for (const row of taken.slice(0, 3)) {
    const { open } = await leftoverOf(desk, row);
    const who = row.assignee === null ? `acknowledged by ${row.acknowledgedBy}` : `assigned to ${row.assignee}`;
    desk.say(row)`Already ${who}: ${open.length === 0 ? headline(row) : namedOpen(open)}.`;
  }
}
