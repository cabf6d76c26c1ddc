import { counted } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { REPEATS } from '#features/questions/rules/asking/intents.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { events, type ToolEventRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, type LookUp, listed, namesOf, onPlace, quoted } from '../desk.ts';
import { fittingIncidents } from '../meant-incident.ts';
import { meantThings, narrowed, refersBack } from '../meant-things.ts';
import type { MessageReading } from '../read-message.ts';
import { isBeforeData, tellDataBegin } from '../tell-data.ts';
import { folded, isSevere, newestFirst, tellEvents, tellFolded, worstFirst } from '../tell-events.ts';
import { tellRow } from '../tell-incident.ts';
import { tellHealth, tellPastHealth } from '../tell-service.ts';
import { idsOf, type Thing } from '../things.ts';

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
  narrowed(things).filter(({ kind }) => kind !== 'type' || things.length === 1);

interface Standing {
  readonly status?: 'open' | 'resolved' | readonly ['open', 'acknowledged'];
  readonly word: string;
  /** Time range in place of the open events. */
  readonly usual?: string;
}

/** Status that the message asks for; without a time and status the open ones. */
function standingOf({ lower, asked, time }: MessageReading, order: Order | null): Standing {
  if (/\b(?:resolved|closed|solved|cleared)\b/.test(lower)) return { status: 'resolved', word: 'resolved ' };
  const isNew = /\bun-?ack\w*|\bnot (?:yet |been )?ack|\b(?:nobody|no ?one) (?:has |yet )?ack/.test(lower);
  const isOpen = asked.entities.some(({ kind, value }) => kind === 'status' && value === 'open');
  if (isNew) return { status: 'open', word: 'unacknowledged ' };
  if (time !== null) return isOpen ? { status: ['open', 'acknowledged'], word: 'open ' } : { word: '' };
  const isOfDay = order === 'newest' || (order === 'repeats' && !isOpen);
  return isOfDay ? { word: '', usual: 'in the last 24 hours' } : { word: 'open ' };
}

/** Words that titles have to contain; the words of a state are none: `was it down at 9`. */
function searchedIn({ asked, topic }: MessageReading, isOfThings: boolean, isLoose: boolean) {
  const { source: sources, text } = asked.query?.filters ?? {};
  if (isLoose) return { sources, search: undefined, said: (text ?? '').split(' ') };
  const search = isOfThings ? text?.replace(STATES, '').trim() || undefined : text;
  const said = search === undefined ? topic.filter((word) => !sources?.includes(word) && !REPEATS.test(word)) : [];
  return { sources, search, said };
}

