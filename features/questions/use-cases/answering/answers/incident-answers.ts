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
import { type Desk, listed, namesOf, onPlace, ordinal, quoted } from '../desk.ts';
import { fittingIncidents, inFull, meantIncident } from '../meant-incident.ts';
import { meantThings, subjectsOf } from '../meant-things.ts';
import { contextOf, dataBegin, isBeforeData, tellDataBegin } from '../tell-data.ts';
import { folded, isSevere, placesOf } from '../tell-events.ts';
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
  resolutionsOf,
  suspectOf,
  tellCause,
  tellCauseUpstream,
  tellDown,
  tellEffects,
  tellNotes,
  tellRow,
  tellRows,
  tellServices,
  tellState,
  tellSuspectChange,
  tellUpstream,
  titled,
  upstreamAround,
} from '../tell-incident.ts';
import { idsOf, type Thing } from '../things.ts';
import { notes } from './care-answers.ts';
import { blameAnything, blameListed } from './change-answers.ts';
import { instantOf } from './event-answers.ts';
import { OF_DEPLOYS } from './number-answers.ts';
import { OF_GROUP, spokenOf, startingPoint, tellTaken } from './present-answers.ts';
import { tellSince } from './time-answers.ts';

/** Subject of the question in words. */
const subjectText = ({ reading: { things, topic }, asking }: Desk): string => {
  const names = things.map(({ name, kind }) => (kind === 'type' ? `CIs of type ${name}` : name));
  const words = topic.length === 0 ? '' : ` with ${quoted(topic.join(' '))}`;
  if (names.length > 0) return ` on ${listed(names)}${words}`;
  return asking.current !== null && topic.length === 0 ? ` on ${asking.current.name}` : words;
};

/** That nothing was found, with where it was looked and how much there was. */
export async function tellNone(desk: Desk): Promise<void> {
  if (await isBeforeData(desk)) return;
  const { looked, when } = await fittingIncidents(desk);
  const begin = await dataBegin(desk);
  const of = looked.total === 0 ? 'there are no incidents' : `none of ${counted(looked.total, 'incident')} fits`;
  const data = begin === null || desk.reading.time !== null ? '' : `; data begin ${begin.text}`;
  desk.say(`No incident found${subjectText(desk)} ${when}: ${of}${data}.`, looked);
  await tellDataBegin(desk);
}

function remembered(desk: Desk, row: FullIncidentRow): void {
  const ci = row.cause?.ci;
  const named = desk.reading.things.filter(({ kind }) => kind !== 'type');
  desk.remember({
    incident: row.id,
    ...(named.length + desk.reading.ids.length > 0 && { subject: named[0]?.name }),
    ...(!desk.reading.things.some(({ kind }) => kind === 'ci') && ci && { current: ci.id }),
    list: row.members.flatMap(({ place }) => place ?? []).slice(0, 8),
  });
}

/** The causes of a time, where nothing else is named. */
async function causesOfTime(desk: Desk): Promise<void> {
  const { looked, all, when } = await fittingIncidents(desk);
  const at = instantOf(desk.reading);
  const heavy = (at === null ? all : nearestTo(all, at, desk.reading.time?.range.from ?? 0))
    .filter(isSevere)
    .slice(0, 5);
  const [best] = heavy;
  if (best === undefined) {
    desk.isAbstained = true;
    return tellNone(desk);
  }
  desk.remember({ incident: best.id });
  desk.confidence = best.cause?.confidence ?? 0;
  if (heavy.length > 1) desk.say(`${counted(heavy.length, 'incident')} ${when}:`, looked);
  for (const row of heavy) {
    await tellCause(desk, row);
    const full = heavy.length <= 3 ? await inFull(desk, row.id) : null;
    if (full !== null) await tellSuspectChange(desk, full);
  }
}

/** Incidents that began around a time, the largest and nearest first; without any all of them. */
function nearestTo(all: readonly ToolIncidentRow[], at: number, from: number): readonly ToolIncidentRow[] {
  const begun = all.filter((row) => Date.parse(row.from) >= from);
  const score = (row: ToolIncidentRow): number =>
    Math.log2(1 + row.events) / (1 + Math.abs(Date.parse(row.from) - at) / NEAR_MS);
  return begun.length === 0 ? all : begun.toSorted((a, b) => score(b) - score(a));
}
const NEAR_MS = 10 * 60_000;

/** An earlier incident of healthy CIs is no current one. */
async function tellNotNow(desk: Desk): Promise<void> {
  const { things, time, ids } = desk.reading;
  const isOfCis = things.length > 0 && things.every(({ kind }) => kind === 'ci');
  if (!isOfCis || time !== null || ids.length > 0) return;
  const looked = await desk.look(events, { ci: idsOf(things) });
  if (looked.rows.length > 0) return;
  let isHurt = false;
  for (const { cis, name } of things.slice(0, 2))
    for (const { id } of cis) if (tellDown(desk, name, await downOf(desk, id, null))) isHurt = true;
  desk.say(`No event is open on ${namesOf(things)}${isHurt ? ' itself' : ''} now.`, looked);
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
  await tellNotNow(desk);
  await tellCauseUpstream(desk, row);
  const isNamed = await tellCause(desk, row);
  desk.isAbstained = !isNamed;
  desk.confidence = row.cause?.confidence ?? 0;
  await tellUpstream(desk, row);
  await tellSuspectChange(desk, row);
  tellState(desk, row);
  tellEffects(desk, row, 6);
  tellServices(desk, row);
  tellResolutions(desk, row);
  if (row.rivals.length > 0 && isNamed) tellRivals(desk, row, 2);
}

