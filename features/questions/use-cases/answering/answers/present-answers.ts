import { counted } from '#features/ai/rules/findings.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { isSick } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { changes, events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import {
  type FullIncidentRow,
  incidents,
  type ToolIncidentRow,
} from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, namesOf, quoted } from '../desk.ts';
import { fittingIncidents, inFull, meantIncident } from '../meant-incident.ts';
import { meantThings, subjectsOf } from '../meant-things.ts';
import { contextOf } from '../tell-data.ts';
import { tellEvents, tellFolded, worstFirst } from '../tell-events.ts';
import {
  downOf,
  headline,
  leftoverOf,
  namedOpen,
  openOf,
  suspectOf,
  tellDown,
  tellServices,
  titled,
} from '../tell-incident.ts';
import { tellHealth } from '../tell-service.ts';
import { idsOf, type Thing } from '../things.ts';

const STILL = /\bstill\b/;
/** Nouns for a whole group, which lasts while any event of it does. */
export const OF_GROUP = /\b(?:incidents?|outages?|groups?)\b/;
const EXACT = 0.5;

/** `is it over?` yes, and `is it still open?` no. */
const answerWord = ({ reading }: Desk, isOver: boolean): string =>
  isOver === STILL.test(reading.shape) ? 'No' : 'Yes';

/** State of a fault: of a service by its health, of things by their events, else of the incident. */
export async function over(desk: Desk): Promise<void> {
  const { reading, memory } = desk;
  const meant = subjectsOf(await meantThings(desk));
  const isSaid = reading.topic.length === 0 || reading.things.length > 0;
  if (isSaid && (await tellHealth(desk, meant, (row) => `${answerWord(desk, !isSick(row))}: `))) return;
  const isOfTalk = reading.things.length + reading.topic.length === 0 && memory.incident !== undefined;
  const things = isOfTalk ? [] : meant;
  const cis = idsOf(things);
  const isOfGroup = OF_GROUP.test(reading.shape);
  const all = cis.length === 0 || isOfGroup ? null : await desk.look(events, { ci: cis });
  const open = (all?.rows ?? []).filter(({ isChange, title }) => !isChange && isAbout(title, reading.topic));
  if (all !== null && open.length > 0) {
    const [worst] = open.toSorted(worstFirst) as [ToolEventRow];
    desk.say(
      `${answerWord(desk, false)}: ${counted(open.length, 'event is', 'events are')} open on ${namesOf(things)}.`,
      all,
    );
    tellEvents(desk, all, open, { most: 4 });
    return desk.rememberThing(things[0] as Thing, { incident: worst.groupId ?? worst.eventId });
  }
  const isOfCis = things.length > 0 && reading.topic.length === 0 && things.every(({ kind }) => kind === 'ci');
  const row = isOfCis && !isOfGroup ? null : await meantIncident(desk);
  if (row !== null) {
    const [thing] = things;
    if (thing === undefined) desk.remember({ incident: row.id });
    else desk.rememberThing(thing, { incident: row.id });
    return tellOver(desk, row);
  }
  const past = all && (await desk.look(events, { ci: cis, time_range: desk.lastDays(30), sort: 'newest' }));
  const last = past?.rows.find(({ isChange, to }) => !isChange && to !== null);
  if (last?.to != null) {
    desk.say(`${answerWord(desk, true)}: ${titled(last)} ended ${desk.clock.ago(last.to)}.`, last);
    const whole = last.groupId === null ? null : await inFull(desk, last.groupId);
    if (whole !== null) tellOpen(desk, whole, await openOf(desk, whole));
    return desk.rememberThing(things[0] as Thing, { incident: last.groupId ?? last.eventId });
  }
  if (things[0] !== undefined) desk.rememberThing(things[0]);
  desk.isAbstained = true;
  desk.say('Not known: no incident of the last 30 days is about it.', await contextOf(desk));
}
const isAbout = (title: string, topic: readonly string[]): boolean => topic.length === 0 || speaksOf(title, topic) > 0;