/** Events by all conditions of the message. */
async function eventsOf(
  desk: Desk,
  order: Order | null,
  things = usualThings(desk),
  isLoose = false,
): Promise<EventList> {
  const { severities, lower, time } = desk.reading;
  const cis = idsOf(things);
  const [only] = things;
  const { sources, search, said } = searchedIn(desk.reading, only !== undefined, isLoose);
  const { status, word, usual } = standingOf(desk.reading, order);
  const looked = await desk.look(events, {
    ...(cis.length > 0 && cis.length <= MAX_CIS && { ci: cis }),
    ...(only?.kind === 'host' && things.length === 1 && { host: only.name }),
    ...(severities.length > 0 && { severity: [...severities] }),
    ...(sources !== undefined && { source: [...sources] }),
    ...(search !== undefined && { search }),
    ...(status !== undefined && { status: [status].flat() }),
    ...(time !== null && { time_range: only === undefined ? time.text : withBefore(time.range) }),
    ...(usual !== undefined && { time_range: usual }),
    ...(order !== null && { sort: order === 'longest' ? 'oldest' : order }),
  });
  const ids = new Set(cis);
  const hosts = new Set(things.filter(({ kind }) => kind === 'host').map(({ name }) => name.toLowerCase()));
  const isNewOnly = /\b(?:new|began|begun|started|came|fired|raised|happened)\b/.test(lower);
  const isThen = (row: ToolEventRow, range: Range): boolean =>
    isNewOnly ? Date.parse(row.from) >= range.from : wasOpenIn(row, range);
  const oldest = desk.reading.asked.entities.find(({ kind, value }) => kind === 'time' && value.startsWith('before '));
  const before = oldest === undefined ? null : Date.parse(oldest.value.slice(7));
  const own = looked.rows.filter(
    (row) =>
      !row.isChange &&
      (before === null || Date.parse(row.from) <= before) &&
      (only === undefined || ids.has(row.ciId ?? '') || hosts.has(row.place?.toLowerCase() ?? '')) &&
      (time === null || isThen(row, time.range)),
  );
  const least = isLoose ? 0.5 : 0.01;
  const spoken = said.length === 0 ? own : own.filter(({ title }) => speaksOf(title, said) >= least);
  // Words that no event of a thing has must not hide its events.
  const isIgnored = spoken.length === 0 && own.length > 0 && only !== undefined;
  if (isIgnored) desk.lead.push(`Ignored: ${said.map(quoted).join(', ')}.`);
  const rows = isIgnored ? own : spoken;
  const isNarrow =
    before !== null ||
    only !== undefined ||
    time !== null ||
    said.length > 0 ||
    looked.rows.some(({ isChange }) => isChange);
  const noun = `${word}${severities.length === 0 ? '' : `${severities.join(' or ')} `}event`;
  const about =
    search !== undefined
      ? ` with "${search}"`
      : isIgnored || said.length === 0
        ? ''
        : ` about ${quoted(said.join(' '))}`;
  const where = only === undefined ? '' : ` on ${namesOf(things)}`;
  const when = time === null ? (usual === undefined ? '' : ` ${usual}`) : ` ${desk.clock.range(time.range)}`;
  const unread = time !== null && looked.total > looked.rows.length ? `; only ${looked.rows.length} were read` : '';
  const aged = oldest === undefined ? '' : ` ${oldest.text}`;
  const rest = `${aged}${where}${sources === undefined ? '' : ` from ${sources.join(' or ')}`}${about}${when}${unread}`;
  const sorting = order === 'longest' ? longestFirst(desk) : order === 'newest' ? newestFirst : () => 0;
  return {
    looked,
    rows: rows.toSorted(sorting),
    told: `${counted(isNarrow ? rows.length : looked.total, noun)}${rest}`,
    none: `No ${noun}s${rest}`,
  };
}
const longestFirst = ({ asking }: Desk) => {
  const span = ({ from, to }: ToolEventRow): number =>
    (to === null ? asking.receivedAt : Date.parse(to)) - Date.parse(from);
  return (a: ToolEventRow, b: ToolEventRow): number => span(b) - span(a);
};

async function tellNone(desk: Desk, { looked, none }: EventList): Promise<void> {
  if (await isBeforeData(desk)) return;
  const looking = looked.total === 0 ? '' : `: none of ${counted(looked.total, 'event')} that were looked at fits`;
  desk.say(`${none}${looking}.`, looked);
  await tellDataBegin(desk);
}

/** `is it ok`: a question that a yes or a no answers. */
export const FINE =
  /^(?:is|are|was|were|did|does|has|have|had)\b.*\b(?:ok|okay|fine|up|healthy|alright|good|well|running)\b/;

const CLOCK = /^(?:at |around |about )?(?:\d{1,2}(?::\d{2})?(?: ?[ap]m)?|noon|midnight)\b/i;
const HALF_HOUR_MS = 30 * 60_000;
/** `at 00:30`: the middle of the range that such a time is; null: another range. */
export const instantOf = ({ time }: MessageReading): number | null =>
  time !== null && CLOCK.test(time.text) && time.range.to - time.range.from <= 2 * HALF_HOUR_MS
    ? time.range.from + HALF_HOUR_MS
    : null;