function tellResolutions(desk: Desk, row: FullIncidentRow): void {
  for (const one of resolutionsOf(row).slice(0, 2))
    desk.say(`Resolution note${onPlace(one.place)}: ${quoted(one.resolution ?? '')}.`, row);
}

function tellRivals(desk: Desk, row: FullIncidentRow, most: number): boolean {
  const others = row.rivals
    .filter(({ eventId }) => eventId !== row.cause?.eventId)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, most);
  if (others.length === 0) return false;
  desk.say(
    `Less likely: ${others.map((one) => `${titled(one)} (score ${one.confidence.toFixed(2)})`).join('; ')}.`,
    row,
    'possible',
  );
  return true;
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

export const rivals = onIncident(async (desk, row) => {
  const isUpstream = await tellCauseUpstream(desk, row);
  if (!tellRivals(desk, row, 3) && !isUpstream)
    desk.say('No alternative root cause scored: no other event came early enough and upstream of the others.', row);
  await tellCause(desk, row);
  const { own } = await changesBefore(desk, row);
  if (own.length === 0) desk.say('No change was recorded on the affected CIs in the 24 hours before.', row);
});

export const sure = onIncident(async (desk, row) => {
  const { cause, verdict } = row;
  if (verdict === null && cause !== null) {
    const level =
      cause.confidence >= 0.75 ? 'Fairly' : cause.confidence >= desk.asking.abstainBelow ? 'Not fully' : 'No';
    desk.say(`${level}: ${percent(cause.confidence)} confidence that ${titled(cause)} began it.`, [
      row,
      desk.ref(row, 1),
    ]);
  } else await tellCause(desk, row);
  const after = row.members.filter(({ from }) => cause !== null && Date.parse(from) > Date.parse(cause.at)).length;
  if (cause !== null)
    desk.say(
      `For it: ${after} of the other ${counted(Math.max(0, row.members.length - 1), 'event')} came after it.`,
      row,
    );
  const isDoubted = await tellUpstream(desk, row);
  if (!tellRivals(desk, row, 2) && !isDoubted) desk.say('Against it: no other candidate scored.', row);
  desk.confidence = cause?.confidence ?? 0;
});

export const first = onIncident(async (desk, row) => {
  const [earliest] = row.members.toSorted((a, b) => a.from.localeCompare(b.from));
  if (earliest !== undefined) desk.say(`First: ${titled(earliest)}, ${desk.clock.ago(earliest.from)}.`, row);
  tellEffects(desk, row);
  // A time range may have several incidents, each with a first event.
  if (desk.reading.time !== null && desk.reading.things.length === 0) {
    const { all } = await fittingIncidents(desk);
    const others = all.filter((one) => one.id !== row.id && isSevere(one));
    for (const one of others.toSorted((a, b) => a.from.localeCompare(b.from)).slice(0, 3))
      desk.say(`Another incident began with ${headline(one)}, ${desk.clock.ago(one.from)}.`, one);
  }
});

/** Since when a thing has its problem, or how long it had it; then the incident around it. */
export async function duration(desk: Desk): Promise<void> {
  const { ids, things: named, shape } = desk.reading;
  const { incident, subject } = desk.memory;
  const isOfMemory = incident !== undefined && subject === undefined && desk.reading.time === null;
  const things = desk.reading.things.length === 0 && isOfMemory ? [] : subjectsOf(await meantThings(desk));
  const [thing] = things;
  const isOfGroup = OF_GROUP.test(shape) && named.length > 0;
  if (ids.length === 0 && thing !== undefined && thing.cis.length > 0 && !isOfGroup) return tellSince(desk, thing);
  return spanOfIncident(desk);
}

const spanOfIncident = onIncident(async (desk, row) => {
  const { clock, reading } = desk;
  const of = spokenOf(row, reading.topic);
  const { from, to } = of ?? row;
  const name = of === undefined ? headline(row) : titled(of);
  const { text: over, open } = of === undefined ? await leftoverOf(desk, row) : { text: '', open: [] };
  const span = to === null ? '' : durationText(Date.parse(to) - Date.parse(from));
  if (to === null && over !== '') desk.say(`${name}: began ${clock.ago(from)}, ${over}.`, [row, ...open.slice(0, 3)]);
  else if (to === null) desk.say(`${name}: since ${clock.ago(from)}, still open.`, row);
  else if (/^when\b/.test(reading.shape))
    desk.say(`${capital(clock.time(from))}: ${name}, until ${clock.time(to)} (${span}).`, row);
  else desk.say(`${span}: ${name} lasted from ${clock.time(from)} to ${clock.time(to)}.`, row);
  if (of !== undefined && row.events > 1) {
    if (row.to === null) desk.say(`The whole incident is open since ${clock.ago(row.from)}.`, row);
    else desk.say(`The whole incident lasted ${clock.span(row.from, row.to)}.`, row);
  }
});
export const fixed = onIncident(
  async (desk, row) => {
    const notes = resolutionsOf(row);
    for (const { resolution, resolvedBy, to, place } of notes.slice(0, 3))
      desk.say(
        `${quoted(resolution ?? '')}${onPlace(place)}${resolvedBy === null ? '' : `, by ${resolvedBy}`}${to === null ? '' : `, resolved ${desk.clock.ago(to)}`}.`,
        row,
      );
    tellNotes(desk, row, 3);
    const { text: over } = await leftoverOf(desk, row);
    if (row.to === null)
      desk.say(`It isn't fixed: ${headline(row)} is ${over || `open since ${desk.clock.ago(row.from)}`}.`, row);
    else if (notes.length + row.notes.length === 0)
      desk.say(`Not known: ${headline(row)} ended ${desk.clock.ago(row.to)} without a resolution note.`, row);
    else desk.say(`It was about ${headline(row)}, ${desk.clock.span(row.from, row.to)}.`, row);
    if (row.to === null || notes.length === 0) await tellPast(desk, row, 1);
  },
  { isPast: true },
);

