import { counted } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { REPEATS } from '#features/questions/rules/asking/intents.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { wordsIn } from '#features/questions/rules/query.ts';
import { events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import type { ToolRun } from '#features/questions/use-cases/tools/tool.ts';
import { type Desk, type LookUp, listed, namesOf, quoted, some } from '../desk.ts';
import { fittingIncidents } from '../meant-incident.ts';
import { meantThings, refersBack, tellUnheard } from '../meant-things.ts';
import { instantOf, type MessageReading } from '../read-message.ts';
import {
  faultsIn,
  folded,
  incidentOf,
  isSevere,
  newestFirst,
  placesOf,
  tellDataBegin,
  tellEvents,
  tellFolded,
  worstFirst,
} from '../tell-events.ts';
import { tellRow, titled } from '../tell-incident.ts';
import { tellHealth, tellPastHealth } from '../tell-service.ts';
import { idsOf, isOnAny, narrowed, type Thing, withHosts } from '../things.ts';

type Order = 'oldest' | 'newest' | 'repeats' | 'longest';
/** Order of a list by the words that ask for it. */
const ORDERS: readonly (readonly [said: RegExp, order: Order])[] = [
  [/\blongest\b/, 'longest'],
  [/\b(?:oldest|earliest)\b/, 'oldest'],
  [/\b(?:newest|latest|most recent|last)\b/, 'newest'],
  [REPEATS, 'repeats'],
];

interface EventList {
  readonly looked: LookUp<ToolEventRow>;
  readonly rows: readonly ToolEventRow[];
  /** Number of all events, read or not, with the conditions. */
  readonly told: string;
  /** The same for none of them. */
  readonly none: string;
}

const STATES = / ?\b(?:down|slow|offline|unreachable|lost)\b/gi;
const MAX_CIS = 1_000;
const DAY_MS = 86_400_000;
/** An event of days before may have been open all the time. */
const withBefore = ({ from, to }: Range): string => isoRange({ from: from - 7 * DAY_MS, to });
const wasOpenIn = ({ from, to }: ToolEventRow, range: Range): boolean =>
  Date.parse(from) < range.to && (to === null || Date.parse(to) >= range.from);

const usualThings = ({ reading: { things } }: Desk): readonly Thing[] =>
  narrowed(things).filter(
    ({ kind, said }) => kind !== 'type' || (things.length === 1 && !/^(?:hosts?|boxes)$/i.test(said)),
  );

interface Standing {
  readonly status?: 'open' | 'resolved' | readonly ['open', 'acknowledged'];
  readonly word: string;
  /** Time range in place of the open events. */
  readonly usual?: string;
}

const DONE = /\b(?:resolved|closed|solved|cleared|recover(?:s|ed)?|healed|went away)\b/;
/** Status that the message asks for; without a time and status the open ones. */
function standingOf({ lower, asked, time }: MessageReading, order: Order | null): Standing {
  if (order !== 'repeats' && DONE.test(lower)) return { status: 'resolved', word: 'resolved ' };
  const isNew = /\bun-?ack\w*|\bnot (?:yet |been )?ack|\b(?:nobody|no ?one) (?:has |yet )?ack/.test(lower);
  const isOpen = asked.entities.some(({ kind, value }) => kind === 'status' && value === 'open');
  if (isNew) return { status: 'open', word: 'unacknowledged ' };
  if (time !== null) return isOpen ? { status: ['open', 'acknowledged'], word: 'open ' } : { word: '' };
  const isOfDay = !isOpen && (order === 'newest' || order === 'repeats');
  return isOfDay ? { word: '', usual: 'in the last 24 hours' } : { word: 'open ' };
}

/** Words that titles have to contain; the words of a state are none: `was it down at 9`. */
function searchedIn(reading: MessageReading, isOfThings: boolean, isLoose: boolean) {
  const { asked, topic } = reading;
  const { text } = asked.query?.filters ?? {};
  const sources = sourcesOf(reading);
  if (isLoose) return { sources, search: undefined, said: (text ?? '').split(' ') };
  const search = isOfThings ? text?.replace(STATES, '').trim() || undefined : text;
  const said = search === undefined ? topic.filter((word) => !sources?.includes(word) && !REPEATS.test(word)) : [];
  return { sources, search, said };
}

/** Events by all conditions of the message; of types, or without any, with those of hosts, where many faults are reported. */
async function eventsOf(desk: Desk, order: Order | null, things = usualThings(desk), isLoose = false) {
  const own = await readEvents(desk, order, things, isLoose);
  const isOfTypes = things.some(({ kind }) => kind === 'type');
  const wide = own.rows.length > 0 && !isOfTypes ? things : await withHosts(desk.asking, things);
  const isMore = idsOf(wide).length > idsOf(things).length;
  return isMore ? readEvents(desk, order, wide, isLoose, ' or its hosts') : own;
}
/** Events that are bound to no CI. */
const UNBOUND = /\b(?:without|no|missing) (?:an? |any )?ci\b|\bunbound\b/;
/** Sources of the question; the name of a thing is none: `alerts from dublin`. */
const sourcesOf = ({ asked, things }: MessageReading): readonly string[] | undefined =>
  some(
    (asked.query?.filters.source ?? []).filter(
      (one) => !things.some(({ said }) => said.toLowerCase() === one.toLowerCase()),
    ),
  );
async function readEvents(
  desk: Desk,
  order: Order | null,
  things: readonly Thing[],
  isLoose: boolean,
  also = '',
): Promise<EventList> {
  const { severities, lower, time, asked } = desk.reading;
  const cis = idsOf(things);
  const [only] = things;
  const { sources, search, said } = searchedIn(desk.reading, only !== undefined, isLoose);
  const { status, word, usual } = standingOf(desk.reading, order);
  const ofTime = only === undefined ? time?.text : time && withBefore(time.range);
  const looked = await desk.look(events, {
    ci: cis.length > MAX_CIS ? undefined : some(cis),
    host: only?.kind === 'host' && things.length === 1 ? only.name : undefined,
    severity: some(severities),
    source: sources,
    search,
    status: status === undefined ? undefined : [status].flat(),
    time_range: usual ?? ofTime ?? undefined,
    sort: order === 'longest' ? 'oldest' : (order ?? undefined),
  });
  const isOfThings = isOnAny(things);
  const hosts = things.flatMap(({ kind, name }) => (kind === 'host' ? [name.toLowerCase()] : []));
  const isNewOnly = /\b(?:new|began|begun|started|came|fired|raised|happened)\b/.test(lower);
  const isThen = (row: ToolEventRow, range: Range): boolean =>
    isNewOnly ? Date.parse(row.from) >= range.from : wasOpenIn(row, range);
  const oldest = asked.entities.find(({ kind, value }) => kind === 'time' && value.startsWith('before '));
  const before = oldest === undefined ? null : Date.parse(oldest.value.slice(7));
  const own = faultsIn(looked.rows).filter(
    (row) =>
      (before === null || Date.parse(row.from) <= before) &&
      (only === undefined || isOfThings(row) || hosts.includes(row.place?.toLowerCase() ?? '')) &&
      (time === null || isThen(row, time.range)) &&
      (!UNBOUND.test(lower) || row.ciId === null),
  );
  const least = isLoose ? 0.5 : 0.01;
  const spoken = said.length === 0 ? own : own.filter(({ title }) => speaksOf(title, said) >= least);
  // Words that no event of a thing has must not hide its events.
  const isIgnored = spoken.length === 0 && own.length > 0 && only !== undefined;
  if (isIgnored) desk.lead.push(`Ignored: ${said.map(quoted).join(', ')}.`);
  const rows = isIgnored ? own : spoken;
  const unbound = UNBOUND.test(lower) ? 'unbound ' : '';
  const isNarrow = unbound !== '' || oldest !== undefined || only !== undefined || time !== null || said.length > 0;
  const noun = `${word}${unbound}${severities.length === 0 ? '' : `${severities.join(' or ')} `}event`;
  const topic = isIgnored || said.length === 0 ? '' : ` about ${quoted(said.join(' '))}`;
  const about = search === undefined ? topic : ` with "${search}"`;
  const where = only === undefined ? '' : ` on ${namesOf(things)}${also}`;
  const when = time === null ? usual && ` ${usual}` : ` ${desk.clock.range(time.range)}`;
  const unread = time !== null && looked.isCut ? `; only ${looked.rows.length} were read` : '';
  const aged = oldest === undefined ? '' : ` ${oldest.text}`;
  const from = sources === undefined ? '' : ` from ${sources.join(' or ')}`;
  const rest = `${aged}${where}${from}${about}${when ?? ''}${unread}`;
  const sorting = order === 'longest' ? longestFirst(desk) : order === 'newest' ? newestFirst : () => 0;
  const isCounted = isNarrow || looked.rows.some(({ isChange }) => isChange);
  return {
    looked,
    rows: rows.toSorted(sorting),
    told: `${counted(isCounted ? rows.length : looked.total, noun)}${rest}`,
    none: `No ${noun}s${rest}`,
  };
}
const longestFirst = ({ asking }: Desk) => {
  const span = ({ from, to }: ToolEventRow): number =>
    (to === null ? asking.receivedAt : Date.parse(to)) - Date.parse(from);
  return (a: ToolEventRow, b: ToolEventRow): number => span(b) - span(a);
};

async function tellNone(desk: Desk, { looked, none }: EventList): Promise<void> {
  if (await tellUnheard(desk)) return;
  const looking = looked.total === 0 ? '' : `: none of ${counted(looked.total, 'event')} that were looked at fits`;
  desk.say(looked)`${none}${looking}.`;
  await tellDataBegin(desk);
}

/** `is it ok`: a question that a yes or a no answers. */
export const FINE =
  /^(?:is|are|was|were|did|does|has|have|had)\b.*\b(?:ok|okay|fine|up|healthy|alright|good|well|running)\b/;

/** State of things in a time, by the events that were open then; at a time of day, at that instant. */
export async function duringTime(desk: Desk, named: readonly Thing[]): Promise<void> {
  const { clock, reading } = desk;
  const at = instantOf(reading);
  const instant = at === null ? null : { from: at, to: at + 1 };
  const range = instant ?? reading.time?.range;
  const isFine = FINE.test(reading.lower);
  const isOfService = range !== undefined && named.some(({ kind }) => kind === 'service');
  const things = isOfService ? await tellPastHealth(desk, named, range, isFine) : named;
  const list = await eventsOf(desk, null, things);
  const { looked } = list;
  const all = list.rows.toSorted(worstFirst);
  const rows = instant === null ? all : all.filter((row) => wasOpenIn(row, instant));
  const [first, names] = [things[0], namesOf(things)];
  if (instant !== null && rows.length === 0 && all.length > 0) {
    const word = isFine && !isOfService ? 'Yes: no' : 'No';
    desk.say(looked)`${word} event was open on ${names} at ${clock.time(instant.from)}.`;
    tellEvents(desk, looked, all, { most: 3 });
    return first && desk.rememberThing(first);
  }
  const [worst] = rows;
  if (worst === undefined) return tellNone(desk, { ...list, none: list.none.replace(' on ', ' were open on ') });
  const told = at === null ? list.told : `${counted(rows.length, 'event')} on ${names} at ${clock.time(at)}`;
  const bad = rows.filter(isSevere).length;
  const word = !isFine || isOfService ? '' : bad > 0 ? 'No: ' : 'Not entirely: ';
  desk.say(looked)`${word}${told}, ${bad === 0 ? 'none' : bad} critical or major.`;
  tellEvents(desk, looked, rows);
  const { all: fitting } = await fittingIncidents(desk, { things, topic: [] });
  for (const row of fitting.filter(({ events: size }) => size > 1).slice(0, 3)) await tellRow(desk, row);
  await tellDataBegin(desk);
  if (first !== undefined) desk.rememberThing(first);
  desk.remember({ incident: incidentOf(worst) });
}

const NEWEST_ONE = /\b(?:newest|latest|most recent)(?: one| event| alert| incident)?[ ?.!]*$/;
/** `alerts from frank`: neither a source nor anything else. */
function unknownSource(desk: Desk, run: ToolRun): void {
  desk.runs.splice(desk.runs.indexOf(run), 1);
  desk.isAbstained = true;
  desk.lead.push(`Not known: ${run.error}.`);
}

/** Open events, or those of a time, folded by complaint; the worst first, or in the order that is asked for. */
export async function listEvents(desk: Desk): Promise<void> {
  const { reading } = desk;
  const { time, lower, shape } = reading;
  const order = ORDERS.find(([said]) => said.test(shape))?.[1] ?? null;
  const isOfIt = reading.things.length === 0 && /^(?:and )?(?:is|are|was|does|has) (?:it|that|this|they)\b/.test(shape);
  const isOfTalk = refersBack(reading) || isOfIt;
  const things = isOfTalk && !/\bwhat else\b/.test(shape) ? await meantThings(desk) : reading.things;
  const isNow = time === null && order === null && !DONE.test(lower);
  const isOfService = isNow && (await tellHealth(desk, things));
  const meant = isOfTalk ? things : undefined;
  const exact = await eventsOf(desk, order, meant);
  if (exact.looked.run.error !== null) return unknownSource(desk, exact.looked.run);
  // `backup disks` is no part of a title, but its words are.
  const isLoose = exact.rows.length === 0 && reading.asked.query?.filters.text !== undefined;
  const loose = isLoose ? await eventsOf(desk, order, meant, true) : exact;
  const list = loose.rows.length > 0 ? loose : exact;
  const { looked, told } = list;
  const rows = list.rows.slice(reading.nth - 1);
  const [subject] = things;
  if (subject !== undefined && !isOfService) desk.rememberThing(subject, { incident: undefined });
  const [first] = rows;
  const [worst] = rows.toSorted(worstFirst);
  if (first === undefined || worst === undefined) {
    if (!isOfService) await tellNone(desk, list);
    return isNow && !isOfService && subject?.kind === 'ci' ? tellHit(desk, things) : undefined;
  }
  desk.remember({ list: namedPlaces(rows), incident: incidentOf(worst) });
  if (subject === undefined) desk.remember({ subject: undefined });
  if (order === 'repeats') return tellRepeats(desk, list);
  const isNewest = order === 'newest';
  if (order !== null && !(isNewest && !NEWEST_ONE.test(lower))) {
    const rest = isNewest ? 'more are older' : 'more are younger, or lasted less long';
    tellEvents(desk, looked, rows, { most: 5, rest });
    desk.say(looked)`Of ${told}${looked.isCut ? `; ${looked.rows.length} of them were read` : ''}.`;
    return desk.remember({ incident: incidentOf(first), current: first.ciId });
  }
  desk.say(looked)`${told}.`;
  tellFolded(desk, looked, rows);
}

const namedPlaces = (rows: readonly ToolEventRow[]): string[] =>
  [...new Set(rows.flatMap(({ place }) => place ?? []))].slice(0, 8);

/** The open incident that a thing without open events is in. */
async function tellHit(desk: Desk, things: readonly Thing[]): Promise<void> {
  const { all } = await fittingIncidents(desk, { openOnly: true, things, topic: [] });
  const row = all.find(({ to, events: size }) => to === null && size > 1);
  if (row === undefined) return;
  desk.say(row)`But ${namesOf(things)} is in an incident that is open.`;
  await tellRow(desk, row);
  desk.remember({ incident: row.id });
}

const JUST_MS = 15 * 60_000;

/** Flaps now: an event that flaps and is open, or ended within 15 minutes. */
function tellFlappingNow(desk: Desk, looked: LookUp<ToolEventRow>, all: readonly (readonly ToolEventRow[])[]): void {
  const since = desk.asking.receivedAt - JUST_MS;
  const flapping = all.map((same) => same.filter((row) => row.isFlapping));
  const now = flapping.flatMap((same) => same.find(({ to }) => to === null || Date.parse(to) >= since) ?? []);
  const [last] = flapping.flat().toSorted(newestFirst);
  if (now.length > 0) desk.say(looked)`Flapping now: ${listed(now.map(titled))}.`;
  else if (last !== undefined)
    desk.say(last)`Nothing flaps now; the last was ${titled(last)},
      ${desk.clock.span(last.from, last.to ?? last.from)}.`;
}

/** Problems that flap, else repeated ones, with the number of times that each began. */
function tellRepeats(desk: Desk, { looked, rows, told, none }: EventList): void {
  const times = (same: readonly ToolEventRow[]): number =>
    Math.max(same.length, ...same.map(({ returns }) => returns + 1));
  const again = folded(rows, ({ place }) => place)
    .filter((same) => times(same) > 1)
    .toSorted((a, b) => times(b) - times(a));
  const isFlapping = (same: readonly ToolEventRow[]): boolean => same.some((row) => row.isFlapping);
  const flapping = again.filter(isFlapping);
  const isFlap = flapping.length > 0;
  if (/\b(?:flap|bounc)/.test(desk.reading.shape) && desk.reading.time === null && isFlap)
    tellFlappingNow(desk, looked, flapping);
  const shown = isFlap ? flapping : again;
  const back = again.length === 0 ? ' or came back' : ', but some came back';
  if (!isFlap) desk.say(looked)`${none} flapped${back}.`;
  const how = isFlap ? 'ended and returned within an hour, more than once' : 'came more than once';
  desk.say(looked)`Of ${told}, ${counted(shown.length, 'problem')} ${how}.`;
  for (const same of shown.slice(0, 8)) {
    const newest = same.toSorted(newestFirst)[0] as ToolEventRow;
    const state = `${newest.severity}, ${newest.status}, last ${desk.clock.ago(newest.from)}`;
    desk.say(newest)`${titled(newest)}: began ${times(same)} times, ${state}.`;
  }
  if (shown.length > 8) desk.say(looked)`${shown.length - 8} more.`;
  const recurring = isFlap ? again.filter((same) => !isFlapping(same)).flatMap(([row]) => row ?? []) : [];
  if (recurring.length > 0) desk.say(looked)`Came more than once without flapping: ${listed(recurring.map(titled))}.`;
  if (looked.isCut) desk.say(looked)`Only ${looked.rows.length} of ${looked.total} events were read.`;
}

const USUAL_DAYS = 7;
/** `since a crashed`, `by the a crash`. */
const PREMISE =
  /\b(?:since|after|when|because|before|as) (?:the |our )?§ (?:has |had |was |just )?(crash\w*|fail\w*|die[ds]?|went (?:down|away|offline)|(?:re-?boot|re-?start|hung|stopp)\w*|broke(?: down)?)|\bthe § (crash|failure|reboot|restart)\b/;

/** Denies a failure that the question asserts, if no event reports it. False: one does, or none is asserted. */
export async function lacksPremise(desk: Desk): Promise<boolean> {
  const { shape, things } = desk.reading;
  const said = shape.match(PREMISE);
  const thing =
    said === null ? undefined : things[shape.slice(0, shape.indexOf('§', said.index)).split('§').length - 1];
  if (said === null || thing === undefined || thing.kind === 'service' || thing.cis.length === 0) return false;
  const ci = idsOf(await withHosts(desk.asking, [thing])).slice(0, MAX_CIS);
  const { time_range, when } = desk.within(USUAL_DAYS);
  const looked = await desk.look(events, { ci, time_range });
  if (looked.run.error !== null || faultsIn(looked.rows).some(isSevere)) return false;
  desk.isAbstained = true;
  desk.rememberThing(thing);
  const [, verb, noun] = said;
  desk.say(
    looked,
  )`No event says that ${thing.name} ${verb ?? `had a ${noun}`}: no critical or major event is recorded on it
    or its hosts ${when}, so nothing can be put down to it.`;
  tellEvents(desk, looked, faultsIn(looked.rows).filter(isOnAny([thing])), { most: 3 });
  return true;
}

/** Verbs of faults, where no word of a complaint is given. */
const HAPPENED =
  /\b(?:crash|fail|down|re-?boot|re-?start|die[ds]?|hang|hung|drop|lost|overheat|expire|full|offline|unreachable|stop)/g;
const FULL = /\b(?:space|full|capacity|used|left|oom|memory|exhaust\w*|limit)\b/i;
const MOST_OF_WORDS = 0.5;
/** Kinds that any host has. */
const ANY_HOST = /^(?:hosts?|servers?|machines?|vms?|box(?:es)?|systems?|cis?)$/;
const KINDS: readonly (readonly string[])[] = [
  wordsIn('database databases db dbs sql pg postgres postgresql mysql oracle ora mongo'),
  wordsIn('hypervisor hypervisors esx esxi vmware_host'),
  ['load balancer', 'load_balancer', 'lb'],
  wordsIn('firewall firewalls fw'),
  wordsIn('storage san array nas'),
];
const partsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}_]+/gu) ?? [];