/** State of things in a time, by the events that were open then; at a time of day, at that instant. */
export async function duringTime(desk: Desk, named: readonly Thing[]): Promise<void> {
  const at = instantOf(desk.reading);
  const range = at === null ? desk.reading.time?.range : { from: at, to: at + 1 };
  const isFine = FINE.test(desk.reading.lower);
  if (await isBeforeData(desk)) return;
  const isOfService = range !== undefined && named.some(({ kind }) => kind === 'service');
  const things = isOfService ? await tellPastHealth(desk, named, range, isFine) : named;
  const list = await eventsOf(desk, null, things);
  const { looked } = list;
  const rows = list.rows.filter((row) => at === null || wasOpenIn(row, { from: at, to: at + 1 })).toSorted(worstFirst);
  const names = namesOf(things);
  const [first] = things;
  if (at !== null && rows.length === 0 && list.rows.length > 0) {
    const word = isFine && !isOfService ? 'Yes: no' : 'No';
    desk.say(`${word} event was open on ${names} at ${desk.clock.time(at)}.`, looked);
    tellEvents(desk, looked, list.rows.toSorted(worstFirst), { most: 3 });
    return first && desk.rememberThing(first);
  }
  const told = at === null ? list.told : `${counted(rows.length, 'event')} on ${names} at ${desk.clock.time(at)}`;
  const [worst] = rows;
  if (worst === undefined) return tellNone(desk, { ...list, none: list.none.replace(' on ', ' were open on ') });
  const bad = rows.filter(isSevere).length;
  const word = !isFine || isOfService ? '' : bad > 0 ? 'No: ' : 'Not entirely: ';
  desk.say(`${word}${told}, ${bad === 0 ? 'none' : bad} critical or major.`, looked);
  tellEvents(desk, looked, rows);
  const { all } = await fittingIncidents(desk, { things, topic: [] });
  for (const row of all.filter(({ events: size }) => size > 1).slice(0, 3)) await tellRow(desk, row);
  await tellDataBegin(desk);
  if (first !== undefined) desk.rememberThing(first);
  desk.remember({ incident: worst.groupId ?? worst.eventId });
}

/** Open events, or those of a time, folded by complaint; the worst first, or in the order that is asked for. */
export async function listEvents(desk: Desk): Promise<void> {
  const order = ORDERS.find(([said]) => said.test(desk.reading.shape))?.[1] ?? null;
  const { time, lower } = desk.reading;
  const isOfTalk =
    refersBack(desk.reading) ||
    (desk.reading.things.length === 0 &&
      /^(?:and )?(?:is|are|was|does|has) (?:it|that|this|they)\b/.test(desk.reading.shape));
  const things = isOfTalk && !/\bwhat else\b/.test(desk.reading.shape) ? await meantThings(desk) : desk.reading.things;
  const isNow = time === null && order === null && !/\b(?:resolved|closed|solved|cleared)\b/.test(lower);
  const isOfService = isNow && (await tellHealth(desk, things));
  const meant = isOfTalk ? things : undefined;
  const exact = await eventsOf(desk, order, meant);
  // `backup disks` is no part of a title, but its words are.
  const isLoose = exact.rows.length === 0 && desk.reading.asked.query?.filters.text !== undefined;
  const loose = isLoose ? await eventsOf(desk, order, meant, true) : exact;
  const list = loose.rows.length > 0 ? loose : exact;
  const { looked, told } = list;
  const rows = list.rows.slice(desk.reading.nth - 1);
  const [subject] = things;
  if (subject !== undefined && !isOfService) desk.rememberThing(subject, { incident: undefined });
  const [first] = rows;
  if (first === undefined) return isOfService ? undefined : tellNone(desk, list);
  const [worst] = rows.toSorted(worstFirst);
  desk.remember({
    list: rows.slice(0, 8).flatMap(({ place }) => place ?? []),
    incident: worst?.groupId ?? worst?.eventId,
    ...(subject === undefined && { subject: undefined }),
  });
  if (order === 'repeats') return tellRepeats(desk, list);
  const isOfAge = order === 'oldest' || order === 'longest';
  if (isOfAge) tellEvents(desk, looked, rows, { most: 5, rest: 'more are younger, or lasted less long' });
  const unread = looked.total > looked.rows.length ? `; ${looked.rows.length} of them were read` : '';
  desk.say(`${isOfAge ? 'Of ' : ''}${told}${isOfAge ? unread : ''}.`, looked);
  if (isOfAge) desk.remember({ incident: first.groupId ?? first.eventId, current: first.ciId });
  else tellFolded(desk, looked, rows);
}

