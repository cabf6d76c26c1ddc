import { aiSettings } from '#application/records/tenant-settings.ts';
import { durationText, percent } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { numberNamed } from '#features/ai/rules/time/words.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { ciDetails, path } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { isSick, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { changes, events, past } from '#features/questions/use-cases/tools/kinds/events.ts';
import {
  type FullIncidentRow,
  incidents,
  type ToolIncidentRow,
} from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { whoActed } from '#features/questions/use-cases/tools/kinds/who.ts';
import { be, type Desk, listed, namesOf, onPlace, ordinal, quoted, quotedNote } from '../desk.ts';
import { describedIncident, fittest, fittingIncidents, inFull, meantIncident, weightOf } from '../meant-incident.ts';
import { meantThings, subjectsOf, tellUnheard } from '../meant-things.ts';
import {
  contextOf,
  dataBegin,
  endedIn,
  faultsIn,
  folded,
  isSevere,
  placesOf,
  tellDataBegin,
  tellEvents,
} from '../tell-events.ts';
import {
  aheadOf,
  careText,
  changesBefore,
  downAbove,
  downOf,
  effectsOf,
  headline,
  leftoverOf,
  namedCause,
  namedOpen,
  rememberRows,
  resolutionsOf,
  suspectOf,
  tellCause,
  tellCauseUpstream,
  tellDown,
  tellEffects,
  tellExtent,
  tellNotes,
  tellRow,
  tellRows,
  tellServices,
  tellState,
  tellSuspectChange,
  tellUpstream,
  titled,
  upstreamAround,
  wayText,
} from '../tell-incident.ts';
import { sickNames } from '../tell-service.ts';
import { idsOf, isOnAny, kindOf, type Thing, withHosts } from '../things.ts';
import { notes, tellDuty, tellDutyOf } from './care-answers.ts';
import { blameAnything, blameListed, blameOn, SINCE_IT } from './change-answers.ts';
import { fieldTexts } from './ci-answers.ts';
import { OF_DEPLOYS } from './number-answers.ts';
import { OF_GROUP, spokenOf, startingPoint, tellOwnersOf, tellTaken, WHOSE } from './present-answers.ts';
import { tellSince } from './time-answers.ts';

const subjectText = ({ reading: { things, topic }, asking }: Desk): string => {
  const names = things.map(({ name, kind }) => (kind === 'type' ? `CIs of type ${name}` : name));
  const words = topic.length === 0 ? '' : ` with ${quoted(topic.join(' '))}`;
  if (names.length > 0) return ` on ${listed(names)}${words}`;
  return asking.current !== null && topic.length === 0 ? ` on ${asking.current.name}` : words;
};

/** That nothing was found, with where it was looked and how much there was. */
export async function tellNone(desk: Desk): Promise<void> {
  if (await tellUnheard(desk)) return;
  const { looked, all, when } = await fittingIncidents(desk);
  const isUnsaid = subjectText(desk) === '' && desk.reading.time === null && desk.memory.incident === undefined;
  if (all.length > 0 && isUnsaid) return askIncident(desk, all);
  const begin = await dataBegin(desk);
  const of = looked.total === 0 ? 'there are no incidents' : `none of ${counted(looked.total, 'incident')} fits`;
  const data = begin === null || desk.reading.time !== null ? '' : `; data begin ${begin.text}`;
  desk.say(looked)`No incident found${subjectText(desk)} ${when}: ${of}${data}.`;
  await tellDataBegin(desk);
}

/** Asks which of the open incidents is meant. */
function askIncident(desk: Desk, all: readonly ToolIncidentRow[]): void {
  const names = all.slice(0, 4).map(headline);
  desk.isAbstained = true;
  desk.say(
    all.slice(0, 4),
  )`Which incident do you mean? Open: ${names.join('; ')}${all.length > 4 ? '; and others' : ''}.`;
  desk.remember({ incidents: all.slice(0, 8).map(({ id }) => id) });
}

function remembered(desk: Desk, row: FullIncidentRow): void {
  const { things, ids } = desk.reading;
  const named = things.filter(({ kind }) => kind !== 'type');
  const { incidents: all = [] } = desk.memory;
  const list = row.members.flatMap(({ place }) => place ?? []).slice(0, 8);
  desk.remember({ incident: row.id, list, incidents: all.includes(row.id) ? all : [] });
  if (named.length + ids.length > 0) desk.remember({ subject: named[0]?.name });
  if (!things.some(({ kind }) => kind === 'ci') && row.cause?.ci) desk.remember({ current: row.cause.ci.id });
}

/** The causes of a time, where nothing else is named. */
async function causesOfTime(desk: Desk): Promise<void> {
  const { looked, all, when } = await fittingIncidents(desk);
  const heavy = all.filter(isSevere).slice(0, 5);
  const [best] = heavy;
  desk.isAbstained = best === undefined;
  if (best === undefined) return tellNone(desk);
  desk.remember({ incident: best.id });
  desk.confidence = best.cause?.confidence ?? 0;
  if (heavy.length > 1) desk.say(looked)`${counted(heavy.length, 'incident')} ${when}:`;
  for (const row of heavy) {
    await tellCause(desk, row);
    const full = heavy.length <= 3 ? await inFull(desk, row.id) : null;
    if (full !== null) await tellSuspectChange(desk, full);
  }
}

/** An earlier incident of healthy CIs is no current one. */
async function tellNotNow(desk: Desk, { members }: FullIncidentRow): Promise<void> {
  const { things, time, ids, shape } = desk.reading;
  const isOfCis = things.length > 0 && things.every(({ kind }) => kind === 'ci');
  if (!isOfCis || time !== null || ids.length > 0 || OF_GROUP.test(shape)) return;
  const looked = await desk.look(events, { ci: idsOf(things) });
  if (looked.rows.length > 0) return;
  let isHurt = false;
  for (const { cis, name } of things.slice(0, 2))
    for (const { id } of cis) if (tellDown(desk, name, await downOf(desk, id, null))) isHurt = true;
  const isOn = isOnAny(things);
  const [last] = endedIn(members.filter((one) => isOn(one)));
  const since = last?.to == null ? '' : `: ${titled(last)} ended ${desk.clock.ago(last.to)}`;
  desk.say(looked)`No event is open on ${namesOf(things)}${isHurt ? ' itself' : ''} now${since}.`;
}

/** Root cause, effects, and changes before it. */
export async function why(desk: Desk): Promise<void> {
  const { things, topic, time, ids } = desk.reading;
  const isOfAll =
    desk.asking.current === null || /\b(?:alerts|events|everything|problems|many)\b/.test(desk.reading.lower);
  if (time !== null && things.length + topic.length + ids.length === 0 && isOfAll) return causesOfTime(desk);
  const row = await meantIncident(desk);
  if (row === null) {
    desk.isAbstained = true;
    return tellNone(desk);
  }
  remembered(desk, row);
  if (SENTENCE.test(desk.reading.shape)) return tellSentence(desk, row);
  await tellPremise(desk);
  await tellNotNow(desk, row);
  await tellCauseUpstream(desk, row);
  const isNamed = await tellCause(desk, row);
  desk.isAbstained = !isNamed;
  desk.confidence = row.cause?.confidence ?? 0;
  await tellExtent(desk, row);
  await tellUpstream(desk, row);
  await tellSuspectChange(desk, row);
  tellState(desk, row);
  tellEffects(desk, row, 6);
  tellServices(desk, row);
  tellResolutions(desk, row);
  if (row.rivals.length > 0 && isNamed) tellRivals(desk, row, 2);
  if (time === null || things.length === 0) return;
  const { looked, all } = await fittingIncidents(desk);
  const others = all.filter((one) => one.id !== row.id && isSevere(one) && one.events > 1).slice(0, 3);
  const texts = others.map((one) => `${headline(one)}, ${desk.clock.time(one.from)}`);
  if (others.length > 0) desk.say([looked, ...others])`Other incidents of that time: ${texts.join('; ')}.`;
}