/** Occurrences of the root cause before the incident. */
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
    desk.say(`Earlier: ${titled(one)}, ${desk.clock.ago(one.from)}, ${ended}, ${note}.`, one);
  }
  return earlier.length > 0;
}

/** `how often did it fail today`: events of the things by complaint. */
async function tellTimes(desk: Desk): Promise<boolean> {
  const things = subjectsOf(await meantThings(desk));
  const [thing] = things;
  const ci = idsOf(things).slice(0, 1_000);
  if (!/\bhow (?:often|many times)\b/.test(desk.reading.lower) || thing === undefined || ci.length === 0) return false;
  const { time_range, when } = desk.within(USUAL_DAYS);
  const looked = await desk.look(events, { ci, time_range });
  const kinds = folded(looked.rows.filter(({ isChange }) => !isChange)).toSorted((a, b) => b.length - a.length);
  const many = kinds.reduce((sum, same) => sum + same.length, 0);
  const all = kinds.slice(0, 6).map((same) => `${quoted(same[0]?.title ?? '')} ${same.length}`);
  desk.rememberThing(thing);
  desk.say(
    `${counted(many, 'event')} on ${thing.name} ${when}${all.length === 0 ? '' : `: ${all.join(', ')}`}.`,
    looked,
  );
  return true;
}

export async function history(desk: Desk): Promise<void> {
  if (!(await tellTimes(desk))) await tellHistory(desk);
}

/** A yes or a no to an incident with events on a thing, or that affects a service. */
export async function involved(desk: Desk): Promise<void> {
  const { memory, reading } = desk;
  const isOfTalk =
    memory.incident !== undefined &&
    ((reading.topic.length === 0 && subjectsOf(reading.things).length < 2) ||
      /\b(?:it|this|that)\b/.test(reading.shape));
  // `did the incident of a hit b`, `was b hit by the incident of a`.
  const subjects = subjectsOf(reading.things);
  const thing = /^did\b/.test(reading.shape) ? subjects.at(-1) : subjects[0];
  const things = subjects.filter((one) => one !== thing);
  const isNamed = reading.topic.length + things.length > 0;
  const found = isOfTalk || !isNamed ? [] : (await fittingIncidents(desk, { things })).all;
  const id = isOfTalk ? memory.incident : found[0]?.id;
  const row = id === undefined ? await meantIncident(desk) : await inFull(desk, id);
  if (row === null || thing === undefined) return tellNone(desk);
  const ids = new Set(idsOf([thing]));
  const own = row.members.filter(({ ciId, place }) => ids.has(ciId ?? '') || place === thing.name);
  const isHit = own.length > 0 || row.services.some(({ id }) => id === thing.id);
  const of = `${headline(row)}, ${desk.clock.ago(row.from)}`;
  desk.remember({ incident: row.id });
  if (!isHit) return desk.say(`No: no event of ${thing.name} is in the incident that began with ${of}.`, row);
  desk.say(`Yes: ${thing.name} is affected by the incident that began with ${of}.`, row);
  for (const one of own.slice(0, 4))
    desk.say(`${titled(one)}, ${desk.clock.ago(one.from)}${one.to === null ? ', open' : ''}.`, row);
}