const kindWords = ({ said, name }: Thing): readonly string[] => {
  const own = [said.toLowerCase(), name.toLowerCase()];
  return [...own, ...KINDS.filter((words) => own.some((one) => words.includes(one))).flat()];
};

/** The event is on a named CI, or on a host whose name or complaint has a word of the kind. */
const isOn = ({ ciId, place, title }: ToolEventRow, things: readonly Thing[]): boolean => {
  const isOf = (thing: Thing): boolean => {
    if (thing.kind === 'type' && ANY_HOST.test(thing.said.toLowerCase())) return true;
    if (thing.cis.some(({ id }) => id === ciId)) return true;
    const said = thing.kind === 'type' ? partsOf(`${place ?? ''} ${title}`) : [];
    return kindWords(thing).some((word) => said.includes(word));
  };
  const types = things.filter(({ kind, said }) => kind === 'type' && !ANY_HOST.test(said.toLowerCase()));
  return things.every((thing) => types.includes(thing) || isOf(thing)) && (types.length === 0 || types.some(isOf));
};

/** Events prove no act of a person. */
const ACT_OF_ONE = /^(?:and |so )?(?:did|has|have) (?:@|he|she|they)(?! (?:have|had|see|get|got)\b)/;
const ACT_OF_PERSON = /@|\b(?:he|she|they|anyone|someone)\b/;