/** Words for other people. */
export const SENTENCE =
  /\b(?:sentences?|lines?|words|paragraph|blurb|wording|announcement|status ?page|update|one|another) (?:for|to) (?:the |my |our )?(?:\w+ )?(?:boss|manage\w*|customers?|users?|clients?|ceo|cto|director|exec\w*|leadership|stakeholders?|public|team|status ?page)\b|\b(?:sentences?|paragraph|blurb|wording|announcement)\b/;

/** Affected services, the time as monitors saw it, the root cause, and the last note. */
async function tellSentence(desk: Desk, row: FullIncidentRow): Promise<void> {
  const { clock, reading } = desk;
  const said = reading.things.filter(({ kind }) => kind === 'service');
  const names = namesOf(said.length > 0 ? said : row.services) || headline(row);
  const seen = row.members.filter(({ to, resolvedBy }) => to !== null && resolvedBy === null);
  const [last] = endedIn(seen.some(isSevere) ? seen.filter(isSevere) : seen);
  const of = row.cause ?? row.members[0];
  const what = of === undefined ? headline(row) : titled(of);
  const likely = namedCause(desk, row) === null ? 'it began with' : 'probable root cause:';
  const verb = said.length === 1 || row.services.length === 1 ? ['is', 'was'] : ['are', 'were'];
  const begin = `${names} ${row.to === null ? verb[0] : verb[1]} affected`;
  const { text: left } = row.to === null ? await leftoverOf(desk, row) : { text: '' };
  if (row.to === null) desk.say(row)`${begin} since ${clock.ago(row.from)}; ${likely} ${what}${left && `, ${left}`}.`;
  else desk.say(row)`${begin}, ${clock.span(row.from, last?.to ?? row.to)}; ${likely} ${what}. It is resolved.`;
  const notes = row.notes.length === 0 ? resolutionsOf(row).slice(0, 1) : [];
  for (const one of notes) desk.say(row)`Resolution note${onPlace(one.place)}: ${quotedNote(one.resolution ?? '')}.`;
  tellNotes(desk, row, 1);
}

/** `lost its database at 17:20`: denies it, where no event was on a CI of that type that the subject needs; then the nearest one. */
async function tellPremise(desk: Desk): Promise<void> {
  const { things, time } = desk.reading;
  const owner = things.find(({ kind }) => kind === 'service' || kind === 'ci');
  const type = things.find(({ kind }) => kind === 'type');
  const needed = time === null ? null : await kindOf(desk.asking, owner, type);
  if (time === null || needed === null || owner === undefined) return;
  const ci = idsOf(await withHosts(desk.asking, [{ ...needed, said: needed.name }])).slice(0, 1_000);
  const day = { from: time.range.from - DAY_MS, to: Math.min(time.range.to + DAY_MS, desk.asking.receivedAt) };
  const looked = await desk.look(events, { ci, time_range: isoRange(day) });
  const rows = faultsIn(looked.rows).filter(
    isOnAny([{ ...needed, cis: ci.map((id) => ({ id, name: id, type: '' })), said: '' }]),
  );
  const isThen = ({ from, to }: { from: string; to: string | null }): boolean =>
    Date.parse(from) <= time.range.to && (to === null || Date.parse(to) >= time.range.from);
  if (rows.some(isThen)) return;
  const away = ({ from }: { from: string }): number => Math.abs(Date.parse(from) - time.range.from);
  const [near] = rows.filter(isSevere).toSorted((a, b) => away(a) - away(b));
  desk.say(looked)`Not as far as is recorded: no event is on a ${type?.said} of ${owner.name}, or its hosts,
    ${desk.clock.range(time.range)}.`;
  if (near !== undefined)
    desk.say(near)`The nearest in time: ${titled(near)}, ${desk.clock.span(near.from, near.to ?? near.from)}.`;
}
const DAY_MS = 86_400_000;

function tellResolutions(desk: Desk, row: FullIncidentRow): void {
  for (const one of resolutionsOf(row).slice(0, 2))
    desk.say(row)`Resolution note${onPlace(one.place)}: ${quoted(one.resolution ?? '')}.`;
}

function tellRivals(desk: Desk, row: FullIncidentRow, most: number): boolean {
  const others = row.rivals
    .filter(({ eventId }) => eventId !== row.cause?.eventId)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, most);
  const texts = others.map((one) => `${titled(one)} (score ${one.confidence.toFixed(2)})`);
  if (others.length > 0) desk.say(row, 'possible')`Less likely: ${texts.join('; ')}.`;
  return others.length > 0;
}

/** An answer about the meant incident, which the conversation remembers. */
const onIncident =
  (
    tell: (desk: Desk, row: FullIncidentRow) => Promise<void>,
    { isPast = false, none = tellNone }: { isPast?: boolean; none?: (desk: Desk) => Promise<void> } = {},
  ) =>
  async (desk: Desk): Promise<void> => {
    const row = await meantIncident(desk, { isPast });
    if (row === null) return none(desk);
    remembered(desk, row);
    return tell(desk, row);
  };

export const sure = onIncident(async (desk, row) => {
  const { cause, verdict, members } = row;
  if (verdict === null && cause !== null) {
    const isNamed = cause.confidence >= desk.asking.abstainBelow;
    const level = cause.confidence >= 0.75 ? 'Fairly' : isNamed ? 'Not fully' : 'No';
    const refs = [row, desk.ref(row, 1)];
    desk.say(refs)`${level}: ${percent(cause.confidence)} confidence that ${titled(cause)} began it.`;
  } else await tellCause(desk, row);
  const after = members.filter(({ from }) => cause !== null && Date.parse(from) > Date.parse(cause.at)).length;
  const others = counted(Math.max(0, members.length - 1), 'event');
  if (cause !== null) desk.say(row)`For it: ${after} of the other ${others} came after it.`;
  const isDoubted = await tellUpstream(desk, row);
  if (!tellRivals(desk, row, 2) && !isDoubted) desk.say(row)`Against it: no other candidate scored.`;
  desk.confidence = cause?.confidence ?? 0;
});

/** Since when a thing has its problem, or how long it had it; then the incident around it. */
export async function duration(desk: Desk): Promise<void> {
  const { ids, things: named, shape } = desk.reading;
  const { incident, subject } = desk.memory;
  const isOfMemory = incident !== undefined && subject === undefined && desk.reading.time === null;
  const things = desk.reading.things.length === 0 && isOfMemory ? [] : subjectsOf(await meantThings(desk));
  const [thing] = things;
  const isOfGroup = OF_GROUP.test(shape) && named.length > 0;
  if (ids.length === 0 && thing !== undefined && thing.cis.length > 0 && !isOfGroup) {
    await tellSince(desk, thing);
    const row = WHOSE.test(desk.reading.lower) ? await describedIncident(desk) : null;
    return row === null ? undefined : tellOwnersOf(desk, row);
  }
  return spanOfIncident(desk);
}

