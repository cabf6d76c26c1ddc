import { durationText, percent } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { nothingFor, nounOf, said } from '#features/questions/rules/answers/describe-value.ts';
import { answerResult } from '#features/questions/rules/answers/insights.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { SECOND_TIME } from '#features/questions/rules/grammar/times.ts';
import { isOfNow, isOfStanding, isTimed, type Query } from '#features/questions/rules/query.ts';
import { near } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { type NumberRow, query } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { changes, events, type ToolChangeRow } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, ignored, listed, namesOf, onPlace, onThings, ordinal, quoted, some } from '../desk.ts';
import { inFull } from '../meant-incident.ts';
import { askWhich, meantThings, refersBack } from '../meant-things.ts';
import { faultsIn, isBeforeData, placesOf, tellDataBegin, tellEvents } from '../tell-events.ts';
import { changesBefore, headline, titled } from '../tell-incident.ts';
import { findThings, idsOf, isOnAny, narrowed, type Thing } from '../things.ts';
import { listCis } from './ci-answers.ts';

/** Words that a comparison is made of. */
const COMPARING =
  /^(?:(?:the comparison|before|after|night|who|complain\w*|shout\w*|raises?|sends?|shape|state|doing|more|less|fewer|worse|worst|better|off|one|trouble|than|compared?|(?:quiet|noisi|busi|calm|healthi)er) ?)+$/i;

/** Mentions words that the number ignores. */
export const saidToBeLeftOut = (desk: Desk): void => {
  const { asked, things } = desk.reading;
  const isNamed = (words: string): boolean =>
    things.some(({ kind, said: name }) => kind !== 'type' && words.toLowerCase().includes(name.toLowerCase()));
  const left = asked.notUnderstood.filter(
    (words) => !NOT_LEFT.test(words) && words !== SECOND_TIME && !COMPARING.test(words) && !isNamed(words),
  );
  ignored(desk, left);
};
const NOT_LEFT = /\b(?:day|week|month|hour|night) before\b|^(?:percentage|percent|share|proportion)$|^before$/i;

/** A subject of the talk that nothing has replaced by its name. */
const DANGLING =
  /\b(?:did|does|has|have|had) (?:it|that|this|they|he|she)\b(?! (?:take|usually|normally))|\b(?:of|from|by|in) (?:it|that|this(?= *[?.!]*$)|them|those|these)\b/;

const ofTypes = (things: readonly Thing[]): Thing | undefined =>
  things.find(({ kind }) => kind === 'type' || kind === 'family' || kind === 'place');
const EVENT_WORDS =
  /\b(?:open|unresolved|acked|unacked|events?|alerts?|alarms?|incidents?|problems?|issues?|outages?|changes?|deployments?|criticals?|majors?|noisiest|busiest|quietest|noisy|loud|quiet|most|least|worst|sickest|mttr|mtta|long|relationships?|times)\b/;

/** Numbers, rankings and trends, as questions of reports are read. */
export async function numbers(desk: Desk): Promise<void> {
  const { reading, memory } = desk;
  if (ofTypes(reading.things) !== undefined && !EVENT_WORDS.test(reading.lower)) return void (await listCis(desk));
  const { query: own } = reading.asked;
  // A number without a part of its conditions would be a wrong one.
  if (own === null || (own.metric === 'cis' && reading.asked.unknown.length > 0)) return numbersUnknown(desk);
  // A ranking that follows one is of the same time.
  const isAgain = memory.intent === 'query' && own.groupBy !== null && !isOfNow(own.metric) && !isOfStanding(own);
  const when = reading.time ?? (isAgain ? memory.time : undefined);
  const meant = refersBack(reading) ? await meantThings(desk) : [];
  // The members of a place, not the CI with its name.
  const wide = narrowed(reading.things).filter(({ kind }) => kind === 'place' || kind === 'family');
  const place = namesOf([...meant, ...wide]);
  const ci = idsOf([...meant, ...(reading.things.length - wide.length > 1 ? [] : wide)]).slice(0, 1_000);
  const isNamed = ['ci', 'service', 'source', 'text'].some((name) => name in own.filters);
  if (ci.length === 0 && !isNamed && DANGLING.test(reading.shape))
    return askWhich(desk, 'I don\'t know what "it" or "those" are here: which system, incident or events do you mean?');
  const row = await desk.find(query, {
    metric: own.metric,
    question: reading.text,
    time_range: when?.text,
    ci: some(ci),
    top: own.limit === null ? undefined : Math.max(own.limit, reading.nth),
  });
  if (row === null) return;
  if (await tellHosts(desk, row, ci)) return;
  saidToBeLeftOut(desk);
  const { result } = row;
  const { groupBy } = result.query;
  if (result.count === 0 && (await isBeforeData(desk))) return;
  const [subject] = reading.things;
  if (subject !== undefined) desk.rememberThing(subject, { incident: undefined });
  desk.remember({ list: groupBy === null ? [] : result.rows.slice(0, 8).map(({ label }) => label) });
  if (result.range !== null) desk.remember({ time: { text: `${row.from} to ${row.to}`, range: result.range } });
  const [leader] = ['host', 'ci'].includes(groupBy ?? '') && own.sort !== null ? result.rows : [];
  const led = leader === undefined ? [] : (await findThings(desk.asking, `"${leader.label}"`)).things;
  if (led[0] !== undefined) desk.remember({ current: led[0].id, subject: undefined, incident: undefined });
  if (result.missing.length > 0) {
    desk.isAbstained = true;
    return desk.say(row)`No match for ${listed(result.missing.map(quoted))}.`;
  }
  if (await tellShare(desk, row)) return;
  if (groupBy !== null) tellRanking(desk, row);
  else
    for (const [at, { text }] of answerResult(result).claims.entries())
      desk.say(row)`${at === 0 && place !== '' ? `On ${place}: ` : ''}${text}`;
  await tellCounted(desk, own, row, ci);
  if (result.count === 0) await tellDataBegin(desk);
}

