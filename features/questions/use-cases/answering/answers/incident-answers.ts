import { durationText, percent } from '#domain/numbers.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { context, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { changes, events, past } from '#features/questions/use-cases/tools/kinds/events.ts';
import type { FullIncidentRow, ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, type LookUp, listed, onPlace, quoted } from '../desk.ts';
import { fittingIncidents, inFull, meantIncident, speaksOf } from '../meant-incident.ts';
import { meantThings, subjectsOf } from '../meant-things.ts';
import { isBeforeData, tellDataBegin } from '../tell-data.ts';
import {
  changesBefore,
  complaintsOf,
  downAbove,
  downOf,
  headline,
  namedCause,
  resolutionsOf,
  tellCause,
  tellDown,
  tellEffects,
  tellRow,
  tellServices,
  tellState,
  tellSuspectChange,
  tellUpstream,
  titled,
} from '../tell-incident.ts';
import type { Thing } from '../things.ts';
import { notes } from './care-answers.ts';
import { tellSince } from './time-answers.ts';

type Full = { readonly looked: LookUp<FullIncidentRow>; readonly row: FullIncidentRow };

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
  const { rows } = await desk.look(context, {});
  const since = rows[0]?.dataSince;
  const of = looked.total === 0 ? 'there are no incidents' : `none of ${counted(looked.total, 'incident')} fits`;
  const data = since == null || desk.reading.time !== null ? '' : `; data begin ${desk.clock.time(since)}`;
  desk.say(`No incident found${subjectText(desk)} ${when}: ${of}${data}.`, [desk.whole(looked)]);
  await tellDataBegin(desk);
}

async function remembered(desk: Desk, { row }: Full): Promise<void> {
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
  const heavy = all.filter(({ row }) => row.severity === 'critical' || row.severity === 'major').slice(0, 5);
  const [best] = heavy;
  if (best === undefined) {
    desk.isAbstained = true;
    return tellNone(desk);
  }
  desk.remember({ incident: best.row.id });
  desk.confidence = best.row.cause?.confidence ?? 0;
  if (heavy.length > 1) desk.say(`${counted(heavy.length, 'incident')} ${when}:`, [desk.whole(looked)]);
  for (const { row } of heavy) {
    tellCause(desk, looked, row);
    const full = heavy.length <= 3 ? await inFull(desk, row.id) : null;
    if (full !== null) await tellSuspectChange(desk, full.row);
  }
}

/** An earlier incident of healthy CIs is no current one. */
async function tellNotNow(desk: Desk): Promise<void> {
  const { things, time, ids } = desk.reading;
  const isOfCis = things.length > 0 && things.every(({ kind }) => kind === 'ci');
  if (!isOfCis || time !== null || ids.length > 0) return;
  const looked = await desk.look(events, { ci: things.flatMap(({ cis }) => cis.map(({ id }) => id)) });
  if (looked.rows.length > 0) return;
  desk.say(`No event is open on ${listed(things.map(({ name }) => name))} now.`, [desk.whole(looked)]);
  for (const { cis, name } of things.slice(0, 2))
    for (const { id } of cis) await tellDown(desk, name, await downOf(desk, id, null));
}

/** Root cause, effects, and changes before it. */
export async function why(desk: Desk): Promise<void> {
  const { things, topic, time, ids } = desk.reading;
  if (time !== null && things.length + topic.length + ids.length === 0 && desk.asking.current === null)
    return causesOfTime(desk);
  const meant = await meantIncident(desk);
  if (meant === null) {
    desk.isAbstained = true;
    await tellNone(desk);
    return;
  }
  const { looked, row } = meant;
  await remembered(desk, meant);
  await tellNotNow(desk);
  const isNamed = tellCause(desk, looked, row);
  desk.isAbstained = !isNamed;
  desk.confidence = row.cause?.confidence ?? 0;
  await tellUpstream(desk, looked, row);
  await tellSuspectChange(desk, row);
  tellState(desk, looked, row);
  tellEffects(desk, looked, row, 6);
  tellServices(desk, looked, row);
  const resolutions = resolutionsOf(row);
  for (const one of resolutions.slice(0, 2))
    desk.say(`Resolution note${onPlace(one.place)}: ${quoted(one.resolution ?? '')}.`, [desk.ref(looked, row)]);
  if (row.rivals.length > 0 && isNamed) tellRivals(desk, meant, 2);
}