const spanOfIncident = onIncident(async (desk, row) => {
  const { clock, reading } = desk;
  const of = spokenOf(row, reading.topic);
  const { from, to } = of ?? row;
  const name = of === undefined ? headline(row) : titled(of);
  const { text: over, open } = of === undefined ? await leftoverOf(desk, row) : { text: '', open: [] };
  const span = to === null ? '' : durationText(Date.parse(to) - Date.parse(from));
  if (to === null && over !== '') desk.say([row, ...open.slice(0, 3)])`${name}: began ${clock.ago(from)}, ${over}.`;
  else if (to === null) desk.say(row)`${name}: since ${clock.ago(from)}, still open.`;
  else if (/^when\b/.test(reading.shape))
    desk.say(row)`${capital(clock.time(from))}: ${name}, until ${clock.time(to)} (${span}).`;
  else desk.say(row)`${span}: ${name} lasted from ${clock.time(from)} to ${clock.time(to)}.`;
  if (WHOSE.test(reading.lower)) await tellOwnersOf(desk, row);
  if (of !== undefined && row.events > 1) {
    if (row.to === null) desk.say(row)`The whole incident is open since ${clock.ago(row.from)}.`;
    else desk.say(row)`The whole incident lasted ${clock.span(row.from, row.to)}.`;
  }
});
export const fixed = onIncident(
  async (desk, row) => {
    const { clock } = desk;
    const notes = resolutionsOf(row);
    for (const { resolution, resolvedBy, to, place } of notes.slice(0, 3)) {
      const by = resolvedBy === null ? '' : `, by ${resolvedBy}`;
      const when = to === null ? '' : `, resolved ${clock.ago(to)}`;
      desk.say(row)`${quoted(resolution ?? '')}${onPlace(place)}${by}${when}.`;
    }
    tellNotes(desk, row, 3);
    const { text: over } = await leftoverOf(desk, row);
    if (row.to === null)
      desk.say(row)`It isn't fixed: ${headline(row)} is ${over || `open since ${clock.ago(row.from)}`}.`;
    else if (notes.length + row.notes.length === 0)
      desk.say(row)`Not known: ${headline(row)} ended ${clock.ago(row.to)} without a resolution note.`;
    else desk.say(row)`It was about ${headline(row)}, ${clock.span(row.from, row.to)}.`;
    if (row.to === null || notes.length === 0) await tellPast(desk, row, 1);
  },
  { isPast: true },
);
async function earlierOf(desk: Desk, { cause, members }: FullIncidentRow, event = cause?.eventId) {
  const looked = await desk.look(past, { event: event ?? members[0]?.eventId ?? '' });
  const own = new Set(members.map(({ eventId }) => eventId));
  return { looked, earlier: looked.rows.filter(({ eventId }) => !own.has(eventId)) };
}

/** Earlier occurrences of the root cause; false: none. */
async function tellPast(desk: Desk, row: FullIncidentRow, most: number, event?: string): Promise<boolean> {
  const { earlier } = await earlierOf(desk, row, event);
  for (const one of earlier.slice(0, most)) {
    const ended = one.to === null ? 'still open' : `lasted ${durationText(Date.parse(one.to) - Date.parse(one.from))}`;
    const note = one.resolution === null ? 'no resolution note' : `resolved: ${quoted(one.resolution)}`;
    desk.say(one)`Earlier: ${titled(one)}, ${desk.clock.ago(one.from)}, ${ended}, ${note}.`;
  }
  return earlier.length > 0;
}

/** The things that a question means with their events of its time, else of a week; null: it means none. */
async function eventsOfMeant(desk: Desk) {
  const things = subjectsOf(await meantThings(desk));
  const [thing] = things;
  const ci = idsOf(things).slice(0, 1_000);
  if (thing === undefined || ci.length === 0) return null;
  desk.rememberThing(thing);
  const { time_range, when } = desk.within(USUAL_DAYS);
  return { things, thing, time_range, when, looked: await desk.look(events, { ci, time_range }) };
}

/** `how often did it fail today`: events of the things by complaint. */
async function tellTimes(desk: Desk): Promise<boolean> {
  const meant = /\bhow (?:often|many times)\b/.test(desk.reading.lower) ? await eventsOfMeant(desk) : null;
  if (meant === null) return false;
  const { thing, when, looked } = meant;
  const faults = faultsIn(looked.rows);
  const kinds = folded(faults).toSorted((a, b) => b.length - a.length);
  const all = kinds.slice(0, 6).map((same) => `${quoted(same[0]?.title ?? '')} ${same.length}`);
  const list = all.length === 0 ? '' : `: ${all.join(', ')}`;
  desk.say(looked)`${counted(faults.length, 'event')} on ${thing.name} ${when}${list}.`;
  return true;
}

export async function history(desk: Desk): Promise<void> {
  if (!(await tellTimes(desk))) await tellHistory(desk);
}

const tellHistory = onIncident(async (desk, row) => {
  const { looked: found, earlier } = await earlierOf(desk, row);
  const begin = await dataBegin(desk);
  const range = begin === null ? '' : ` since ${begin.text}, when data begin`;
  const refs = [found, row];
  const no = /\bagain\b/.test(desk.reading.shape) ? 'Not as far as data go' : 'No';
  if (earlier.length === 0) return desk.say(refs)`${no}: ${headline(row)} was never seen before${range}.`;
  const same = earlier.filter(({ isSameCi }) => isSameCi).length;
  const where = row.cause?.place == null ? '' : `, ${same} of them${onPlace(row.cause.place)}`;
  desk.say(refs)`Yes: ${counted(earlier.length, 'earlier occurrence')} of ${headline(row)}${range}${where}.`;
  await tellPast(desk, row, 3);
});

const FIRST = /\b(?:first|start|begin|urgent)\b/;
/** Intents about all that is open. */
export const OF_ALL: readonly (string | undefined)[] = ['summary', 'services', 'healthy', 'assigned', 'events'];

/** Nothing is named: advice for all that is open, not for one incident. */
const isOfAll = ({ reading, memory, asking: { current } }: Desk): boolean =>
  reading.things.length + reading.topic.length + reading.ids.length === 0 &&
  reading.time === null &&
  !reading.pointsBack &&
  (current === null || current.id === memory.current) &&
  (memory.incident === undefined || OF_ALL.includes(memory.intent) || FIRST.test(reading.shape));

/** Advice from notes and runbooks of the problem; otherwise places to look at, among the open ones. */
export async function advice(desk: Desk): Promise<void> {
  const isGeneral = isOfAll(desk);
  const isOfRunbook = /\b(?:runbooks?|playbooks?)\b/.test(desk.reading.lower);
  const isAgain = desk.memory.intent === 'advice' && /^(?:and |what about |how about )/.test(desk.reading.lower);
  if ((await tellRunbookRules(desk, isOfRunbook || isAgain)) && isAgain) return;
  const row = isGeneral ? await startingPoint(desk) : await meantIncident(desk);
  if (row === null) return tellNone(desk);
  remembered(desk, row);
  if (isOfRunbook) await tellRunbookRules(desk, false, row.cause?.title);
  await adviseOn(desk, row);
  if (isGeneral) await tellTaken(desk, row.id);
}

async function adviseOn(desk: Desk, row: FullIncidentRow): Promise<void> {
  const { clock } = desk;
  const { open } = await leftoverOf(desk, row);
  const [left] = open;
  const cause = namedCause(desk, row);
  const refs = [row, desk.ref(row, 1)];
  const when = `${clock.ago(cause?.at ?? row.from)}${row.to === null ? careText(row) : ''}`;
  if (left !== undefined) {
    const what = `${left.place ?? 'what is open'}: ${quoted(left.title)}`;
    const care = row.to === null ? careText(row) : '';
    desk.say([row, left], 'likely')`Start with ${what}, open since ${clock.ago(left.from)}${care}.`;
    if (open.length > 1) desk.say([row, ...open.slice(1)])`Open beside it: ${namedOpen(open.slice(1))}.`;
    desk.say(refs)`The root cause, ${headline(row)}, is over since ${clock.time(row.causeOver ?? row.from)}.`;
  } else if (cause === null)
    desk.say(refs)`Start with the oldest event: ${headline(row)}, ${when}. No root cause is identified yet.`;
  else desk.say(refs, 'likely')`Start with ${cause.place ?? 'the root cause'}: ${quoted(cause.title)}, ${when}.`;
  if (row.to !== null) desk.say(row)`It is over since ${clock.ago(row.to)}.`;
  if (left === undefined) await tellUpstream(desk, row);
  tellNotes(desk, row, 2);
  const runbooks = await runbooksOf(desk, left?.ciId ?? row.cause?.ci?.id);
  for (const one of runbooks) desk.say(refs)`Runbook of ${one.name}: ${one.url}`;
  const isKnown = await tellPast(desk, row, 2, left?.eventId);
  if (!isKnown && runbooks.length === 0)
    desk.say(refs)`No runbook and no earlier resolution note exist for this problem, so no specific advice is known.`;
  const others = left === undefined ? effectsOf(row).flatMap((same) => same.filter(({ to }) => to === null)) : [];
  if (others.length > 0)
    desk.say(refs, 'possible')`These would recover with it; check them afterwards: ${placesOf(others)}.`;
  const { own } = await changesBefore(desk, row, 2 * 3_600_000);
  if (own[0] !== undefined)
    desk.say(refs, 'possible')`Consider undoing ${titled(own[0])}, made ${clock.ago(own[0].at)}.`;
}