async function tellOver(desk: Desk, row: FullIncidentRow): Promise<void> {
  const { clock, reading } = desk;
  const of = OF_GROUP.test(reading.shape) ? undefined : spokenOf(row, reading.topic);
  const [from, to] = of === undefined ? [row.from, row.to] : [of.from, of.to];
  const name = of === undefined ? headline(row) : titled(of);
  const word = answerWord(desk, to !== null);
  const open = await openOf(desk, row);
  if (to !== null) desk.say(`${word}: ${name} ended ${clock.ago(to)}; it lasted ${clock.span(from, to)}.`, row);
  else if (row.causeOver === null || of !== undefined)
    desk.say(`${word}: ${name} is open since ${clock.ago(from)}.`, row);
  else {
    const many = `${row.active} of ${counted(row.events, 'event')} ${row.active === 1 ? 'is' : 'are'} open`;
    desk.say(`${word}: ${many}: ${namedOpen(open)}.`, [row, ...open.slice(0, 3)]);
    return desk.say(`The incident began with ${name}, which is over since ${clock.time(row.causeOver)}.`, row);
  }
  tellOpen(desk, row, open);
}
function tellOpen(desk: Desk, row: FullIncidentRow, open: readonly ToolEventRow[]): void {
  const of = `Open now of ${counted(row.events, 'event')}`;
  if (open.length > 0 && row.events > 1) desk.say(`${of}: ${namedOpen(open)}.`, [row, ...open.slice(0, 3)]);
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
  const [worst] = looked.rows.filter(({ isChange }) => !isChange).toSorted(worstFirst);
  if (worst === undefined) return desk.say(`It did: no event is open on ${thing.name}.`, looked);
  const row = worst.groupId === null ? null : await inFull(desk, worst.groupId);
  const isOwn = row?.cause == null || row.cause.eventId === worst.eventId;
  const why = isOwn
    ? 'Not known: no other event explains it'
    : row.causeOver === null
      ? `The probable root cause of it is open, too: ${headline(row)}`
      : 'Not known: it is a separate fault now';
  desk.remember({ incident: worst.groupId ?? worst.eventId });
  desk.say(`${why}. ${titled(worst)} is open since ${desk.clock.ago(worst.from)}.`, [row, worst], 'likely');
  if (row !== null && row.causeOver !== null && !isOwn) {
    const ended = row.members.filter(({ to }) => to !== null);
    const over = `which began it, is over since ${desk.clock.time(row.causeOver)}`;
    desk.say(
      `${headline(row)}, ${over}, and ${ended.length} of ${counted(row.events, 'event')} of the incident ended.`,
      row,
    );
    const peers = ended.filter(({ title }) => title === worst.title).flatMap(({ place }) => place ?? []);
    if (peers.length > 0) desk.say(`The same ended on ${listed(peers)}.`, row);
  }
  const [id] = idsOf([thing]);
  if (id !== undefined && !tellDown(desk, thing.name, await downOf(desk, id, null)))
    desk.say(`Nothing that ${thing.name} depends on has an open critical or major event.`, looked);
}

/** An answer about the incident of the conversation, where no other is named: `should we roll it back`. */
const onSpoken =
  (tell: (desk: Desk, row: FullIncidentRow, open: readonly ToolEventRow[]) => Promise<void> | void) =>
  async (desk: Desk): Promise<void> => {
    const { reading, memory } = desk;
    const isUnnamed = reading.ids.length === 0 && reading.things.every(({ kind }) => kind === 'type');
    const isOfTalk = isUnnamed && memory.incident !== undefined;
    const row = isOfTalk ? await inFull(desk, memory.incident ?? '') : await meantIncident(desk);
    if (row === null) return desk.say('Not known: no incident is about it.', await contextOf(desk));
    desk.remember({ incident: row.id });
    return tell(desk, row, await openOf(desk, row));
  };

/** Events of the incident by state. */
export const members = onSpoken(async (desk, row, open) => {
  const verb = open.length === 1 ? 'is' : 'are';
  const what = `${counted(row.events, 'event')} of the incident that began with ${headline(row)}`;
  const word = !YES_NO.test(desk.reading.shape) ? '' : open.length > 0 ? 'Yes: ' : 'No: ';
  desk.say(`${word}${open.length} of ${what} ${verb} open.`, row);
  tellFolded(desk, await desk.look(events, {}), open);
  const ended = row.members.filter(({ to }) => to !== null).flatMap(({ place }) => place ?? []);
  if (ended.length > 0) desk.say(`Ended on ${listed(ended)}.`, row);
});