/** `how many hosts had latency alerts`: systems with such events. False: it asks for another number. */
async function tellHosts(desk: Desk, { result: { query: asked } }: NumberRow, ci: readonly string[]): Promise<boolean> {
  const [, noun] = desk.reading.lower.match(HOW_MANY_HOSTS) ?? [];
  const { groupBy, metric, filters, range } = asked;
  if (noun === undefined || metric !== 'events' || !['host', 'ci'].includes(groupBy ?? '')) return false;
  const { severity: _severity, source, text: search, ...others } = filters;
  if (Object.keys(others).some((name) => name !== 'ci')) return false;
  const looked = await desk.look(events, {
    time_range: range === null ? desk.within(USUAL_DAYS).time_range : isoRange(range),
    severity: some(desk.reading.severities),
    source,
    search,
    ci: some(ci),
  });
  const words = search === undefined ? desk.reading.topic : [];
  const begun = faultsIn(looked.rows).filter(
    ({ from, title }) => Date.parse(from) >= (range?.from ?? 0) && (words.length === 0 || speaksOf(title, words) > 0),
  );
  const about = search ?? words.join(' ');
  const names = [...new Set(begun.flatMap(({ place }) => place ?? []))];
  const when = range === null ? desk.within(USUAL_DAYS).when : desk.clock.range(range);
  const least = looked.isCut ? 'At least ' : '';
  desk.say(
    looked,
  )`${least}${counted(names.length, noun.replace(/(?<=x)es$|s$/, ''), noun)} ${when}${about && ` with "${about}"`}${
    names.length === 0 ? '' : `: ${listed(names)}`
  }.`;
  desk.remember({ list: names.slice(0, 8) });
  return true;
}
const HOW_MANY_HOSTS = /\bhow many (hosts|servers|machines|boxes|systems|cis)\b(?! (?:do we|are there|exist))/;
const USUAL_DAYS = 7;

/** `what percentage of the alerts was critical`: the number against that of any severity and status. False: none is asked for. */
async function tellShare(desk: Desk, { result }: NumberRow): Promise<boolean> {
  const { metric, filters, range } = result.query;
  const isAsked = /\b(?:percentage|percent|share|proportion|fraction|ratio)\b|%/.test(desk.reading.lower);
  const parts = [filters.severity, filters.status, filters.source].flatMap((one) => one ?? []);
  if (!isAsked || result.unit !== 'count' || parts.length === 0) return false;
  const whole = await desk.find(query, { metric, ...(range !== null && { time_range: isoRange(range) }) });
  if (whole?.value == null || whole.value === 0) return false;
  const when = range === null ? '' : ` ${desk.clock.range(range)}`;
  const share = percent(result.count / whole.value);
  desk.say(whole)`${share}: ${result.count} of ${whole.value} ${nounOf(metric)}${when} are ${parts.join(' or ')}.`;
  return true;
}

/** A short list stands below its number. */
async function tellCounted(desk: Desk, own: Query, { result }: NumberRow, ci: readonly string[]) {
  if (own.metric !== 'open_events' || own.groupBy !== null || result.count === 0 || result.count > 20) return;
  const { source, text: search, service, environment } = own.filters;
  if (service !== undefined || environment !== undefined) return;
  const [severity] = desk.reading.severities;
  const looked = await desk.look(events, { severity, ci: some(ci), source, search });
  tellEvents(desk, looked, looked.rows);
}