const CALLING = /\b(?:call|contact|escalate|page|ping|ring|phone|reach|bother|wake|speak to|ask)\b/;

/** Runbooks of the settings that speak of the types and words of the question. */
async function tellRunbookRules(desk: Desk, isAsked = false, title = ''): Promise<boolean> {
  const { asking, reading } = desk;
  const { runbooks } = await aiSettings(asking.ports.records, asking.tenant);
  const row = await contextOf(desk);
  const textOf = (rule: object): string => Object.values(rule).join(' ').replaceAll(/[_/-]/g, ' ');
  const types = reading.things.flatMap(({ kind, name }) => (kind === 'type' ? name.split('_') : []));
  const words = [...new Set([...reading.topic, ...reading.strange, ...types])].filter((word) => !CALLING.test(word));
  const heard = `${reading.lower} ${title}`.toLowerCase();
  const isMatched = ({ title: said }: (typeof runbooks)[number]): boolean =>
    said !== undefined && heard.includes(said.toLowerCase());
  const best = Math.max(0.3, ...runbooks.map((rule) => speaksOf(textOf(rule), words)));
  const fitting = runbooks.filter((rule) => isMatched(rule) || (title === '' && speaksOf(textOf(rule), words) >= best));
  for (const { url, text } of fitting.slice(0, 3))
    desk.say(row)`Runbook: ${url}${text === undefined ? '' : `, ${quotedNote(text)}`}.`;
  if (isAsked && fitting.length === 0 && reading.topic.length > 0)
    desk.say(row)`No runbook of the settings mentions ${quoted(reading.topic.join(' '))}.`;
  return fitting.length > 0;
}

async function runbooksOf({ asking }: Desk, id: string | undefined) {
  const found = id === undefined ? [] : await asking.ports.topology.getCis(asking.tenant, [id]);
  return found.flatMap(({ name, customFields: { runbook } }) =>
    typeof runbook === 'string' && runbook !== '' ? [{ name, url: runbook }] : [],
  );
}

const OF_CHANGE = /\b(?:releas|deploy|change|patch|upgrade|rollout|update)/;
const OF_TWO = /§ .{0,30}\b(?:because of|caused by|due to) (?:the |a |an )?§/;
/** `did a cause the problem of b`. */
const OF_CULPRIT =
  /^(?:did|does|has|could|can|might|was|is) (?:the )?§ .{0,20}\b(?:caus\w*|break|broken?|behind|responsible|trigger\w*|blame|reason|cause)\b.*§/;
const OF_SUSPECT =
  /\b(?:it|this|that|there) (?:be |is |was |could be )?(?:maybe |perhaps |just |really )?(?:because of |due to |caused by )?(?:the |a |an |our )?§|[,.;:!?-] ?(?:the |our )?§ (?:problem |issue |thing )?again\b|^(?:did|could|can|might|was|is|does|has) (?:the |a |an |our )?§/;

/** The suspect is the object of the question, not the place of the incident: `is a down because of b`, `is it b`. */
async function suspected(desk: Desk): Promise<{ suspect?: Thing | undefined; meant: FullIncidentRow | null }> {
  const { reading, memory } = desk;
  const { shape } = reading;
  const [subject, other] = reading.things;
  const of = async (suspect: Thing, victim: Thing) => {
    return { suspect, meant: (await begunOn(desk, victim, suspect)) ?? (await fitted(desk, [victim])) };
  };
  if (subject !== undefined && other !== undefined && OF_CULPRIT.test(shape)) return of(subject, other);
  if (subject !== undefined && other !== undefined && OF_TWO.test(shape)) return of(other, subject);
  if (OF_CHANGE.test(reading.lower)) return { meant: (await afterChange(desk)) ?? (await meantIncident(desk)) };
  const said = shape.match(OF_SUSPECT);
  if (said === null) return { meant: await meantIncident(desk) };
  // `billing is slow, is it the san`: the problem is that of the one before.
  const until = shape.slice(0, (said.index ?? 0) + said[0].length);
  const last = reading.things[until.split('§').length - 2];
  if (subject !== undefined && last !== undefined && last !== subject)
    return { suspect: last, meant: await fitted(desk, [subject]) };
  const isOfTalk = memory.incident !== undefined && reading.time === null;
  return {
    suspect: subject,
    meant: isOfTalk
      ? await inFull(desk, memory.incident ?? '')
      : await fitted(desk, subject === undefined ? [] : [subject]),
  };
}

/** The best incident that fits the question and has a change before it; null: none is named, or has one. */
async function afterChange(desk: Desk): Promise<FullIncidentRow | null> {
  const { things, ids } = desk.reading;
  const { all } = things.length === 0 || ids.length > 0 ? { all: [] } : await fittingIncidents(desk);
  for (const { id } of all.slice(0, LOOKED_AT)) {
    const row = await inFull(desk, id);
    if (row !== null && (await suspectOf(desk, row)) !== undefined) return row;
  }
  return null;
}
const LOOKED_AT = 4;

async function blameChange(desk: Desk, row: FullIncidentRow): Promise<void> {
  const refs = [row, desk.ref(row, 1)];
  const change = await tellSuspectChange(desk, row);
  const name = headline(row);
  if (change === null)
    desk.say(refs, 'likely')`Probably not: no change was recorded on the affected CIs in the 2 hours before ${name}.`;
  else {
    const [victim] = row.members.filter(({ eventId }) => eventId !== change.eventId);
    const isCause = change.eventId === row.cause?.eventId && victim !== undefined;
    desk.say(row, 'likely')`Yes, probably: ${isCause ? titled(victim) : name} began after ${quoted(change.title)}.`;
    desk.findings.lead();
  }
  tellState(desk, row);
  tellResolutions(desk, row);
}

/** `did one of them break something`, behind a list of changes or of changes without a name. */
function isOfChanges({ reading, memory }: Desk): boolean {
  const { things, ids, topic, lower, pointsBack } = reading;
  if (OF_OUTCOME.test(lower) || SINCE_IT.test(lower)) return true;
  if (things.length + ids.length > 0) return false;
  if (memory.intent === 'changes' && pointsBack) return true;
  return (
    OF_CHANGE.test(lower) && topic.length === 0 && (!pointsBack || OF_SOME.test(lower) || memory.incident === undefined)
  );
}
/** `did the release go well`. */
const OF_OUTCOME =
  /\b(?:deploy\w*|releas\w*|rollouts?|upgrades?|updates?|patch\w*|change)\b.{0,12}\b(?:well|ok|okay|fine|smooth\w*|wrong|bad\w*|succe\w*|work)[ ?]*$|\b(?:after|since|following) (?:its|the|that|this|their)(?: last| latest| newest)? (?:deploy|releas|rollout|upgrade|update|patch|change)\w*[ ?]*$/;
const OF_ANYTHING =
  /^(?:did|has|does) (?:the |a |an |our )?§ .{0,12}\b(?:break|broke|broken|caused?|take|took|taken|trigger\w*)\b.{0,20}\b(?:something|anything|an? (?:incident|outage|problem|issue))\b/;