function tellRivals(desk: Desk, { looked, row }: Full, most: number): boolean {
  const others = row.rivals.filter(({ eventId }) => eventId !== row.cause?.eventId).slice(0, most);
  if (others.length === 0) return false;
  desk.say(
    `Less likely: ${others.map((one) => `${titled(one)} (score ${one.confidence.toFixed(2)})`).join('; ')}.`,
    [desk.ref(looked, row)],
    'possible',
  );
  return true;
}

type MeantOptions = Parameters<typeof meantIncident>[1];

/** An answer about the meant incident, which the conversation remembers. */
const onIncident =
  (tell: (desk: Desk, meant: Full) => Promise<void>, options?: MeantOptions) =>
  async (desk: Desk): Promise<void> => {
    const meant = await meantIncident(desk, options);
    if (meant === null) return tellNone(desk);
    await remembered(desk, meant);
    return tell(desk, meant);
  };

export const rivals = onIncident(async (desk, meant) => {
  const { looked, row } = meant;
  const has = tellRivals(desk, meant, 3);
  if (!has)
    desk.say('No alternative root cause scored: no other event came early enough and upstream of the others.', [
      desk.ref(looked, row),
    ]);
  tellCause(desk, looked, row);
  const { own } = await changesBefore(desk, row);
  if (own.length === 0)
    desk.say('No change was recorded on the affected CIs in the 24 hours before.', [desk.ref(looked, row)]);
});

export const sure = onIncident(async (desk, meant) => {
  const { looked, row } = meant;
  const { cause, verdict } = row;
  if (verdict === null && cause !== null) {
    const level =
      cause.confidence >= 0.75 ? 'Fairly' : cause.confidence >= desk.asking.abstainBelow ? 'Not fully' : 'No';
    desk.say(`${level}: ${percent(cause.confidence)} confidence that ${titled(cause)} began it.`, [
      desk.ref(looked, row),
      desk.ref(looked, row, 1),
    ]);
  } else tellCause(desk, looked, row);
  const after = row.members.filter(({ from }) => cause !== null && Date.parse(from) > Date.parse(cause.at)).length;
  if (cause !== null)
    desk.say(`For it: ${after} of the other ${counted(Math.max(0, row.members.length - 1), 'event')} came after it.`, [
      desk.ref(looked, row),
    ]);
  const isDoubted = await tellUpstream(desk, looked, row);
  if (!tellRivals(desk, meant, 2) && !isDoubted)
    desk.say('Against it: no other candidate scored.', [desk.ref(looked, row)]);
  desk.confidence = cause?.confidence ?? 0;
});

export const first = onIncident(async (desk, meant) => {
  const { looked, row } = meant;
  const [earliest] = row.members.toSorted((a, b) => a.from.localeCompare(b.from));
  if (earliest !== undefined)
    desk.say(`First: ${titled(earliest)}, ${desk.clock.ago(earliest.from)}.`, [desk.ref(looked, row)]);
  tellEffects(desk, looked, row);
  // A time range may have several incidents, each with a first event.
  if (desk.reading.time !== null && desk.reading.things.length === 0) {
    const { looked: list, all } = await fittingIncidents(desk);
    const others = all
      .map((one) => one.row)
      .filter(({ id, severity }) => id !== row.id && (severity === 'critical' || severity === 'major'));
    for (const one of others.toSorted((a, b) => a.from.localeCompare(b.from)).slice(0, 3))
      desk.say(`Another incident began with ${headline(one)}, ${desk.clock.ago(one.from)}.`, [desk.ref(list, one)]);
  }
});

/** Since when a thing has its problem, or how long it had it; then the incident around it. */
export async function duration(desk: Desk): Promise<void> {
  const { ids } = desk.reading;
  const { incident, subject } = desk.memory;
  const isOfMemory = incident !== undefined && subject === undefined && desk.reading.time === null;
  const things = desk.reading.things.length === 0 && isOfMemory ? [] : subjectsOf(await meantThings(desk));
  const [thing] = things;
  if (ids.length === 0 && thing !== undefined && thing.cis.length > 0) return tellSince(desk, thing);
  return spanOfIncident(desk);
}