/** The most frequent alerts, and their CIs; to silence them is no decision of an answer. */
export async function noise(desk: Desk): Promise<void> {
  const { time_range, when } = desk.within(7);
  const asked = { metric: 'occurrences', group_by: 'signature', sort: 'desc', time_range } as const;
  const isOfCare = UNTOUCHED.test(desk.reading.shape);
  const { list = [], intent } = desk.memory;
  const isOfList = isOfCare && intent === 'query';
  const row = await desk.find(query, { ...asked, top: isOfList ? MOST_LABELS : SHOWN });
  const looked = await desk.look(events, { time_range, sort: 'repeats' });
  if (row === null) return;
  desk.say(row)`Alerts that repeat most ${when}; which of them are noise is your decision:`;
  const isMeant = (label: string): boolean => !isOfList || list.includes(label);
  for (const { label, value } of row.result.rows.filter((one) => (one.value ?? 0) > 1 && isMeant(one.label))) {
    const own = looked.rows.filter(({ title }) => title === label);
    const severity = own[0] === undefined ? '' : `, ${own[0].severity}`;
    const idle = own.filter(({ acknowledgedBy, assignee }) => acknowledgedBy === null && assignee === null).length;
    const care = isOfCare ? `; ${idle} of ${own.length} that were read were neither acknowledged nor assigned` : '';
    desk.say(row)`${quoted(label)}${onPlace(placesOf(own) || null)}: ${value} times${severity}${care}.`;
  }
}

const UNTOUCHED = /\b(?:never|nobody|no ?one|untouched|touch\w*|ack\w*)\b/;
const SHOWN = 8;
const MOST_LABELS = 50;
const SHOWN_TIMES = 31;
function tellRanking(desk: Desk, row: NumberRow): void {
  const { result } = row;
  const { query: own, rows, unit, total } = result;
  const isOfTime = isTimed(own.groupBy);
  const positive = rows.filter(({ value }) => value !== null && value > 0);
  const { nth } = desk.reading;
  const shown = positive.slice(0, own.limit ?? (isOfTime ? SHOWN_TIMES : Math.max(SHOWN, nth)));
  const when = result.range === null ? '' : ` ${desk.clock.range(result.range)}`;
  if (shown.length === 0) {
    desk.say(row)`No ${nounOf(own.metric)}${when}: ${nothingFor(own.metric)}.`;
    return;
  }
  const nameOf = (label: string): string => (isOfTime ? desk.clock.time(label) : label);
  const values = shown.map(({ label, value }) => `${nameOf(label)} ${said(value ?? 0, unit)}`);
  const all = total === null || unit !== 'count' ? '' : `, of ${said(total, unit)} in all`;
  desk.say(row)`${capital(nounOf(own.metric))}${when}: ${values.join(', ')}${all}.`;
  const top = shown[nth - 1];
  const place = nth > 1 ? `is ${ordinal(nth)}` : 'leads';
  if (nth > 1 && top === undefined) desk.say(row)`There is no ${ordinal(nth)} one: ${shown.length} in all.`;
  else if (shown.length > 1 && (own.sort !== null || nth > 1))
    desk.say(row)`${nameOf(top?.label ?? '')} ${place} with ${said(top?.value ?? 0, unit)}.`;
  else return;
  desk.findings.lead();
}

function numbersUnknown(desk: Desk): void {
  desk.isAbstained = true;
  const words = listed(desk.reading.asked.notUnderstood.map(quoted));
  const unknown = `I can't count that: ${words} is nothing I can count or filter by. What should be counted?`;
  desk.lead.push(words === '' ? 'Which number do you mean?' : unknown);
}