const OF_SOME =
  /\b(?:one|any|some|which|either|all) (?:of )?(?:those|these|the|our|last|them)\b|\bany (?:deploy|releas|change|rollout)/;

/** `did the release cause it?`, `is it the database?`: against what is known of the cause. */
export async function blame(desk: Desk): Promise<void> {
  const { reading } = desk;
  if (isOfChanges(desk)) return blameListed(desk);
  if (reading.things.length === 2 && OF_CHANGE.test(reading.lower) && (await blameOn(desk))) return;
  if (reading.things.length === 1 && OF_ANYTHING.test(reading.shape)) return blameAnything(desk);
  const { suspect, meant: row } = await suspected(desk);
  if (row === null) return tellNone(desk);
  remembered(desk, row);
  if (OF_CHANGE.test(reading.lower)) return blameChange(desk, row);
  const refs = [row, desk.ref(row, 1)];
  const cause = namedCause(desk, row);
  const isSuspect = isOnAny(suspect === undefined ? [] : [suspect]);
  const isSaid = (place: string | null): boolean =>
    reading.topic.length > 0 && speaksOf(place ?? '', reading.topic) > 0;
  const members = row.members.filter((one) => (suspect === undefined ? isSaid(one.place) : isSuspect(one)));
  const name = suspect?.name ?? (reading.topic.join(' ') || 'it');
  const began = cause === null ? '' : `it probably began with ${titled(cause)}`;
  const word = suspect?.kind === 'type' ? suspect.said.replace(/^databases?$/i, 'db') : null;
  const isNamedSo = word !== null && speaksOf(cause?.place ?? '', [word]) > 0;
  if (cause !== null && (isSuspect({ ciId: cause.ci?.id ?? null }) || isNamedSo))
    desk.say(refs, 'likely')`Yes, probably: it began with ${titled(cause)}, ${desk.clock.ago(cause.at)}.`;
  else if (members.length > 0)
    desk.say(refs, 'likely')`Only as a victim: ${listed(members.map(titled))} ${be(members.length)} part of
      it${began && `, but ${began}`}.`;
  else if ((await downAbove(desk, row)).some(isSuspect))
    desk.say(refs, 'possible')`Possibly: no event of the incident is on ${name}, but it is needed, and has an open
      event.`;
  else if (suspect === undefined || suspect.cis.length === 0)
    desk.say(refs)`Not known: no system that was looked at is
      ${name === 'it' ? 'named' : quoted(name)}${began && `; ${began}`}.`;
  else if (!(await tellSuspect(desk, row, suspect))) await tellExcluded(desk, row, suspect, began);
  if (/\bagain\b/.test(reading.shape)) await tellPast(desk, row, 1);
  await tellCause(desk, row);
  tellState(desk, row);
  await tellUpstream(desk, row);
  tellEffects(desk, row, 4);
}
/** A suspect without a sign: excluded, unless another incident of the time is on it. */
async function tellExcluded(desk: Desk, row: FullIncidentRow, suspect: Thing, began: string): Promise<void> {
  const from = Date.parse(row.from) - 2 * 3_600_000;
  const to = row.to === null ? desk.asking.receivedAt : Date.parse(row.to);
  const ci = idsOf([suspect]).slice(0, 1_000);
  const looked = await desk.look(events, { ci, time_range: isoRange({ from, to }) });
  const isOn = isOnAny([suspect]);
  const other = faultsIn(looked.rows).find((one) => isOn(one) && one.groupId !== null && one.groupId !== row.id);
  const no = `no event of the incident is on ${suspect.name}${began && `; ${began}`}`;
  if (other === undefined) return desk.say([row, desk.ref(row, 1), looked], 'likely')`Probably not: ${no}.`;
  desk.say([row, other], 'possible')`Not known: ${no}. ${suspect.name} is in another incident of that time.`;
  desk.say(other)`${titled(other)} began ${desk.clock.ago(other.from)}.`;
}

/** A suspect outside the incident: its events of the time, and the way to it. False: nothing speaks for it. */
async function tellSuspect(desk: Desk, row: FullIncidentRow, suspect: Thing): Promise<boolean> {
  const { cause } = row;
  const from = cause?.ci;
  if (cause === null || from == null) return false;
  const [one] = await upstreamAround(desk, cause, new Set(idsOf([suspect])));
  const ends = one?.ciId == null ? suspect.cis.slice(0, 6).map(({ id }) => id) : [one.ciId];
  const ways = await Promise.all(ends.map((to) => desk.find(path, { from: from.id, to })));
  const way = ways.find((found) => found?.dependent === from.id) ?? null;
  if (one === undefined && way === null) return false;
  const no = `no dependency of ${from.name} on it is known`;
  const depends = way === null ? no : `${from.name} depends on it: ${wayText(way)}`;
  if (one === undefined) {
    const none = `no event is on it in the 30 minutes before ${headline(row)}`;
    desk.say([row, way], 'possible')`Nothing points to ${suspect.name}: ${none}, but ${depends}.`;
    return true;
  }
  const begin = way === null ? 'Not proven, but near in time' : 'Likely, not proven, but the timing fits';
  const ended = one.to === null ? '' : ` and ended ${desk.clock.time(one.to)}`;
  const certainty = way === null ? 'possible' : 'likely';
  desk.say([one, way], certainty)`${begin}: ${titled(one)} began ${aheadOf(one.from, cause.at)}${ended}; ${depends}.`;
  return true;
}
/** The open incident of the subject that began with the suspect. */
async function begunOn(desk: Desk, subject: Thing, { cis }: Thing): Promise<FullIncidentRow | null> {
  const { all } = await fittingIncidents(desk, { things: [subject], topic: [] });
  const found = all.find(({ to, cause }) => to === null && cis.some(({ id }) => id === cause?.ci?.id));
  return found === undefined ? null : inFull(desk, found.id);
}
async function fitted(desk: Desk, things: readonly Thing[]): Promise<FullIncidentRow | null> {
  const best = await fittest(desk, things);
  return best === null ? null : inFull(desk, best.id);
}

export const back = onIncident(
  async (desk, row) => {
    const { text: over } = await leftoverOf(desk, row);
    const open = `open since ${desk.clock.ago(row.from)}`;
    if (row.to !== null) desk.say(row)`It is over: ${headline(row)} lasted ${desk.clock.span(row.from, row.to)}.`;
    else desk.say(row)`Not known: nothing forecasts a recovery. ${headline(row)} is ${open}.`;
    if (over !== '') desk.say(row)`Its root cause is ${over}.`;
    tellState(desk, row);
    if (row.to === null) await tellPast(desk, row, 2);
  },
  {
    none: async (desk) =>
      desk.say(await contextOf(desk))`Not known: no open incident is about it, and nothing forecasts a recovery.`,
  },
);

const WROTE =
  /\b(?:wr[io]te|written|notes?|noted|sa(?:y|id)|decid\w*|verdict|confirmed|judged|worked|touched|handled|did what)\b/;

export async function who(desk: Desk): Promise<void> {
  const { lower } = desk.reading;
  if (ESCALATION.test(lower) || DUTY.test(lower)) return tellDuty(desk, ESCALATION.test(lower));
  if (ELSE.test(lower)) return whoElse(desk);
  const [deed] = desk.reading.shape.match(DEED) ?? [];
  if (deed !== undefined && (await tellDeed(desk, deed))) return;
  const isOfChange = desk.memory.intent === 'changes' && /\b(?:it|this|that|them|those)\b/.test(lower);
  if (isOfChange || /deploy|releas|ship|push|chang|patch|roll/.test(lower)) return whoChanged(desk);
  if (WROTE.test(lower)) return notes(desk);
  if (OWNING.test(lower) && (await tellOwners(desk))) return;
  return whoCares(desk);
}