const tellHistory = onIncident(async (desk, row) => {
  const { looked: found, earlier } = await earlierOf(desk, row);
  const begin = await dataBegin(desk);
  const range = begin === null ? '' : ` since ${begin.text}, when data begin`;
  const same = earlier.filter(({ isSameCi }) => isSameCi).length;
  const no = /\bagain\b/.test(desk.reading.shape) ? 'Not as far as data go' : 'No';
  if (earlier.length === 0) desk.say(`${no}: ${headline(row)} was never seen before${range}.`, [found, row]);
  else {
    const where = row.cause?.place == null ? '' : `, ${same} of them${onPlace(row.cause.place)}`;
    desk.say(`Yes: ${counted(earlier.length, 'earlier occurrence')} of ${headline(row)}${range}${where}.`, [
      found,
      row,
    ]);
    await tellPast(desk, row, 3);
  }
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
  if (isOfRunbook) await tellRunbookRules(desk);
  const row = isGeneral ? await startingPoint(desk) : await meantIncident(desk);
  if (row === null) return isOfRunbook ? undefined : tellNone(desk);
  remembered(desk, row);
  await adviseOn(desk, row);
  if (isGeneral) await tellTaken(desk, row.id);
}

async function adviseOn(desk: Desk, row: FullIncidentRow): Promise<void> {
  const { open } = await leftoverOf(desk, row);
  const [left] = open;
  const cause = namedCause(desk, row);
  const refs = [row, desk.ref(row, 1)];
  const age = desk.clock.ago(cause?.at ?? row.from);
  const care = row.to === null ? careText(row) : '';
  if (left !== undefined) {
    const what = `${left.place ?? 'what is open'}: ${quoted(left.title)}`;
    desk.say(`Start with ${what}, open since ${desk.clock.ago(left.from)}${care}.`, [row, left], 'likely');
    if (open.length > 1) desk.say(`Open beside it: ${namedOpen(open.slice(1))}.`, [row, ...open.slice(1)]);
    desk.say(`The root cause, ${headline(row)}, is over since ${desk.clock.time(row.causeOver ?? row.from)}.`, refs);
  } else if (cause === null)
    desk.say(`Start with the oldest event: ${headline(row)}, ${age}${care}. No root cause is identified yet.`, refs);
  else
    desk.say(`Start with ${cause.place ?? 'the root cause'}: ${quoted(cause.title)}, ${age}${care}.`, refs, 'likely');
  if (row.to !== null) desk.say(`It is over since ${desk.clock.ago(row.to)}.`, row);
  if (left === undefined) await tellUpstream(desk, row);
  tellNotes(desk, row, 2);
  const runbooks = await runbooksOf(desk, left?.ciId ?? row.cause?.ci?.id);
  for (const one of runbooks) desk.say(`Runbook of ${one.name}: ${one.url}`, refs);
  const isKnown = await tellPast(desk, row, 2, left?.eventId);
  if (!isKnown && runbooks.length === 0)
    desk.say('No runbook and no earlier resolution note exist for this problem, so no specific advice is known.', refs);
  const others =
    left === undefined
      ? effectsOf(row)
          .flat()
          .filter(({ to }) => to === null)
      : [];
  if (others.length > 0)
    desk.say(
      `These would recover with it; check them afterwards: ${listed(others.flatMap(({ place }) => place ?? []))}.`,
      refs,
      'possible',
    );
  const { own } = await changesBefore(desk, row, 2 * 3_600_000);
  if (own[0] !== undefined)
    desk.say(`Consider undoing ${titled(own[0])}, made ${desk.clock.ago(own[0].at)}.`, refs, 'possible');
}

/** Runbooks of the settings with a word of the question. */
async function tellRunbookRules(desk: Desk): Promise<void> {
  const { asking, reading } = desk;
  const { runbooks } = await aiSettings(asking.ports.records, asking.tenant);
  const row = await contextOf(desk);
  const fitting = runbooks.filter(
    (rule) => speaksOf(Object.values(rule).join(' ').replaceAll('_', ' '), reading.topic) > 0,
  );
  for (const { url, text } of fitting.slice(0, 3))
    desk.say(`Runbook: ${url}${text === undefined ? '' : `, ${quoted(text)}`}.`, row);
  if (fitting.length === 0 && reading.topic.length > 0)
    desk.say(`No runbook of the settings mentions ${quoted(reading.topic.join(' '))}.`, row);
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
async function suspected(
  desk: Desk,
): Promise<{ readonly suspect?: Thing | undefined; readonly meant: FullIncidentRow | null }> {
  const { reading, memory } = desk;
  const [subject, other] = reading.things;
  if (subject !== undefined && other !== undefined && OF_CULPRIT.test(reading.shape))
    return { suspect: subject, meant: (await begunOn(desk, other, subject)) ?? (await fitted(desk, [other])) };
  if (subject !== undefined && other !== undefined && OF_TWO.test(reading.shape))
    return { suspect: other, meant: (await begunOn(desk, subject, other)) ?? (await fitted(desk, [subject])) };
  if (OF_CHANGE.test(reading.lower)) return { meant: (await afterChange(desk)) ?? (await meantIncident(desk)) };
  const said = reading.shape.match(OF_SUSPECT);
  if (said === null) return { meant: await meantIncident(desk) };
  // `billing is slow, is it the san`: the problem is that of the one before.
  const until = reading.shape.slice(0, (said.index ?? 0) + said[0].length);
  const last = reading.things[until.split('§').length - 2];
  if (subject !== undefined && last !== undefined && last !== subject)
    return { suspect: last, meant: await fitted(desk, [subject]) };
  const isOfTalk = memory.incident !== undefined && reading.time === null;
  return { suspect: subject, meant: isOfTalk ? await inFull(desk, memory.incident ?? '') : await fitted(desk, []) };
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
  const [victim] = row.members.filter(({ eventId }) => eventId !== change?.eventId);
  if (change === null)
    desk.say(
      `Probably not: no change was recorded on the affected CIs in the 2 hours before ${headline(row)}.`,
      refs,
      'likely',
    );
  else {
    const what = change.eventId === row.cause?.eventId && victim !== undefined ? titled(victim) : headline(row);
    desk.say(`Yes, probably: ${what} began after ${quoted(change.title)}.`, row, 'likely');
    desk.findings.lead();
  }
  tellState(desk, row);
  tellResolutions(desk, row);
}

/** `did one of them break something`, behind a list of changes or of changes without a name. */
function isOfChanges({ reading, memory }: Desk): boolean {
  const { things, ids, topic, lower, pointsBack } = reading;
  if (OF_OUTCOME.test(lower)) return true;
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
  if (reading.things.length === 1 && OF_ANYTHING.test(reading.shape)) return blameAnything(desk);
  const { suspect, meant: row } = await suspected(desk);
  if (row === null) return tellNone(desk);
  remembered(desk, row);
  if (OF_CHANGE.test(reading.lower)) return blameChange(desk, row);
  const refs = [row, desk.ref(row, 1)];
  const cause = namedCause(desk, row);
  const isSuspect = (id: string | null | undefined): boolean => suspect?.cis.some((ci) => ci.id === id) ?? false;
  const members = row.members.filter(({ ciId, place }) =>
    suspect === undefined ? reading.topic.length > 0 && speaksOf(place ?? '', reading.topic) > 0 : isSuspect(ciId),
  );
  const name = suspect?.name ?? (reading.topic.join(' ') || 'it');
  const began = cause === null ? '' : `it probably began with ${titled(cause)}`;
  const isNamedSo =
    suspect?.kind === 'type' && speaksOf(cause?.place ?? '', [suspect.said.replace(/^databases?$/i, 'db')]) > 0;
  if (cause !== null && (isSuspect(cause.ci?.id) || isNamedSo))
    desk.say(`Yes, probably: it began with ${titled(cause)}, ${desk.clock.ago(cause.at)}.`, refs, 'likely');
  else if (members.length > 0)
    desk.say(
      `Only as a victim: ${listed(members.map(titled))} ${members.length === 1 ? 'is' : 'are'} part of it${began && `, but ${began}`}.`,
      refs,
      'likely',
    );
  else if ((await downAbove(desk, row)).some(({ ciId }) => isSuspect(ciId)))
    desk.say(
      `Possibly: no event of the incident is on ${name}, but it is needed, and has an open event.`,
      refs,
      'possible',
    );
  else if (suspect === undefined || suspect.cis.length === 0)
    desk.say(
      `Not known: no system that was looked at is ${name === 'it' ? 'named' : quoted(name)}${began && `; ${began}`}.`,
      refs,
    );
  else if (!(await tellSuspect(desk, row, suspect))) await tellExcluded(desk, row, suspect, began);
  if (/\bagain\b/.test(reading.shape)) await tellPast(desk, row, 1);
  await tellCause(desk, row);
  tellState(desk, row);
  await tellUpstream(desk, row);
  tellEffects(desk, row, 4);
}
/** A suspect without a sign: excluded, unless another incident of the time is on it. */
async function tellExcluded(desk: Desk, row: FullIncidentRow, suspect: Thing, began: string): Promise<void> {
  const [from, to] = [Date.parse(row.from), row.to === null ? desk.asking.receivedAt : Date.parse(row.to)];
  const ids = idsOf([suspect]).slice(0, 1_000);
  const looked = await desk.look(events, { ci: ids, time_range: isoRange({ from: from - 2 * 3_600_000, to }) });
  const own = new Set(ids);
  const [other] = looked.rows.filter(
    (one) => own.has(one.ciId ?? '') && !one.isChange && one.groupId !== null && one.groupId !== row.id,
  );
  const no = `no event of the incident is on ${suspect.name}${began && `; ${began}`}`;
  if (other === undefined) return desk.say(`Probably not: ${no}.`, [row, desk.ref(row, 1), looked], 'likely');
  desk.say(`Not known: ${no}. ${suspect.name} is in another incident of that time.`, [row, other], 'possible');
  desk.say(`${titled(other)} began ${desk.clock.ago(other.from)}.`, other);
}

/** A suspect outside the incident: its events of the time, and the way to it. False: nothing speaks for it. */
async function tellSuspect(desk: Desk, row: FullIncidentRow, suspect: Thing): Promise<boolean> {
  const { cause } = row;
  const [from] = cause?.ci == null ? [] : [cause.ci];
  if (cause === null || from === undefined) return false;
  const around = await upstreamAround(desk, cause, new Set(idsOf([suspect])));
  const [one] = around;
  const ends = one?.ciId == null ? suspect.cis.slice(0, 6).map(({ id }) => id) : [one.ciId];
  const ways = await Promise.all(ends.map((to) => desk.find(path, { from: from.id, to })));
  const way = ways.find((found) => found?.dependent === from.id) ?? null;
  if (one === undefined && way === null) return false;
  const on = way === null ? null : way.nodes.map(({ name }) => name).join(' → ');
  const depends = on === null ? `no dependency of ${from.name} on it is known` : `${from.name} depends on it: ${on}`;
  if (one === undefined)
    desk.say(
      `Nothing points to ${suspect.name}: no event is on it in the 30 minutes before ${headline(row)}, but ${depends}.`,
      [row, way],
      'possible',
    );
  else
    desk.say(
      `${way === null ? 'Not proven, but near in time' : 'Likely, not proven, but the timing fits'}: ${titled(one)} began ${aheadOf(one.from, cause.at)}${one.to === null ? '' : ` and ended ${desk.clock.time(one.to)}`}; ${depends}.`,
      [one, way],
      way === null ? 'possible' : 'likely',
    );
  return true;
}
/** The open incident of the subject that began with the suspect. */
async function begunOn(desk: Desk, subject: Thing, { cis }: Thing): Promise<FullIncidentRow | null> {
  const { all } = await fittingIncidents(desk, { things: [subject], topic: [] });
  const found = all.find(({ to, cause }) => to === null && cis.some(({ id }) => id === cause?.ci?.id));
  return found === undefined ? null : inFull(desk, found.id);
}
async function fitted(desk: Desk, things: readonly Thing[]): Promise<FullIncidentRow | null> {
  const { all } = await fittingIncidents(desk, { things, topic: [] });
  const best = all.find(({ to }) => to === null) ?? all[0];
  return best === undefined ? null : inFull(desk, best.id);
}

export const back = onIncident(
  async (desk, row) => {
    const { text: over } = await leftoverOf(desk, row);
    if (row.to !== null) desk.say(`It is over: ${headline(row)} lasted ${desk.clock.span(row.from, row.to)}.`, row);
    else
      desk.say(
        `Not known: nothing forecasts a recovery. ${headline(row)} is open since ${desk.clock.ago(row.from)}.`,
        row,
      );
    if (over !== '') desk.say(`Its root cause is ${over}.`, row);
    tellState(desk, row);
    if (row.to === null) await tellPast(desk, row, 2);
  },
  {
    none: async (desk) =>
      desk.say('Not known: no open incident is about it, and nothing forecasts a recovery.', await contextOf(desk)),
  },
);

const WROTE =
  /\b(?:wr[io]te|written|notes?|noted|sa(?:y|id)|decid\w*|verdict|confirmed|judged|worked|touched|handled|did what)\b/;

export async function who(desk: Desk): Promise<void> {
  const { lower } = desk.reading;
  if (/\bon[- ](?:call|duty|shift)\b/.test(lower))
    return desk.say(
      'Not known: there is no on-call schedule here; groups have assignees and teams.',
      await contextOf(desk),
    );
  const isOfChange = desk.memory.intent === 'changes' && /\b(?:it|this|that|them|those)\b/.test(lower);
  if (isOfChange || /deploy|releas|ship|push|chang|patch|roll/.test(lower)) return whoChanged(desk);
  if (WROTE.test(lower)) return notes(desk);
  if (OWNING.test(lower) && (await tellOwners(desk))) return;
  return whoCares(desk);
}

const OWNING =
  /\blooks? after\b|\b(?:owns?|owners?|owned|teams?|call|contact|responsible|ask|talk to|escalate|page|ping|ring|phone|reach|bother|wake|speak to|runs?|maintains?)\b/;
const OWNER_FIELDS = /owner|team|department|contact|responsible|phone|email/i;

/** Owners by fields of the CIs that are named or spoken of, then who has their open incident. False: no CI is meant. */
async function tellOwners(desk: Desk): Promise<boolean> {
  const { things: named, shape, topic } = desk.reading;
  if (
    /\b(?:incidents?|problems?|issues?|alerts?|outages?|tickets?)\b/.test(shape) ||
    (named.length === 0 && topic.length > 0)
  )
    return false;
  const [thing] = subjectsOf(await meantThings(desk));
  if (thing === undefined || thing.cis.length === 0 || thing.cis.length > 20) return false;
  desk.rememberThing(thing, { incident: undefined });
  const texts: string[] = [];
  const rows = [];
  for (const { id } of thing.cis) {
    const row = await desk.find(ciDetails, { ci: id });
    const found = Object.entries(row?.attributes ?? {}).filter(([name]) => OWNER_FIELDS.test(name));
    if (row === null || found.length === 0) continue;
    rows.push(row);
    texts.push(`${row.name}: ${found.map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`).join(', ')}`);
  }
  const what = thing.kind === 'service' ? `${thing.name} has no owner of its own here; its components: ` : '';
  if (texts.length > 0) desk.say(`${what}${texts.join('; ')}.`, rows.slice(0, 5));
  else desk.say(`No owner or team is recorded for ${thing.name}.`, await contextOf(desk));
  const looked = await desk.look(incidents, thing.cis.length === 1 ? { ci: thing.cis[0]?.id } : {});
  const ids = new Set(idsOf([thing]));
  const [open] = looked.rows.filter(({ activeCis }) => activeCis.some((id) => ids.has(id)));
  if (open === undefined) return true;
  desk.remember({ incident: open.id });
  desk.say(
    `Its open incident, ${headline(open)}, is ${open.assignee === null ? 'unassigned' : `assigned to ${open.assignee}`}${open.acknowledgedBy === null ? '' : `, acknowledged by ${open.acknowledgedBy}`}.`,
    open,
  );
  return true;
}

const whoCares = onIncident(async (desk, row) => {
  const { lower } = desk.reading;
  const { acknowledgedBy, assignee } = row;
  const resolved = row.members.flatMap(({ resolvedBy }) => resolvedBy ?? []);
  const isOfAck = /\back(?!s)/.test(lower);
  const state = row.to === null ? `open since ${desk.clock.ago(row.from)}` : `resolved since ${desk.clock.ago(row.to)}`;
  const { person } = desk.reading.care;
  if (/resolv|fix|clos|solv/.test(lower)) {
    const looked = await desk.look(whoActed, { group: row.id, kind: ['status'] });
    const closed = looked.rows.filter(({ text }) => /resolved?\b|clos/i.test(text));
    const people = [...resolved, ...closed.map(({ by }) => by)];
    if (person !== null && !people.includes(person))
      desk.say(`Not by ${person}, as far as is recorded.`, [row, looked]);
    const ended = row.to === null ? '' : `, ${desk.clock.ago(row.to)}`;
    if (resolved.length > 0) desk.say(`Resolved by ${listed(resolved)}: ${headline(row)}.`, row);
    else if (row.to !== null) desk.say(`Resolved by its source: ${headline(row)}${ended}.`, row);
    else desk.say(`Not resolved: ${headline(row)} is ${(await leftoverOf(desk, row)).text || 'open'}.`, row);
    for (const { by, at, text } of closed.slice(0, 3))
      desk.say(`${by}, ${desk.clock.ago(at)}: ${quoted(text)}.`, looked);
  } else if (isOfAck && acknowledgedBy === null) return notes(desk);
  else if (isOfAck) desk.say(`Acknowledged by ${acknowledgedBy}: ${headline(row)}.`, row);
  else if (assignee === null) desk.say(`Unassigned: ${headline(row)}, ${state}.`, row);
  else desk.say(`${assignee}: ${headline(row)} is assigned to them.`, row);
  if (acknowledgedBy !== null && !isOfAck) desk.say(`Acknowledged by ${acknowledgedBy}.`, row);
  if (row.to !== null) tellResolutions(desk, row);
  tellNotes(desk, row, 2);
});

async function whoChanged(desk: Desk): Promise<void> {
  const { topic, pointsBack } = desk.reading;
  const things = pointsBack ? await meantThings(desk) : desk.reading.things;
  const [only] = things.length === 1 && things[0]?.kind === 'ci' ? idsOf(things) : [];
  const looked = await desk.look(changes, {
    ...(only !== undefined && { ci: only }),
    time_range: desk.within(30).time_range,
  });
  const ids = new Set(idsOf(things));
  const isOfDeploys = OF_DEPLOYS.test(desk.reading.lower);
  const rows = looked.rows.filter(({ eventId }) => eventId !== null || !isOfDeploys);
  const own = rows.filter(
    ({ ciId, title }) => (ciId !== null && ids.has(ciId)) || (topic.length > 0 && speaksOf(title, topic) > 0),
  );
  const isNarrow = things.length + topic.length > 0;
  const found = isNarrow ? own : rows.toSorted((a, b) => Number(a.by === null) - Number(b.by === null));
  if (found.length === 0) return desk.say(`Not known: no change is recorded${subjectText(desk)}.`, looked);
  const [newest] = found;
  desk.told = 'changes';
  if (things[0] !== undefined) desk.rememberThing(things[0]);
  desk.remember({ incident: newest?.eventId ?? undefined, list: newest?.place == null ? [] : [newest.place] });
  for (const row of found.slice(0, isNarrow ? 1 : LISTED_SHORT)) {
    const by = row.by === null ? 'No user is recorded for it' : `By ${row.by}`;
    const source = row.source === null ? '' : `, reported by source ${row.source}`;
    desk.say(`${by}: ${titled(row)}, ${desk.clock.ago(row.at)}${source}.`, row);
  }
}

const LISTED = 8;
const LISTED_SHORT = 3;
const STILL_ON = /\b(?:still|ongoing|open|unresolved|active|not (?:yet )?(?:over|resolved|fixed))\b/;
/** Incidents now or of a time range, most important first, with root cause and services. */
export async function summary(desk: Desk): Promise<void> {
  const { reading } = desk;
  const fits = await fittingIncidents(desk);
  // Unknown words must not hide the incidents.
  const { looked, all, when } =
    fits.all.length > 0 || reading.things.length > 0 ? fits : await fittingIncidents(desk, { topic: [] });
  const isOfOpen = STILL_ON.test(reading.lower) && reading.time !== null;
  const { severities } = reading;
  const isAsked = (one: ToolIncidentRow['severity']): boolean =>
    severities.length === 0 ? one !== 'info' : one !== null && severities.includes(one);
  const shown = all.filter(({ severity, to }) => isAsked(severity) && (!isOfOpen || to === null));
  const heavy = shown.filter(isSevere);
  const [, top = ''] = reading.lower.match(/\btop (\w+)/) ?? [];
  const isShort = /\b(?:short|brief|quick|one[- ]line)\b/.test(reading.lower);
  const most = numberNamed(top) ?? (isShort ? LISTED_SHORT : LISTED);
  const isWorst = /\b(?:worst|biggest|most (?:urgent|serious|severe|critical|important)|main) \b/.test(reading.lower);
  const { nth } = reading;
  const told = (heavy.length >= 2 ? heavy : shown).slice(nth - 1, nth - 1 + most);
  const [best] = told;
  if (best === undefined && isOfOpen)
    return desk.say(`No: none of ${counted(all.length, 'incident')} ${when} is open.`, looked);
  if (best === undefined) return tellNone(desk);
  const open = shown.filter(({ to }) => to === null).length;
  const noun = isOfOpen ? 'open incident' : 'incident';
  const word = /^(?:is|are|any|do|does)\b/.test(reading.shape) && isOfOpen ? 'Yes: ' : '';
  const still = reading.time === null || isOfOpen ? '' : `, ${open} still open`;
  const order = nth === 1 ? 'the most important first' : `the ${ordinal(nth)} most important`;
  desk.say(`${word}${counted(shown.length, noun)} ${when}${still}; ${order}.`, looked);
  desk.remember({
    incident: best.id,
    subject: undefined,
    list: told.flatMap(({ cause }) => cause?.place ?? []),
    incidents: told.map(({ id }) => id),
    ...(best.cause?.ci && { current: best.cause.ci.id }),
  });
  for (const row of told.slice(0, isWorst || nth > 1 ? 1 : LISTED)) {
    await tellRow(desk, row);
    if (row === best && row.events > 1 && row.causeOver === null) await tellMembers(desk, row.id);
  }
  const rest = shown.length - told.length;
  if (rest > 0 && !isWorst && nth === 1)
    desk.say(
      `${counted(rest, 'further incident')} of lower weight: ${listed(shown.slice(told.length).map(({ cause }) => cause?.place ?? 'unbound events'))}.`,
      looked,
    );
  if (reading.time === null) await tellSick(desk);
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

/** Incidents whose root cause is not known well enough to be named. */
export async function uncaused(desk: Desk): Promise<void> {
  const { looked, when, rows: all } = await groupsOf(desk);
  const rows = all.filter((row) => namedCause(desk, row) === null);
  const verb = rows.length === 1 ? 'has' : 'have';
  desk.say(`${rows.length} of ${counted(all.length, 'group')} ${when} ${verb} no identified root cause.`, looked);
  await tellRows(desk, looked, rows);
}

/** Sizes by which incidents are ranked; a message without one means events. */
const SIZES: readonly (readonly [said: RegExp, size: (row: ToolIncidentRow, now: number) => number, noun: string])[] = [
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

/** `longest outage today`, `which incident had the second most events`. */
export async function ranked(desk: Desk): Promise<void> {
  const { reading, memory, asking } = desk;
  const { looked, when, rows: all } = await groupsOf(desk);
  const isOfTalk = reading.things.length === 0 && memory.intent === 'query' && memory.subject !== undefined;
  const ids = new Set(idsOf(isOfTalk ? await meantThings(desk) : reading.things));
  const fits = ({ severity, cis }: ToolIncidentRow): boolean =>
    (reading.severities.length === 0 || (severity !== null && reading.severities.includes(severity))) &&
    (ids.size === 0 || cis.some((id) => ids.has(id)));
  const [, size, noun] = SIZES.find(([said]) => said.test(reading.shape)) as (typeof SIZES)[number];
  const sign = LEAST.test(reading.shape) ? -1 : 1;
  const sizeOf = (row: ToolIncidentRow): number => size(row, asking.receivedAt);
  // Warnings are no outage.
  const severe = /\boutages?\b/.test(reading.shape) ? all.filter(isSevere) : [];
  const [beyond = '', many = '0', unit = ' '] = reading.lower.match(BEYOND) ?? [];
  const least = (Number(many.replace(/^an?$/, '1')) || 0) * (UNITS[unit.charAt(0)] ?? 1);
  const rows = (severe.length > 0 ? severe : all)
    .filter((row) => fits(row) && sizeOf(row) > least)
    .toSorted((a, b) => sign * (sizeOf(b) - sizeOf(a)));
  const best = rows[reading.nth - 1];
  if (best === undefined)
    return desk.say(
      `No ${nthOf(desk)}group of several events fits ${when}${beyond === '' ? '' : `, none has ${beyond}`}.`,
      looked,
    );
  const text = (row: ToolIncidentRow): string => (noun === '' ? durationText(sizeOf(row)) : counted(sizeOf(row), noun));
  const place = reading.nth === 1 ? '' : `, ${ordinal(reading.nth)}`;
  const isOfSubject = /^(?:is|was) (?:it|that|this)\b/.test(reading.shape) && memory.incident !== undefined;
  const word = !isOfSubject ? '' : memory.incident === best.id ? 'Yes: ' : 'No: ';
  const groups = `${counted(rows.length, 'group')} of several events${beyond === '' ? '' : `, ${beyond},`}`;
  desk.say(`${word}${text(best)}: ${headline(best)}. Of ${groups} ${when}${place}.`, [looked, best]);
  await tellRow(desk, best);
  const next = rows.slice(reading.nth, reading.nth + 3).map((row) => `${headline(row)}, ${text(row)}`);
  if (next.length > 0) desk.say(`Next: ${next.join('; ')}.`, looked);
  if (looked.total > looked.rows.length) desk.say(`Only ${looked.rows.length} of ${looked.total} were read.`, looked);
  desk.remember({
    incident: best.id,
    subject: undefined,
    list: rows.slice(0, LISTED).flatMap(({ cause }) => cause?.place ?? []),
    incidents: rows.slice(0, LISTED).map(({ id }) => id),
  });
}
const nthOf = ({ reading: { nth } }: Desk): string => (nth === 1 ? '' : `${ordinal(nth)} `);
const USUAL_DAYS = 7;

async function tellMembers(desk: Desk, id: string): Promise<void> {
  const row = await inFull(desk, id);
  if (row === null) return;
  const texts = effectsOf(row)
    .slice(0, 4)
    .map((same) => titled({ title: same[0]?.title ?? '', place: placesOf(same) }));
  if (texts.length > 0) desk.say(`Followed by ${texts.join('; ')}.`, row);
}

async function tellSick(desk: Desk): Promise<void> {
  if (!desk.asking.caller.permissions.has('services.read')) return;
  const looked = await desk.look(services, {});
  const sick = looked.rows.filter(isSick);
  if (sick.length > 0)
    desk.say(
      `${counted(sick.length, 'service')} not healthy: ${listed(sick.map(({ name, status }) => `${name} (${status})`))}.`,
      looked,
    );
}