/** Edits in the CMDB are no deployments. */
export const OF_DEPLOYS = /\b(?:deploy|releas|roll(?:ed)? ?out)/;
/** `and the newest one`. */
const ONE = /\b(?:oldest|earliest|newest|latest)(?: one| change| deployment| release)?[ ?.!]*$/;
/** Lists changes; with an incident in the conversation, the changes before it. */
export async function listChanges(desk: Desk): Promise<void> {
  const { reading, memory, asking } = desk;
  const { topic, lower, time } = reading;
  const isBefore = /\bbefore (?:that|it|this|the)\b/.test(lower) && memory.incident !== undefined;
  if (isBefore) return changesBeforeIncident(desk, reading.things);
  const isAfter = /\b(?:after|since) (?:that|it|this|then)\b/.test(lower);
  const base = isAfter && memory.incident !== undefined ? await inFull(desk, memory.incident) : null;
  const since = base === null ? null : { from: Date.parse(base.cause?.at ?? base.from) + 1, to: asking.receivedAt };
  const isOfTalk = reading.things.length === 0 && since === null && (reading.pointsBack || asking.current !== null);
  const things = isOfTalk ? await meantThings(desk) : narrowed(reading.things);
  const [only] = things.length === 1 ? things : [];
  if (only !== undefined) desk.rememberThing(only);
  const isOfCmdb = /\bcmdb\b/.test(lower);
  const looked = await desk.look(changes, {
    ci: only?.kind === 'ci' ? (only.id ?? undefined) : undefined,
    edits: isOfCmdb ? true : undefined,
    time_range: since === null ? time?.text : isoRange(since),
  });
  const isOn = isOnAny(things);
  const hasCis = idsOf(things).length > 0;
  const isOfDeploys = OF_DEPLOYS.test(lower);
  const rows = looked.rows.filter(
    (row) =>
      (row.eventId !== null || !isOfDeploys) &&
      (!hasCis || isOn(row)) &&
      (topic.length === 0 || things.length > 0 || speaksOf(row.title, topic) > 0),
  );
  if (ONE.test(lower)) rows.splice(0, rows.length, ...rows.slice(/oldest|earliest/.test(lower) ? -1 : 0).slice(0, 1));
  const where = onThings(things);
  const range = since ?? time?.range;
  const when = range === undefined ? 'in the last 7 days' : desk.clock.range(range);
  const sayEdits = (): void => {
    if (only?.kind !== 'ci' && !isOfCmdb)
      desk.say(looked)`Edits in the CMDB are left out: they are listed for a single CI.`;
  };
  if (rows.length === 0) {
    if (await isBeforeData(desk)) return;
    desk.say(looked)`No ${isOfDeploys ? 'deployments' : 'changes'} recorded${where} ${when}.`;
    await tellLastChange(desk, things);
    return sayEdits();
  }
  const { range: read } = looked.run;
  if (time === null && read !== undefined) desk.remember({ time: { text: isoRange(read), range: read } });
  desk.say(looked)`${counted(rows.length, 'change')}${where} ${when}.`;
  // Deployments are not hidden behind edits in the CMDB.
  const shown = rows.toSorted((a, b) => Number(a.eventId === null) - Number(b.eventId === null)).slice(0, 8);
  for (const row of shown) desk.say(row)`${titled(row)}, ${desk.clock.ago(row.at)}${byWhom(row)}.`;
  sayEdits();
  desk.remember({ list: rows.slice(0, 8).flatMap(({ place }) => place ?? []) });
}
const byWhom = ({ by }: ToolChangeRow): string => (by === null ? '' : `, by ${by}`);

async function tellLastChange(desk: Desk, things: readonly Thing[], before = desk.asking.receivedAt): Promise<void> {
  const looked = await desk.look(changes, { time_range: desk.lastDays(30, before) });
  const isOn = isOnAny(things);
  const last = looked.rows.find((row) => idsOf(things).length === 0 || isOn(row));
  if (last !== undefined) desk.say(last)`The last recorded change was ${titled(last)}, ${desk.clock.ago(last.at)}.`;
}

/** Changes before the incident of the talk, on the named CI and what it depends on, else on the CIs of the incident. */
async function changesBeforeIncident(desk: Desk, things: readonly Thing[]): Promise<void> {
  const row = await inFull(desk, desk.memory.incident ?? '');
  if (row === null) return;
  const begin = Date.parse(row.from);
  const { time_range, looked, own: onHit } = await changesBefore(desk, row, BEFORE_MS);
  const [only] = things.length === 1 && things[0]?.kind === 'ci' ? idsOf(things) : [];
  const edits = only === undefined ? looked : await desk.look(changes, { ci: only, time_range });
  const above = new Set(only === undefined ? [] : (await near(desk.asking, only, 'up', 3)).map(({ id }) => id));
  const isBefore = ({ at }: ToolChangeRow): boolean => Date.parse(at) <= begin;
  const own = (only === undefined ? onHit : edits.rows.filter(({ ciId }) => ciId === only)).filter(isBefore);
  const behind = looked.rows.filter((one) => isBefore(one) && one.ciId !== only && above.has(one.ciId ?? ''));
  const where = only === undefined ? 'the affected CIs' : (things[0]?.name ?? 'it');
  const of = `in the 6 hours before ${headline(row)}, ${desk.clock.time(row.from)}`;
  if (own.length > 0) desk.say([edits, row])`Yes: ${counted(own.length, 'change')} on ${where} ${of}.`;
  else desk.say([edits, row])`No: no change on ${where} was recorded ${of}.`;
  const needed = `the ${counted(above.size, 'CI')} that it depends on`;
  if (behind.length > 0) desk.say([looked, row])`${counted(behind.length, 'change')} on ${needed}.`;
  else if (own.length === 0 && only !== undefined) desk.say([looked, row])`None either on ${needed}.`;
  const found = [...own, ...behind].slice(0, 5);
  for (const one of found)
    desk.say(one)`${titled(one)}, ${durationText(begin - Date.parse(one.at))} before${byWhom(one)}.`;
  if (found.length === 0) await tellLastChange(desk, [], begin);
}
const BEFORE_MS = 6 * 3_600_000;