const YES_NO = /^(?:is|are)\b/;

const HOSTS = /\b(?:hosts?|machines?|boxes)\b/;
/** Size of an incident: hosts or CIs of a type, if that is asked, events, CIs and services, and its open events. */
export const toll = onSpoken((desk, row, open) => {
  const least = row.members.length < row.events ? 'At least ' : '';
  const hosts = new Set(row.members.flatMap(({ hostname }) => hostname ?? []));
  if (HOSTS.test(desk.reading.lower)) desk.say(`${least}${counted(hosts.size, 'host')}.`, row);
  for (const { said, cis } of desk.reading.things.filter(
    ({ kind, said: noun }) => kind === 'type' && !HOSTS.test(noun),
  )) {
    const own = cis.filter(({ id }) => row.cis.includes(id));
    desk.say(`${own.length} ${said}${own.length === 0 ? '' : `: ${namesOf(own)}`}.`, row);
  }
  const hit = row.services.length === 0 ? '' : `, ${counted(row.services.length, 'service')}`;
  const many = `${counted(row.events, 'event')}, ${counted(row.cis.length, 'CI')}${hit}`;
  desk.say(`${many}: the incident that began with ${headline(row)}, ${desk.clock.ago(row.from)}.`, row);
  tellOpen(desk, row, open);
  desk.say(`It was on ${listed(row.members.flatMap(({ place }) => place ?? []))}.`, row);
  tellServices(desk, row);
});

/** A change, later ones that undo it, and the open events of its incident. */
export const rollback = onSpoken(async (desk, row, open) => {
  const change = await suspectOf(desk, row);
  if (/^(?:is|was|has|have|did|were|why|when|who)\b/.test(desk.reading.shape)) {
    const looked = await desk.look(changes, { time_range: desk.lastDays(30) });
    const later = looked.rows.filter(
      ({ at, ciId, eventId }) => change !== undefined && eventId !== null && ciId === change.ciId && at > change.at,
    );
    const undone = later.find(({ title }) => /\b(?:roll(?:ed|ing)?[ -]?back|revert)/i.test(title));
    const [newest] = later;
    if (undone !== undefined) desk.say(`Yes: ${titled(undone)}, ${desk.clock.ago(undone.at)}.`, undone);
    else if (change === undefined)
      desk.say(`Not known: no change was recorded before ${headline(row)}.`, [looked, row]);
    else
      desk.say(
        `Not as far as is recorded: ${newest === undefined ? 'no later deployment' : `later there was only ${titled(newest)}`} after ${titled(change)}, ${desk.clock.ago(change.at)}.`,
        [looked, change],
      );
    return tellOpen(desk, row, open);
  }
  const said = change === undefined ? 'no change was recorded in the 2 hours before' : titled(change);
  const when = change === undefined ? headline(row) : `was ${desk.clock.ago(change.at)}`;
  const verb = open.length === 1 ? 'is' : 'are';
  desk.say(
    `That decision is yours: ${said} ${when}; ${open.length} of ${counted(row.events, 'event')} ${verb} open.`,
    row,
  );
  tellOpen(desk, row, open);
  desk.say('Whether a rollback would mend it is not known here.', row);
});

/** Open events by words or things, with severity and places; ignoring them is no decision of an answer. */
export async function ignore(desk: Desk): Promise<void> {
  const { topic, things } = desk.reading;
  const ci = idsOf(things);
  const looked = await desk.look(events, ci.length === 0 ? {} : { ci });
  const scoreOf = ({ title }: ToolEventRow): number => speaksOf(title, topic);
  const best = Math.max(EXACT, ...looked.rows.map(scoreOf));
  const rows = looked.rows.filter((row) => !row.isChange && (topic.length === 0 || scoreOf(row) >= best));
  const about = topic.length === 0 ? 'there' : `about ${quoted(topic.join(' '))}`;
  if (rows.length === 0) return desk.say(`Nothing to ignore: no event is open ${about}.`, looked);
  desk.say(`That decision is yours: ${counted(rows.length, 'event is', 'events are')} open ${about}.`, looked);
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
    desk.say(`Already ${who}: ${open.length === 0 ? headline(row) : namedOpen(open)}.`, row);
  }
}