const ELSE =
  /^(?:and )?(?:who|(?:which|what) (?:team|person|user|colleague)) (?:has|have|got) (?:the )?(?:most|least|fewest)\b|\b(?:who|any(?:one|body)) else\b(?!.{0,20}\b(?:affected|hit|impacted|hurt|suffer\w*|depends?|uses?|needs?))/;
/** Users beside the assignee of an incident, else all assignees. */
async function whoElse(desk: Desk): Promise<void> {
  const { incident: id, intent } = desk.memory;
  const isOfAll = intent === 'assigned' && !desk.reading.pointsBack;
  const row = id === undefined || isOfAll ? null : await inFull(desk, id);
  if (row === null) {
    const looked = await desk.look(incidents, {});
    const all = Map.groupBy(looked.rows, ({ assignee }) => assignee ?? 'unassigned');
    return desk.say(looked)`Assigned now: ${listed([...all].map(([name, { length }]) => `${name} ${length}`))}.`;
  }
  const looked = await desk.look(whoActed, { group: row.id });
  const [told, ...others] = [row.assignee, row.acknowledgedBy].flatMap((one) => one ?? []);
  const acts = Map.groupBy(
    looked.rows.filter(({ by }) => by !== told),
    ({ by }) => by,
  );
  for (const name of others) if (name !== told && !acts.has(name)) acts.set(name, []);
  const texts = [...acts].map(
    ([name, rows]) => `${name}${rows.length === 0 ? '' : ` (${listed(rows.map(({ kind }) => kind))})`}`,
  );
  const beside = told === undefined ? '' : ` beside ${told}`;
  desk.remember({ incident: row.id });
  if (texts.length === 0) desk.say([row, looked])`No one else is recorded on ${headline(row)}${beside}.`;
  else desk.say([row, looked])`On ${headline(row)}${beside}: ${listed(texts)}.`;
}
const DUTY = /\bon[- ](?:call|duty|shift)\b/;
const ESCALATION =
  /\b(?:if|when|unless|once) (?:nobody|no ?one)\b|\bif .{2,40} (?:does ?n['o]?t|do ?n['o]?t|fails? to|never) (?:ack|respond|react|answer|pick)|\bpaged\b|^who does .{1,30} escalate|\bescalat(?:ions?|es|ed) (?:polic|settings?|rules?|chains?|paths?|times?|after|auto)/;
/** Acts on systems, which have no user here; of a user that is named, the act may be a false premise. */
const DEED =
  /(?<=^(?:and |so )?(?:who (?:has |had |just |the hell ){0,2}|(?:(?:why|when|how) )?(?:did|has|had) @ (?:\w+ly |just |already )?))(?:re-?boot|re-?start|bounc|stop|kill|unplug|pull|shut ?down|turn|switch|power|delet|remov|disabl|drain|fail|broke|break|crash|wip|format|reset)\w*/;

/** Denies that a user is known for it, and lists events and edits of that time. False: nothing is named. */
async function tellDeed(desk: Desk, deed: string): Promise<boolean> {
  const { person } = desk.reading.care;
  const isRestart = /^(?:re-?(?:boot|start)|bounc)/.test(deed);
  const said = isRestart ? /re-?(?:boot|start)|bounc/i : new RegExp(deed.slice(0, 5), 'i');
  const meant = await eventsOfMeant(desk);
  if (meant === null) {
    if (person !== null)
      desk.say(
        await contextOf(desk),
      )`Not known: no note says that ${person} did this (${quoted(deed)}), and the question
        names no system that was found.`;
    return person !== null;
  }
  const { things, thing, time_range, when, looked } = meant;
  const edits = await desk.look(changes, { ci: thing.id ?? undefined, time_range });
  const isOn = isOnAny(things);
  const changed = edits.rows.filter((row) => isOn(row) && row.eventId === null).slice(0, LISTED_SHORT);
  const from = desk.reading.time?.range.from ?? 0;
  const own = looked.rows.filter((row) => isOn(row) && (row.to === null || Date.parse(row.to) >= from));
  const done = own.filter(({ title }) => said.test(title));
  const what = `${deed} ${namesOf(things)} ${when}`;
  const refs = [looked, edits];
  if (person !== null)
    desk.say(refs)`Not known: no event, change or note says that ${person} did this (${quoted(deed)}) on
      ${namesOf(things)} ${when}.`;
  else if (done.length > 0)
    desk.say(looked)`Not known: no user is recorded of those who ${what}, only events about it.`;
  else desk.say(refs)`Not known: no event, change or note says that anyone ${what}.`;
  tellEvents(desk, looked, done.length > 0 ? done : own, { most: 4 });
  for (const row of changed)
    desk.say(row)`${titled(row)}, ${desk.clock.ago(row.at)}${row.by === null ? '' : `, by ${row.by}`}.`;
  if (own.length + changed.length === 0) desk.say(refs)`Nothing else is recorded on it then.`;
  return true;
}

const OWNING =
  /\blooks? after\b|\b(?:owns?|owners?|owned|teams?|call|contact|responsible|ask|talk to|escalate|page|ping|ring|phone|reach|bother|wake|speak to|runs?|maintains?)\b/;
const OWNER_FIELDS = /owner|team|department|contact|responsible|phone|email/i;

/** Owners by fields of the CIs that are named or spoken of, then who has their open incident. False: no CI is meant. */
async function tellOwners(desk: Desk): Promise<boolean> {
  const { things: named, shape, topic } = desk.reading;
  const isOfIncident = /\b(?:incidents?|problems?|issues?|alerts?|outages?|tickets?)\b/.test(shape);
  if (isOfIncident || (named.length === 0 && topic.length > 0)) return false;
  const [thing] = subjectsOf(await meantThings(desk));
  if (thing === undefined || thing.cis.length === 0) return false;
  if (thing.cis.length > 20) return tellDutyOf(desk, []);
  desk.rememberThing(thing, { incident: undefined });
  const found = [];
  for (const { id } of thing.cis) {
    const row = await desk.find(ciDetails, { ci: id });
    const text = fieldTexts(row?.attributes ?? {}, OWNER_FIELDS);
    if (row !== null && text !== '') found.push({ row, text: `${row.name}: ${text}` });
  }
  const what = thing.kind === 'service' ? `${thing.name} has no owner of its own here; its components: ` : '';
  const refs = found.slice(0, 5).map(({ row }) => row);
  if (found.length > 0) desk.say(refs)`${what}${found.map(({ text }) => text).join('; ')}.`;
  const isOnCall = await tellDutyOf(
    desk,
    found.map(({ text }) => text),
  );
  if (found.length === 0 && !isOnCall) desk.say(await contextOf(desk))`No owner or team is recorded for ${thing.name}.`;
  const looked = await desk.look(incidents, { ci: thing.cis.length === 1 ? thing.cis[0]?.id : undefined });
  const isOn = isOnAny([thing]);
  const open = looked.rows.find(({ activeCis }) => activeCis.some((ciId) => isOn({ ciId })));
  if (open === undefined) return true;
  desk.remember({ incident: open.id });
  const who = open.assignee === null ? 'unassigned' : `assigned to ${open.assignee}`;
  const by = open.acknowledgedBy === null ? '' : `, acknowledged by ${open.acknowledgedBy}`;
  desk.say(open)`Its open incident, ${headline(open)}, is ${who}${by}.`;
  return true;
}