const spanOfIncident = onIncident(async (desk, meant) => {
  const { looked, row } = meant;
  const refs = [desk.ref(looked, row)];
  const { topic } = desk.reading;
  const of = row.members.find(
    ({ title, place }) => topic.length > 0 && speaksOf(`${title} ${place ?? ''}`, topic) >= 0.5,
  );
  const [from, to] = of === undefined ? [row.from, row.to] : [of.from, of.to];
  const name = of === undefined ? headline(row) : titled(of);
  const over =
    of !== undefined || row.causeOver === null
      ? ''
      : `; its root cause is resolved since ${desk.clock.ago(row.causeOver)}`;
  if (to === null) desk.say(`${name}: since ${desk.clock.ago(from)}, still open${over}.`, refs);
  else
    desk.say(
      `${durationText(Date.parse(to) - Date.parse(from))}: ${name} lasted from ${desk.clock.time(from)} to ${desk.clock.time(to)}.`,
      refs,
    );
  if (of !== undefined && row.events > 1) {
    if (row.to === null) desk.say(`The whole incident is open since ${desk.clock.ago(row.from)}.`, refs);
    else desk.say(`The whole incident lasted ${desk.clock.span(row.from, row.to)}.`, refs);
  }
});

export const fixed = onIncident(
  async (desk, meant) => {
    const { looked, row } = meant;
    const refs = [desk.ref(looked, row)];
    const notes = resolutionsOf(row);
    for (const { resolution, resolvedBy, to, place } of notes.slice(0, 3))
      desk.say(
        `${quoted(resolution ?? '')}${onPlace(place)}${resolvedBy === null ? '' : `, by ${resolvedBy}`}${to === null ? '' : `, resolved ${desk.clock.ago(to)}`}.`,
        refs,
      );
    for (const { by, text, at } of row.notes.slice(-3))
      desk.say(`Note by ${by}, ${desk.clock.time(at)}: ${quoted(text)}.`, refs);
    if (row.to === null) desk.say(`It isn't fixed: ${headline(row)} is open since ${desk.clock.ago(row.from)}.`, refs);
    else if (notes.length + row.notes.length === 0)
      desk.say(`Not known: ${headline(row)} ended ${desk.clock.ago(row.to)} without a resolution note.`, refs);
    else desk.say(`It was about ${headline(row)}, ${desk.clock.span(row.from, row.to)}.`, refs);
    if (row.to === null || notes.length === 0) await tellPast(desk, meant, 1);
  },
  { isPast: true },
);

/** Earlier occurrences of the root cause; false: none. */
async function tellPast(desk: Desk, { row }: Full, most: number): Promise<boolean> {
  const eventId = row.cause?.eventId ?? row.members[0]?.eventId;
  if (eventId === undefined) return false;
  const looked = await desk.look(past, { event: eventId });
  const own = new Set(row.members.map((one) => one.eventId));
  const earlier = looked.rows.filter((one) => !own.has(one.eventId));
  for (const one of earlier.slice(0, most)) {
    const ended = one.to === null ? 'still open' : `lasted ${durationText(Date.parse(one.to) - Date.parse(one.from))}`;
    const note = one.resolution === null ? 'no resolution note' : `resolved: ${quoted(one.resolution)}`;
    desk.say(`Earlier: ${titled(one)}, ${desk.clock.ago(one.from)}, ${ended}, ${note}.`, [desk.ref(looked, one)]);
  }
  return earlier.length > 0;
}

export const history = onIncident(async (desk, meant) => {
  const { looked, row } = meant;
  const eventId = row.cause?.eventId ?? row.members[0]?.eventId ?? '';
  const found = await desk.look(past, { event: eventId });
  const own = new Set(row.members.map((one) => one.eventId));
  const earlier = found.rows.filter((one) => !own.has(one.eventId));
  const { rows } = await desk.look(context, {});
  const since = rows[0]?.dataSince;
  const range = since == null ? '' : ` since ${desk.clock.time(since)}, when data begin`;
  const same = earlier.filter(({ isSameCi }) => isSameCi).length;
  if (earlier.length === 0)
    desk.say(`No: ${headline(row)} was never seen before${range}.`, [desk.whole(found), desk.ref(looked, row)]);
  else {
    const where = row.cause?.place == null ? '' : `, ${same} of them${onPlace(row.cause.place)}`;
    desk.say(`Yes: ${counted(earlier.length, 'earlier occurrence')} of ${headline(row)}${range}${where}.`, [
      desk.whole(found),
      desk.ref(looked, row),
    ]);
    await tellPast(desk, meant, 3);
  }
});