const JUST_MS = 15 * 60_000;

/** Flaps now: an event that flaps and is open, or ended within 15 minutes. */
function tellFlappingNow(
  desk: Desk,
  looked: LookUp<ToolEventRow>,
  flapping: readonly (readonly ToolEventRow[])[],
): void {
  const since = desk.asking.receivedAt - JUST_MS;
  const now = flapping.flatMap((same) =>
    same.filter((row) => row.isFlapping && (row.to === null || Date.parse(row.to) >= since)).slice(0, 1),
  );
  const [last] = flapping
    .flat()
    .filter((row) => row.isFlapping)
    .toSorted(newestFirst);
  const text = (row: ToolEventRow): string => `${quoted(row.title)}${onPlace(row.place)}`;
  if (now.length > 0) desk.say(`Flapping now: ${listed(now.map(text))}.`, looked);
  else if (last !== undefined)
    desk.say(
      `Nothing flaps now; the last was ${text(last)}, ${desk.clock.span(last.from, last.to ?? last.from)}.`,
      last,
    );
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
  if (/\b(?:flap|bounc)/.test(desk.reading.shape) && desk.reading.time === null && flapping.length > 0)
    tellFlappingNow(desk, looked, flapping);
  const shown = flapping.length > 0 ? flapping : again;
  if (flapping.length === 0)
    desk.say(`${none} flapped${again.length === 0 ? ' or came back' : ', but some came back'}.`, looked);
  desk.say(
    `Of ${told}, ${counted(shown.length, 'problem')} ${flapping.length > 0 ? 'ended and returned within an hour, more than once' : 'came more than once'}.`,
    looked,
  );
  for (const same of shown.slice(0, 8)) {
    const newest = same.toSorted(newestFirst)[0] as ToolEventRow;
    desk.say(
      `${quoted(newest.title)}${onPlace(newest.place)}: began ${times(same)} times, ${newest.severity}, ${newest.status}, last ${desk.clock.ago(newest.from)}.`,
      newest,
    );
  }
  if (shown.length > 8) desk.say(`${shown.length - 8} more.`, looked);
  const recurring =
    flapping.length === 0 ? [] : again.filter((same) => !isFlapping(same)).flatMap(([row]) => row ?? []);
  if (recurring.length > 0)
    desk.say(
      `Came more than once without flapping: ${listed(recurring.map(({ title, place }) => `${quoted(title)}${onPlace(place)}`))}.`,
      looked,
    );
  if (looked.total > looked.rows.length)
    desk.say(`Only ${looked.rows.length} of ${looked.total} events were read.`, looked);
}

const USUAL_DAYS = 7;
/** Verbs of faults, where no word of a complaint is given. */
const HAPPENED =
  /\b(?:crash|fail|down|re-?boot|re-?start|die[ds]?|hang|hung|drop|lost|overheat|expire|full|offline|unreachable|stop)/g;
const FULL = /\b(?:space|full|capacity|used|left|oom|memory|exhaust\w*|limit)\b/i;
/** Kinds that any host has. */
const ANY_HOST = /^(?:hosts?|servers?|machines?|vms?|box(?:es)?|systems?|cis?)$/;
/** Names that hosts of a kind have. */
const KINDS: readonly (readonly string[])[] = [
  ['database', 'databases', 'db', 'dbs', 'sql', 'pg', 'postgres', 'postgresql', 'mysql', 'oracle', 'ora', 'mongo'],
  ['hypervisor', 'hypervisors', 'esx', 'esxi', 'vmware_host'],
  ['load balancer', 'load_balancer', 'lb'],
  ['firewall', 'firewalls', 'fw'],
  ['storage', 'san', 'array', 'nas'],
];
const partsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}_]+/gu) ?? [];