const whoCares = onIncident(async (desk, row) => {
  const { lower, care } = desk.reading;
  const { acknowledgedBy, assignee, to } = row;
  const name = headline(row);
  const isOfAck = /\back(?!s)/.test(lower);
  const state = to === null ? `open since ${desk.clock.ago(row.from)}` : `resolved since ${desk.clock.ago(to)}`;
  if (/resolv(?!ing)|fix(?!ing)|clos(?!ing)|solv(?!ing)|itself|themselves|its own/.test(lower))
    await whoResolved(desk, row, care.person);
  else if (isOfAck && acknowledgedBy === null) return notes(desk);
  else if (isOfAck) desk.say(row)`Acknowledged by ${acknowledgedBy}: ${name}.`;
  else if (assignee === null) desk.say(row)`Unassigned: ${name}, ${state}.`;
  else desk.say(row)`${assignee}: ${name} is assigned to them.`;
  if (acknowledgedBy !== null && !isOfAck) desk.say(row)`Acknowledged by ${acknowledgedBy}.`;
  const { text: left } = to === null && row.causeOver !== null ? await leftoverOf(desk, row) : { text: '' };
  if (left !== '') desk.say(row)`It is ${left}.`;
  if (to !== null) tellResolutions(desk, row);
  tellNotes(desk, row, 2);
});

async function whoResolved(desk: Desk, row: FullIncidentRow, person: string | null): Promise<void> {
  const resolved = row.members.flatMap(({ resolvedBy }) => resolvedBy ?? []);
  const looked = await desk.look(whoActed, { group: row.id, kind: ['status'] });
  const closed = looked.rows.filter(({ text }) => /resolved?\b|clos/i.test(text));
  const people = [...resolved, ...closed.map(({ by }) => by)];
  if (person !== null && !people.includes(person)) desk.say([row, looked])`Not by ${person}, as far as is recorded.`;
  if (resolved.length > 0) desk.say(row)`Resolved by ${listed(resolved)}: ${headline(row)}.`;
  else if (row.to !== null) desk.say(row)`Resolved by its source: ${headline(row)}, ${desk.clock.ago(row.to)}.`;
  else desk.say(row)`Not resolved: ${headline(row)} is ${(await leftoverOf(desk, row)).text || 'open'}.`;
  for (const { by, at, text } of closed.slice(0, 3)) desk.say(looked)`${by}, ${desk.clock.ago(at)}: ${quoted(text)}.`;
}

async function whoChanged(desk: Desk): Promise<void> {
  const { topic, pointsBack, lower } = desk.reading;
  const things = pointsBack ? await meantThings(desk) : desk.reading.things;
  const [ci] = things.length === 1 && things[0]?.kind === 'ci' ? idsOf(things) : [];
  const looked = await desk.look(changes, { ci, time_range: desk.within(30).time_range });
  const rows = looked.rows.filter(({ eventId }) => eventId !== null || !OF_DEPLOYS.test(lower));
  const isOn = isOnAny(things);
  const own = rows.filter((row) => isOn(row) || (topic.length > 0 && speaksOf(row.title, topic) > 0));
  const isNarrow = things.length + topic.length > 0;
  const found = isNarrow ? own : rows.toSorted((a, b) => Number(a.by === null) - Number(b.by === null));
  if (found.length === 0) return desk.say(looked)`Not known: no change is recorded${subjectText(desk)}.`;
  const [newest] = found;
  desk.told = 'changes';
  if (things[0] !== undefined) desk.rememberThing(things[0]);
  desk.remember({ incident: newest?.eventId ?? undefined, list: newest?.place == null ? [] : [newest.place] });
  for (const row of found.slice(0, isNarrow ? 1 : LISTED_SHORT)) {
    const by = row.by === null ? 'No user is recorded for it' : `By ${row.by}`;
    const source = row.source === null ? '' : `, reported by source ${row.source}`;
    desk.say(row)`${by}: ${titled(row)}, ${desk.clock.ago(row.at)}${source}.`;
  }
}

const LISTED = 8;
/** A handover: open incidents with their notes. */
const HAND_OVER = /\b(?:hand|pass|carry|tak)\w* (?:it |this )?(?:over|on)\b|\bhandover\b|\bnext shift\b/;
const LISTED_SHORT = 3;
const STILL_ON = /\b(?:still|ongoing|open|unresolved|active|not (?:yet )?(?:over|resolved|fixed))\b/;
const BEGAN = /\b(?:broke|breaks|began|begun|started|failed|new|went (?:down|wrong|bad))\b/;
/** Incidents now or of a time range, most important first, with root cause and services. */
export async function summary(desk: Desk): Promise<void> {
  const { reading } = desk;
  const { lower, severities, time, nth } = reading;
  const isHandOver = HAND_OVER.test(lower);
  const fits = await fittingIncidents(desk, { openOnly: isHandOver && time === null });
  // Unknown words must not hide the incidents.
  const isLoose = fits.all.length === 0 && reading.things.length === 0;
  const { looked, all, when } = isLoose ? await fittingIncidents(desk, { topic: [] }) : fits;
  const isBegun = time !== null && BEGAN.test(reading.shape);
  const places = reading.things.filter(({ kind }) => kind === 'place');
  const inside = new Set(/\bonly\b/.test(lower) ? idsOf(places) : []);
  const isMeant = ({ from, cis }: ToolIncidentRow): boolean =>
    (!isBegun || Date.parse(from) >= time.range.from) &&
    (inside.size === 0 || (cis.length > 0 && cis.every((id) => inside.has(id))));
  const isOfOpen = STILL_ON.test(lower) && time !== null;
  const isAsked = (one: ToolIncidentRow['severity']): boolean =>
    severities.length === 0 ? one !== 'info' : one !== null && severities.includes(one);
  const isOfNow = isOfOpen || (time === null && isHandOver);
  const shown = all.filter((row) => isMeant(row) && isAsked(row.severity) && (!isOfNow || row.to === null));
  const heavy = shown.filter(isSevere);
  const [, top = ''] = lower.match(/\btop (\w+)/) ?? [];
  const isShort = /\b(?:short|brief|quick|one[- ]line)\b/.test(lower);
  const most = numberNamed(top) ?? (isShort ? LISTED_SHORT : LISTED);
  const isWorst = /\b(?:worst|biggest|most (?:urgent|serious|severe|critical|important)|main) \b/.test(lower);
  const told = (heavy.length >= 2 && !isHandOver ? heavy : shown).slice(nth - 1, nth - 1 + most);
  const [best] = told;
  if (best === undefined && isOfOpen)
    return desk.say(looked)`No: none of ${counted(all.length, 'incident')} ${when} is open.`;
  if (best === undefined) return tellNone(desk);
  const open = shown.filter(({ to }) => to === null).length;
  const many = counted(shown.length, isOfNow ? 'open incident' : 'incident');
  const word = /^(?:is|are|any|do|does)\b/.test(reading.shape) && isOfOpen ? 'Yes: ' : '';
  const still = time === null || isOfOpen ? '' : `, ${open} still open`;
  const where = inside.size === 0 ? '' : ` only in ${namesOf(places)}`;
  const began = isBegun ? `${shown.length === 1 ? ' that' : ''} began` : '';
  const order = nth === 1 ? 'the most important first' : `the ${ordinal(nth)} most important`;
  desk.say(looked)`${word}${many}${where}${began} ${when}${still}; ${order}.`;
  desk.remember({ subject: undefined });
  rememberRows(desk, [...told, ...shown.filter((row) => !told.includes(row))], told.length);
  if (best.cause?.ci) desk.remember({ current: best.cause.ci.id });
  for (const row of told.slice(0, isWorst || nth > 1 ? 1 : LISTED)) {
    await tellRow(desk, row);
    const full = isHandOver && row.events > 1 ? await inFull(desk, row.id) : null;
    if (full !== null) tellNotes(desk, full, 2);
    if (row === best && row.events > 1 && row.causeOver === null) await tellMembers(desk, row.id);
  }
  const rest = shown.slice(told.length).map(({ cause }) => cause?.place ?? 'unbound events');
  if (shown.length > told.length && !isWorst && nth === 1)
    desk.say(looked)`${counted(rest.length, 'further incident')} of lower weight: ${listed(rest)}.`;
  if (time === null && reading.things.length === 0) await tellSick(desk);
}