/** Advice from notes and runbooks of the problem; otherwise places to look at. */
export const advice = onIncident(async (desk, meant) => {
  const { looked, row } = meant;
  const cause = namedCause(desk, row);
  const refs = [desk.ref(looked, row), desk.ref(looked, row, 1)];
  const age = desk.clock.ago(cause?.at ?? row.from);
  if (cause === null)
    desk.say(`Start with the oldest event: ${headline(row)}, ${age}. No root cause is identified yet.`, refs);
  else desk.say(`Start with ${cause.place ?? 'the root cause'}: ${quoted(cause.title)}, ${age}.`, refs, 'likely');
  await tellUpstream(desk, looked, row);
  const { runbooks } = await runbooksOf(desk, row);
  for (const one of runbooks) desk.say(`Runbook of ${one.name}: ${one.url}`, refs);
  const isKnown = await tellPast(desk, meant, 2);
  if (!isKnown && runbooks.length === 0)
    desk.say('No runbook and no earlier resolution note exist for this problem, so no specific advice is known.', refs);
  const others = complaintsOf(row).filter(
    ({ members }) => !members.some(({ eventId }) => eventId === row.cause?.eventId),
  );
  if (others.length > 0) {
    const places = listed(others.flatMap(({ members }) => members.flatMap(({ place }) => place ?? [])));
    desk.say(`These would recover with it; check them afterwards: ${places}.`, refs, 'possible');
  }
  const { own } = await changesBefore(desk, row, 2 * 3_600_000);
  if (own[0] !== undefined)
    desk.say(`Consider undoing ${titled(own[0])}, made ${desk.clock.ago(own[0].at)}.`, refs, 'possible');
});

async function runbooksOf({ asking }: Desk, row: ToolIncidentRow) {
  const id = row.cause?.ci?.id;
  const found = id === undefined ? [] : await asking.ports.topology.getCis(asking.tenant, [id]);
  const runbooks = found.flatMap(({ name, customFields: { runbook } }) =>
    typeof runbook === 'string' && runbook !== '' ? [{ name, url: runbook }] : [],
  );
  return { runbooks };
}

const OF_CHANGE = /\b(?:releas|deploy|change|patch|upgrade|rollout|update)/;
const OF_TWO = /§ .{0,30}\b(?:because of|caused by|due to) (?:the |a |an )?§/;
/** `did a cause the problem of b`. */
const OF_CULPRIT =
  /^(?:did|does|has|could|can|might|was|is) (?:the )?§ .{0,20}\b(?:caus\w*|break|broken?|behind|responsible|trigger\w*|blame|reason|cause)\b.*§/;
const OF_SUSPECT =
  /\b(?:it|this|that|there) (?:be |is |was |could be )?(?:maybe |perhaps |just |really )?(?:because of |due to |caused by )?(?:the |a |an |our )?§|^(?:did|could|can|might|was|is|does|has) (?:the |a |an |our )?§/;

/** The suspect is the object of the question, not the place of the incident: `is a down because of b`, `is it b`. */
async function suspected(desk: Desk): Promise<{ readonly suspect?: Thing | undefined; readonly meant: Full | null }> {
  const { reading, memory } = desk;
  const [subject, other] = reading.things;
  if (subject !== undefined && other !== undefined && OF_CULPRIT.test(reading.shape))
    return { suspect: subject, meant: (await begunOn(desk, other, subject)) ?? (await fitted(desk, [other])) };
  if (subject !== undefined && other !== undefined && OF_TWO.test(reading.shape))
    return { suspect: other, meant: (await begunOn(desk, subject, other)) ?? (await fitted(desk, [subject])) };
  if (OF_CHANGE.test(reading.lower) || !OF_SUSPECT.test(reading.shape)) return { meant: await meantIncident(desk) };
  const isOfTalk = memory.incident !== undefined && reading.time === null;
  return { suspect: subject, meant: isOfTalk ? await inFull(desk, memory.incident ?? '') : await fitted(desk, []) };
}

async function blameChange(desk: Desk, { looked, row }: Full): Promise<void> {
  const refs = [desk.ref(looked, row), desk.ref(looked, row, 1)];
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
    desk.say(`Yes, probably: ${what} began after ${quoted(change.title)}.`, [desk.ref(looked, row)], 'likely');
    desk.findings.lead();
  }
  tellState(desk, looked, row);
  for (const one of resolutionsOf(row).slice(0, 2))
    desk.say(`Resolution note${onPlace(one.place)}: ${quoted(one.resolution ?? '')}.`, refs);
}