const kindWords = ({ said, name }: Thing): readonly string[] => {
  const own = [said.toLowerCase(), name.toLowerCase()];
  return [...own, ...KINDS.filter((words) => own.some((one) => words.includes(one))).flat()];
};

/** The event is on a named CI, or on a host whose name or complaint has a word of the kind. */
const isOn = ({ ciId, place, title }: ToolEventRow, things: readonly Thing[]): boolean =>
  things.every((thing) => {
    if (thing.kind === 'type' && ANY_HOST.test(thing.said.toLowerCase())) return true;
    if (thing.cis.some(({ id }) => id === ciId)) return true;
    const said = thing.kind === 'type' ? partsOf(`${place ?? ''} ${title}`) : [];
    return kindWords(thing).some((word) => said.includes(word));
  });

/** `did a db host run out of disk lately`: events that began or lasted then, resolved or not, by words of titles, types and host names. */
export async function occurred(desk: Desk): Promise<void> {
  const { reading, asking } = desk;
  const { time, topic, shape } = reading;
  const things = refersBack(desk.reading) ? await meantThings(desk) : reading.things;
  const range = time?.range ?? { from: asking.receivedAt - USUAL_DAYS * DAY_MS, to: asking.receivedAt };
  const looked = await desk.look(events, { time_range: time === null ? isoRange(range) : withBefore(range) });
  if (looked.total === 0 && (await isBeforeData(desk))) return;
  const words = topic.length > 0 ? topic : (shape.match(HAPPENED) ?? []);
  const then = looked.rows.filter((row) => !row.isChange && wasOpenIn(row, range));
  const isFull = /\b(?:out of|full|fill\w*)\b/.test(shape);
  // A verb as in `did payments fail` means all severe events of a named thing.
  const isNamed = things.some(({ kind }) => kind !== 'type');
  const titled = then.filter(
    (row) =>
      (words.length === 0 || speaksOf(row.title, words) > 0 || (isNamed && topic.length === 0 && isSevere(row))) &&
      (!isFull || FULL.test(row.title)),
  );
  const rows = titled.filter((row) => isOn(row, things)).toSorted(worstFirst);
  const what = words.length === 0 || (isNamed && topic.length === 0) ? '' : ` about ${quoted(words.join(' '))}`;
  const where = things.length === 0 ? '' : ` on ${listed(things.map(({ said }) => said))}`;
  const { when } = desk.within(USUAL_DAYS);
  const unread = looked.total > looked.rows.length ? `, of ${looked.total}; the others were not read` : '';
  const [first] = rows;
  if (first === undefined) {
    const many = counted(then.length, 'event');
    desk.say(
      `None found: titles and hosts of ${many} ${when} were looked at${unread}, none fits${where}${what}.`,
      looked,
    );
    const own = things.length === 0 ? [] : then.filter((row) => isOn(row, things)).toSorted(worstFirst);
    if (own.length > 0) desk.say(`${counted(own.length, 'other event')}${where} ${when}:`, looked);
    tellEvents(desk, looked, own, { most: 4 });
    const others = titled.flatMap(({ place }) => place ?? []);
    if (others.length > 0) desk.say(`Events${what} were on ${listed(others)}.`, looked);
    return tellDataBegin(desk);
  }
  const open = rows.filter(({ to }) => to === null).length;
  desk.say(`Yes: ${counted(rows.length, 'event')}${where}${what} ${when}, ${open} still open${unread}.`, looked);
  tellEvents(desk, looked, rows, { most: 6 });
  await tellDataBegin(desk);
  desk.remember({
    incident: first.groupId ?? first.eventId,
    subject: first.place ?? undefined,
    current: first.ciId,
    list: rows.slice(0, 8).flatMap(({ place }) => place ?? []),
  });
}