/** Groups of several events of the time, else of a week. */
async function groupsOf(desk: Desk) {
  const { reading, memory } = desk;
  const isOfList = memory.intent === 'query' || memory.intent === 'summary';
  const { time_range, when } = desk.within(USUAL_DAYS, reading.time ?? (isOfList ? memory.time : undefined) ?? null);
  const looked = await desk.look(incidents, { time_range });
  const rows = looked.rows.filter(({ events: size }) => size > 1);
  return { looked, when, rows };
}

/** Incidents whose root cause is not known well enough to be named; of unsure ones those below one half, the least sure first. */
export async function uncaused(desk: Desk): Promise<void> {
  const { looked, when, rows: all } = await groupsOf(desk);
  const isOfDoubt = /guess|unsure|uncertain|sure|shaky|doubt|confidence/.test(desk.reading.lower);
  const isOfMost = /\bmost (?:sure|certain|confident)/.test(desk.reading.lower);
  const sureOf = ({ cause }: ToolIncidentRow): number => cause?.confidence ?? 0;
  const isMeant = (row: ToolIncidentRow): boolean =>
    isOfMost
      ? row.cause !== null
      : isOfDoubt
        ? row.verdict?.cause !== 'right' && sureOf(row) < 0.5
        : namedCause(desk, row) === null;
  const rows = all.filter(isMeant);
  const many = `${rows.length} of ${counted(all.length, 'group')} ${when} ${rows.length === 1 ? 'has' : 'have'}`;
  const doubtful = isOfDoubt ? 'a root cause of less than 50% confidence, or none' : 'no identified root cause';
  const what = isOfMost ? 'a scored root cause' : doubtful;
  desk.say(looked)`${many} ${what}.`;
  if (!isOfDoubt) return tellRows(desk, looked, rows);
  const sorted = rows.toSorted((a, b) => (isOfMost ? sureOf(b) - sureOf(a) : sureOf(a) - sureOf(b)));
  for (const row of sorted.slice(0, LISTED)) {
    const name = row.cause === null ? '' : `${titled(row.cause)}, `;
    const since = `${desk.clock.ago(row.from)}${row.to === null ? ', open' : ''}`;
    desk.say(row)`${percent(sureOf(row))}: ${name}${counted(row.events, 'event')}, ${since}.`;
  }
  if (rows.length > LISTED) desk.say(looked)`${rows.length - LISTED} more.`;
  rememberRows(desk, sorted);
}

/** Sizes by which incidents are ranked; a message without one means events. */
/** Weight of ended incidents beside open ones. */
const OVER = 0.3;
type IncidentSize = readonly [said: RegExp, size: (row: ToolIncidentRow, now: number) => number, noun: string];
const SIZES: readonly IncidentSize[] = [
  [/\b(?:oldest|earliest)\b/, ({ from }, now) => now - Date.parse(from), ''],
  [/\b(?:newest|latest|most recent)\b/, ({ from }) => Date.parse(from), ''],
  [
    /\bworst\b|\bmost (?:urgent|important|serious|severe|critical)\b/,
    (row) => weightOf(row) * (row.to === null ? 1 : OVER),
    '',
  ],
  [
    /\b(?:long\w*|short\w*|took|lasted|duration|quick\w*)\b/,
    ({ from, to }, now) => (to === null ? now : Date.parse(to)) - Date.parse(from),
    '',
  ],
  [/\b(?:business )?services?\b/, ({ services: hit }) => hit.length, 'service'],
  [/\b(?:hosts?|cis?|systems?|machines?|servers?|things?)\b/, ({ cis }) => cis.length, 'CI'],
  [/./, ({ events: size }) => size, 'event'],
];
/** `longer than an hour`, `more than 20 events`. */
const BEYOND = /\b(?:longer|more|over) than (an?|\d{1,5}) ?(days?|d|hours?|h|minutes?|mins?|m)?\b/;
const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };
const LEAST = /\b(?:shortest|smallest|fewest|least|quickest)\b/;
/** Incidents by the size that the words ask for, the first one first. */
export function bySize<R extends ToolIncidentRow>({ asking, reading: { shape, lower } }: Desk, rows: readonly R[]) {
  const [, size, noun] = SIZES.find(
    ([said]) => said.test(shape) || (/service/.test(said.source) && said.test(lower)),
  ) as IncidentSize;
  const sizeOf = (row: ToolIncidentRow): number => size(row, asking.receivedAt);
  const sign = LEAST.test(shape) ? -1 : 1;
  return { rows: rows.toSorted((a, b) => sign * (sizeOf(b) - sizeOf(a))), sizeOf, noun };
}

/** `longest outage today`, `which incident had the second most events`. */
export async function ranked(desk: Desk): Promise<void> {
  const { reading, memory } = desk;
  const { shape, nth, severities } = reading;
  const { looked, when, rows: all } = await groupsOf(desk);
  const isOfTalk = reading.things.length === 0 && memory.intent === 'query' && memory.subject !== undefined;
  const ids = new Set(idsOf(isOfTalk ? await meantThings(desk) : reading.things));
  const fits = ({ severity, cis }: ToolIncidentRow): boolean =>
    (severities.length === 0 || (severity !== null && severities.includes(severity))) &&
    (ids.size === 0 || cis.some((id) => ids.has(id)));
  // Warnings are no outage.
  const severe = /\boutages?\b/.test(shape) ? all.filter(isSevere) : [];
  const [beyond = '', many = '0', unit = ' '] = reading.lower.match(BEYOND) ?? [];
  const least = (Number(many.replace(/^an?$/, '1')) || 0) * (UNITS[unit.charAt(0)] ?? 1);
  const { rows: sorted, sizeOf, noun } = bySize(desk, severe.length > 0 ? severe : all);
  const rows = sorted.filter((row) => fits(row) && sizeOf(row) > least);
  const best = rows[nth - 1];
  const none = `No ${nth === 1 ? '' : `${ordinal(nth)} `}group of several events fits`;
  if (best === undefined) return desk.say(looked)`${none} ${when}${beyond && `, none has ${beyond}`}.`;
  const text = (row: ToolIncidentRow): string => (noun === '' ? durationText(sizeOf(row)) : counted(sizeOf(row), noun));
  const place = nth === 1 ? '' : `, ${ordinal(nth)}`;
  const isOfSubject = /^(?:is|was) (?:it|that|this)\b/.test(shape) && memory.incident !== undefined;
  const word = !isOfSubject ? '' : memory.incident === best.id ? 'Yes: ' : 'No: ';
  const groups = `${counted(rows.length, 'group')} of several events${beyond && `, ${beyond},`}`;
  desk.say([looked, best])`${word}${text(best)}: ${headline(best)}. Of ${groups} ${when}${place}.`;
  await tellRow(desk, best);
  const next = rows.slice(nth, nth + 3).map((row) => `${headline(row)}, ${text(row)}`);
  if (next.length > 0) desk.say(looked)`Next: ${next.join('; ')}.`;
  if (looked.isCut) desk.say(looked)`Only ${looked.rows.length} of ${looked.total} were read.`;
  rememberRows(desk, rows);
  desk.remember({ incident: best.id, subject: undefined });
}

const USUAL_DAYS = 7;

async function tellMembers(desk: Desk, id: string): Promise<void> {
  const row = await inFull(desk, id);
  if (row === null) return;
  const texts = effectsOf(row)
    .slice(0, 4)
    .map((same) => titled({ title: same[0]?.title ?? '', place: placesOf(same) }));
  if (texts.length > 0) desk.say(row)`Followed by ${texts.join('; ')}.`;
}

async function tellSick(desk: Desk): Promise<void> {
  if (!desk.asking.caller.permissions.has('services.read')) return;
  const looked = await desk.look(services, {});
  const sick = looked.rows.filter(isSick);
  if (sick.length > 0) desk.say(looked)`${counted(sick.length, 'service')} not healthy: ${sickNames(sick)}.`;
}