/** `did the release cause it?`, `is it the database?`: against what is known of the cause. */
export async function blame(desk: Desk): Promise<void> {
  const { reading } = desk;
  const { suspect, meant } = await suspected(desk);
  if (meant === null) return tellNone(desk);
  await remembered(desk, meant);
  if (OF_CHANGE.test(reading.lower)) return blameChange(desk, meant);
  const { looked, row } = meant;
  const refs = [desk.ref(looked, row), desk.ref(looked, row, 1)];
  const cause = namedCause(desk, row);
  const isSuspect = (id: string | null | undefined): boolean => suspect?.cis.some((ci) => ci.id === id) ?? false;
  const members = row.members.filter(({ ciId, place }) =>
    suspect === undefined ? reading.topic.length > 0 && speaksOf(place ?? '', reading.topic) > 0 : isSuspect(ciId),
  );
  const name = suspect?.name ?? (reading.topic.join(' ') || 'it');
  const began = cause === null ? '' : `it probably began with ${titled(cause)}`;
  if (cause !== null && isSuspect(cause.ci?.id))
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
  else desk.say(`Probably not: no event of the incident is on ${name}${began && `; ${began}`}.`, refs, 'likely');
  tellCause(desk, looked, row);
  tellState(desk, looked, row);
  await tellUpstream(desk, looked, row);
  tellEffects(desk, looked, row, 4);
}
/** The open incident of the subject that began with the suspect. */
async function begunOn(desk: Desk, subject: Thing, { cis }: Thing): Promise<Full | null> {
  const { all } = await fittingIncidents(desk, { things: [subject], topic: [] });
  const found = all.find(({ row: { to, cause } }) => to === null && cis.some(({ id }) => id === cause?.ci?.id));
  return found === undefined ? null : inFull(desk, found.row.id);
}
async function fitted(desk: Desk, things: readonly Thing[]): Promise<Full | null> {
  const { all } = await fittingIncidents(desk, { things, topic: [] });
  const best = all.find(({ row }) => row.to === null) ?? all[0];
  return best === undefined ? null : inFull(desk, best.row.id);
}

export async function back(desk: Desk): Promise<void> {
  const meant = await meantIncident(desk);
  if (meant === null) {
    desk.say('Not known: no open incident is about it, and nothing forecasts a recovery.', [await contextRef(desk)]);
    return;
  }
  await remembered(desk, meant);
  const { looked, row } = meant;
  const refs = [desk.ref(looked, row)];
  if (row.to !== null) desk.say(`It is over: ${headline(row)} lasted ${desk.clock.span(row.from, row.to)}.`, refs);
  else
    desk.say(
      `Not known: nothing forecasts a recovery. ${headline(row)} is open since ${desk.clock.ago(row.from)}.`,
      refs,
    );
  tellState(desk, looked, row);
  if (row.to === null) await tellPast(desk, meant, 2);
}
export async function contextRef(desk: Desk): Promise<string | null> {
  const looked = await desk.look(context, {});
  const [row] = looked.rows;
  return row === undefined ? null : desk.ref(looked, row);
}

const WROTE =
  /\b(?:wrote|written|notes?|noted|said|decid\w*|verdict|confirmed|judged|worked|touched|handled|did what)\b/;

export async function who(desk: Desk): Promise<void> {
  const { lower } = desk.reading;
  if (/on[- ]call/.test(lower))
    return desk.say('Not known: there is no on-call schedule here; groups have assignees and teams.', [
      await contextRef(desk),
    ]);
  if (/deploy|releas|chang|patch|roll/.test(lower)) return whoChanged(desk);
  if (WROTE.test(lower)) return notes(desk);
  const meant = await meantIncident(desk);
  if (meant === null) return tellNone(desk);
  await remembered(desk, meant);
  const { looked, row } = meant;
  const refs = [desk.ref(looked, row)];
  const resolved = row.members.flatMap(({ resolvedBy }) => resolvedBy ?? []);
  if (/resolv|fix|clos|solv/.test(lower))
    desk.say(
      resolved.length === 0
        ? `Not known: ${headline(row)} was resolved by its source, or isn't resolved.`
        : `Resolved by ${listed(resolved)}.`,
      refs,
    );
  else if (/ack/.test(lower))
    return row.acknowledgedBy === null
      ? notes(desk)
      : desk.say(`Acknowledged by ${row.acknowledgedBy}: ${headline(row)}.`, refs);
  else if (row.assignee === null)
    desk.say(
      `Unassigned: ${headline(row)}, ${row.to === null ? `open since ${desk.clock.ago(row.from)}` : `resolved since ${desk.clock.ago(row.to)}`}.`,
      refs,
    );
  else desk.say(`${row.assignee}: ${headline(row)} is assigned to them.`, refs);
  if (row.acknowledgedBy !== null && !/ack/.test(lower)) desk.say(`Acknowledged by ${row.acknowledgedBy}.`, refs);
}