/** `did a db host run out of disk lately`: events that began or lasted then, resolved or not, by words of titles, types and host names. */
export async function occurred(desk: Desk): Promise<void> {
  const { reading, asking } = desk;
  const { time, topic, shape } = reading;
  if (ACT_OF_ONE.test(shape) && topic.length === 0) {
    desk.isAbstained = true;
    return void desk.lead.push('Not known: events do not record the acts of a person.');
  }
  const things = refersBack(reading) ? await meantThings(desk) : reading.things;
  const range = time?.range ?? { from: asking.receivedAt - USUAL_DAYS * DAY_MS, to: asking.receivedAt };
  const looked = await desk.look(events, { time_range: time === null ? isoRange(range) : withBefore(range) });
  const words = topic.length > 0 ? topic : (shape.match(HAPPENED) ?? []);
  const then = faultsIn(looked.rows).filter((row) => wasOpenIn(row, range));
  const isFull = /\b(?:out of|full|fill\w*)\b/.test(shape);
  // A verb as in `did payments fail` means all severe events of a named thing.
  const isOfAll = things.some(({ kind }) => kind !== 'type') && topic.length === 0;
  // Most of many words, so that a quoted title does not mean all with one of them.
  const least = words.length > 2 ? MOST_OF_WORDS : 0.01;
  const spoken = then.filter(
    (row) =>
      (words.length === 0 || speaksOf(row.title, words) >= least || (isOfAll && isSevere(row))) &&
      (!isFull || FULL.test(row.title)),
  );
  const exact = spoken.filter((row) => isOn(row, things));
  const wide = exact.length > 0 || things.length === 0 ? things : await withHosts(asking, things);
  const rows = spoken.filter((row) => isOn(row, wide)).toSorted(worstFirst);
  const what = words.length === 0 || isOfAll ? '' : ` about ${quoted(words.join(' '))}`;
  const where = things.length === 0 ? '' : ` on ${listed(things.map(({ said }) => said))}`;
  const { when } = desk.within(USUAL_DAYS);
  const unread = looked.isCut ? `, of ${looked.total}; the others were not read` : '';
  const [first] = rows;
  if (first === undefined) {
    const read = `titles and hosts of ${counted(then.length, 'event')} ${when} were looked at${unread}`;
    desk.say(looked)`None found: ${read}, none fits${where}${what}.`;
    const own = things.length === 0 ? [] : then.filter((row) => isOn(row, things)).toSorted(worstFirst);
    if (own.length > 0) desk.say(looked)`${counted(own.length, 'other event')}${where} ${when}:`;
    tellEvents(desk, looked, own, { most: 4 });
    const others = placesOf(spoken);
    if (others !== '') desk.say(looked)`Events${what} were on ${others}.`;
    return tellDataBegin(desk);
  }
  const open = rows.filter(({ to }) => to === null).length;
  const isTold = (words.length > 0 || isOfAll) && !ACT_OF_PERSON.test(shape);
  desk.say(
    looked,
  )`${isTold ? 'Yes: ' : ''}${counted(rows.length, 'event')}${where}${what} ${when}, ${open} still open${unread}.`;
  tellEvents(desk, looked, rows, { most: 6 });
  await tellDataBegin(desk);
  const list = namedPlaces(rows);
  desk.remember({ incident: incidentOf(first), subject: first.place ?? undefined, current: first.ciId, list });
}