async function whoChanged(desk: Desk): Promise<void> {
  const { time, things, topic } = desk.reading;
  const looked = await desk.look(changes, {
    time_range: time?.text ?? desk.lastDays(30),
  });
  const ids = new Set(things.flatMap(({ cis }) => cis.map(({ id }) => id)));
  const own = looked.rows.filter(
    ({ ciId, title }) => (ciId !== null && ids.has(ciId)) || (topic.length > 0 && speaksOf(title, topic) > 0),
  );
  const [newest] = things.length + topic.length > 0 ? own : looked.rows;
  if (newest === undefined)
    return desk.say(`Not known: no change is recorded${subjectText(desk)}.`, [desk.whole(looked)]);
  const by = newest.by === null ? 'No user is recorded for it' : `By ${newest.by}`;
  desk.say(
    `${by}: ${titled(newest)}, ${desk.clock.ago(newest.at)}${newest.source === null ? '' : `, reported by source ${newest.source}`}.`,
    [desk.ref(looked, newest)],
  );
}

const LISTED = 8;
/** Incidents now or of a time range, most important first, with root cause and services. */
export async function summary(desk: Desk): Promise<void> {
  const { reading } = desk;
  const fits = await fittingIncidents(desk);
  // Unknown words must not hide the incidents.
  const { looked, all, when } =
    fits.all.length > 0 || reading.things.length > 0 ? fits : await fittingIncidents(desk, { topic: [] });
  const shown = all.filter(({ row }) => row.severity !== 'info');
  const heavy = shown.filter(({ row }) => row.severity === 'critical' || row.severity === 'major');
  const told = (heavy.length >= 2 ? heavy : shown).slice(0, LISTED);
  const whole = desk.whole(looked);
  if (told.length === 0) return tellNone(desk);
  const open = shown.filter(({ row }) => row.to === null).length;
  desk.say(
    `${counted(shown.length, 'incident')} ${when}${reading.time === null ? '' : `, ${open} still open`}; the most important first.`,
    [whole],
  );
  const isWorst = /\b(?:worst|biggest|most (?:urgent|serious|severe|critical|important)|main) \b/.test(reading.lower);
  const [best] = told;
  if (best !== undefined)
    desk.remember({
      incident: best.row.id,
      subject: undefined,
      list: told.map(({ row }) => row.cause?.place ?? '').filter((name) => name !== ''),
      ...(best.row.cause?.ci && { current: best.row.cause.ci.id }),
    });
  for (const [n, { row }] of told.slice(0, isWorst ? 1 : LISTED).entries()) {
    tellRow(desk, looked, row);
    if (n === 0 && row.events > 1) await tellMembers(desk, row.id);
  }
  const rest = shown.length - told.length;
  if (rest > 0 && !isWorst)
    desk.say(
      `${counted(rest, 'further incident')} of lower weight: ${listed(shown.slice(told.length).map(({ row }) => row.cause?.place ?? 'unbound events'))}.`,
      [whole],
    );
  if (reading.time === null) await tellSick(desk);
}

async function tellMembers(desk: Desk, id: string): Promise<void> {
  const full = await inFull(desk, id);
  if (full === null) return;
  const others = complaintsOf(full.row).filter(
    ({ members }) => !members.some(({ eventId }) => eventId === full.row.cause?.eventId),
  );
  const texts = others
    .slice(0, 4)
    .map(({ title, members }) => `${quoted(title)} on ${listed(members.flatMap(({ place }) => place ?? []))}`);
  if (texts.length > 0) desk.say(`Followed by ${texts.join('; ')}.`, [desk.ref(full.looked, full.row)]);
}

async function tellSick(desk: Desk): Promise<void> {
  if (!desk.asking.caller.permissions.has('services.read')) return;
  const looked = await desk.look(services, {});
  const sick = looked.rows.filter(({ status }) => status === 'critical' || status === 'degraded');
  if (sick.length > 0)
    desk.say(
      `${counted(sick.length, 'service')} not healthy: ${listed(sick.map(({ name, status }) => `${name} (${status})`))}.`,
      [desk.whole(looked)],
    );
}
