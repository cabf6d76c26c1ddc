import { capital } from '#domain/text.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { nothingFor, nounOf, said } from '#features/questions/rules/answers/describe-value.ts';
import { answerResult } from '#features/questions/rules/answers/insights.ts';
import type { Query } from '#features/questions/rules/query.ts';
import { relationships, searchCis } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { type NumberRow, query } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { changes, events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type Desk, type LookUp, listed, onPlace, quoted } from '../desk.ts';
import { inFull, speaksOf } from '../meant-incident.ts';
import { changesBefore, headline } from '../tell-incident.ts';
import type { Thing } from '../things.ts';
import { askWhich, meantThings, unknownNames } from './estate-answers.ts';

/** Mentions words that the number ignores. */
const leftOut = (desk: Desk): void => {
  const left = desk.reading.asked.notUnderstood.filter(
    (words) =>
      !/\b(?:day|week|month|hour|night) before\b/i.test(words) &&
      !desk.reading.things.some(({ said: name }) => words.toLowerCase().includes(name.toLowerCase())),
  );
  desk.left.push(...left);
  if (left.length > 0) desk.lead.push(`Ignored: ${left.map((words) => quoted(words)).join(', ')}.`);
};

async function counting(
  desk: Desk,
  own: Query,
  question: string,
  time?: string,
): Promise<{ readonly looked: LookUp<NumberRow>; readonly row: NumberRow } | null> {
  const looked = await desk.look(query, {
    metric: own.metric,
    question,
    ...(time !== undefined && { time_range: time }),
  });
  const [row] = looked.rows;
  return row === undefined ? null : { looked, row };
}

const ofTypes = (things: readonly Thing[]): Thing | undefined =>
  things.find(({ kind }) => kind === 'type' || kind === 'family' || kind === 'place');
const EVENT_WORDS =
  /\b(?:events?|alerts?|alarms?|incidents?|problems?|issues?|outages?|changes?|deployments?|criticals?|majors?|noisiest|most|least|mttr|mtta|long|relationships?|times)\b/;

/** Numbers, rankings and trends, as questions of reports are read. */
export async function numbers(desk: Desk): Promise<void> {
  const { reading } = desk;
  const typed = ofTypes(reading.things);
  if (typed !== undefined && !EVENT_WORDS.test(reading.lower)) return countCis(desk, typed);
  const { query: own } = reading.asked;
  const question = reading.isFollowUp && reading.question !== reading.text ? reading.question : reading.text;
  if (own === null && question === reading.text) return numbersUnknown(desk);
  const found = await counting(desk, own ?? ({ metric: 'events' } as Query), question, reading.time?.text);
  if (found === null) return;
  leftOut(desk);
  const { row, looked } = found;
  const { result } = row;
  const ref = desk.ref(looked, row);
  desk.remember({
    asked: question,
    ...(result.range !== null && { time: { text: `${row.from} to ${row.to}`, range: result.range } }),
    list: result.query.groupBy === null ? [] : result.rows.slice(0, 8).map(({ label }) => label),
  });
  if (result.missing.length > 0) {
    desk.isAbstained = true;
    desk.say(`No match for ${listed(result.missing.map((name) => quoted(name)))}.`, [ref]);
    return;
  }
  if (result.query.groupBy !== null) tellRanking(desk, row, ref);
  else for (const { text } of answerResult(result).claims) desk.say(text, [ref]);
  await tellEvents(desk, own, row);
}

/** A short list stands below its number. */
async function tellEvents(desk: Desk, own: Query | null, { result }: NumberRow): Promise<void> {
  const isOpen = own?.metric === 'open_events';
  if (!isOpen || own.groupBy !== null || result.count === 0 || result.count > 20) return;
  const [severity] = desk.reading.severities;
  const looked = await desk.look(events, severity === undefined ? {} : { severity });
  for (const row of looked.rows.slice(0, 8))
    desk.say(`${quoted(row.title)}${onPlace(row.place)}, since ${desk.clock.ago(row.from)}.`, [desk.ref(looked, row)]);
}

const SHOWN = 8;
function tellRanking(desk: Desk, { result }: NumberRow, ref: string | null): void {
  const { query: own, rows, unit, total } = result;
  const shown = rows.filter(({ value }) => value !== null && value > 0).slice(0, own.limit ?? SHOWN);
  const when = result.range === null ? '' : ` ${desk.clock.range(result.range)}`;
  if (shown.length === 0) {
    desk.say(`No ${nounOf(own.metric)}${when}: ${nothingFor(own.metric)}.`, [ref]);
    return;
  }
  const values = shown.map(({ label, value }) => `${label} ${said(value ?? 0, unit)}`);
  const all = total === null || unit !== 'count' ? '' : `, of ${said(total, unit)} in all`;
  desk.say(`${capital(nounOf(own.metric))}${when}: ${values.join(', ')}${all}.`, [ref]);
  const [top] = shown;
  if (top !== undefined && shown.length > 1 && own.sort !== null) {
    desk.say(`${top.label} leads with ${said(top.value ?? 0, unit)}.`, [ref]);
    desk.findings.lead();
  }
}

async function countCis(desk: Desk, thing: Thing): Promise<void> {
  const on = desk.reading.things.find(({ kind }) => kind === 'ci');
  const looked = await desk.look(searchCis, thing.kind === 'type' ? { type: thing.name } : { search: thing.name });
  const kind = thing.kind === 'type' ? `CIs of type ${thing.name}` : `CIs of ${thing.name}`;
  if (on !== undefined && on.id !== null) {
    const above = await desk.look(relationships, { target: on.id });
    const own = above.rows
      .filter(
        ({ source, type }) =>
          /runs|hosted|depends|located|part|member|network/.test(type) && (thing.kind !== 'type' || source.type !== ''),
      )
      .map(({ source }) => source.name);
    return desk.say(`${counted(new Set(own).size, 'CI runs', 'CIs run')} on ${on.name}: ${listed(own)}.`, [
      desk.whole(above),
    ]);
  }
  const { ciStatus } = { ciStatus: desk.reading.lower.match(/\b(?:active|inactive|maintenance)\b/)?.[0] };
  if (ciStatus !== undefined) {
    const some = await desk.look(searchCis, {
      ...(thing.kind === 'type' ? { type: thing.name } : { search: thing.name }),
      status: ciStatus as 'active',
    });
    return desk.say(
      some.total === 0
        ? `No ${kind} with status ${ciStatus}.`
        : `${some.total} ${kind} with status ${ciStatus}: ${listed(some.rows.map(({ name }) => name))}.`,
      [desk.whole(some)],
    );
  }
  const left = desk.reading.topic;
  desk.left.push(...left);
  if (left.length > 0) desk.lead.push(`Ignored: ${left.map((word) => quoted(word)).join(', ')}.`);
  const total = thing.kind === 'type' ? Math.max(looked.total, thing.cis.length) : thing.cis.length;
  desk.remember({ subject: thing.name, list: thing.cis.slice(0, 8).map(({ name }) => name) });
  desk.say(total === 0 ? `No ${kind}.` : `${total} ${kind}: ${listed(thing.cis.map(({ name }) => name))}.`, [
    desk.whole(looked),
    ...looked.rows.slice(0, 3).map((row) => desk.ref(looked, row)),
  ]);
}

function numbersUnknown(desk: Desk): void {
  desk.isAbstained = true;
  const words = desk.reading.asked.notUnderstood;
  desk.lead.push(
    words.length === 0
      ? 'Which number do you mean?'
      : `I can't count that: ${listed(words.map((one) => quoted(one)))} is nothing I can count or filter by. What should be counted?`,
  );
}

/** The number of the conversation, or of two CIs, against another time or CI. */
export async function compare(desk: Desk): Promise<void> {
  const { reading, memory } = desk;
  const cis = reading.things.filter(({ kind }) => kind === 'ci');
  if (cis.length > 1) return compareCis(desk, cis);
  const known = memory.asked ?? 'number of events';
  const isOwn = reading.asked.query !== null && !reading.pointsBack;
  const question = isOwn ? reading.text : known;
  const base = memory.time;
  const other = reading.time;
  if (!isOwn && other !== null && base !== undefined) {
    const own = reading.asked.query ?? ({ metric: 'events' } as Query);
    const [now, then] = [await counting(desk, own, known, base.text), await counting(desk, own, known, other.text)];
    if (now !== null && then !== null) return tellDifference(desk, now, then);
  }
  const found = await counting(
    desk,
    reading.asked.query ?? ({ metric: 'events' } as Query),
    question,
    isOwn ? undefined : (other ?? base)?.text,
  );
  if (found === null) return;
  const { row, looked } = found;
  const ref = desk.ref(looked, row);
  const { result } = row;
  if (result.previous === null && result.range !== null) {
    const { from, to } = result.range;
    const before = await counting(
      desk,
      result.query,
      question,
      `${new Date(2 * from - to).toISOString()} to ${new Date(from).toISOString()}`,
    );
    if (before !== null) return tellDifference(desk, found, before);
  }
  for (const { text } of answerResult(result).claims) desk.say(text, [ref]);
}

function tellDifference(
  desk: Desk,
  now: { readonly looked: LookUp<NumberRow>; readonly row: NumberRow },
  then: { readonly looked: LookUp<NumberRow>; readonly row: NumberRow },
): void {
  const [a, b] = [now.row.value, then.row.value];
  const refs = [desk.ref(now.looked, now.row), desk.ref(then.looked, then.row)];
  const noun = nounOf(now.row.metric);
  const span = ({ row: { result } }: typeof now): string =>
    result.range === null ? 'now' : desk.clock.range(result.range);
  if (a === null || b === null) {
    desk.say(`Can't be compared: ${nothingFor(now.row.metric)}.`, refs);
    return;
  }
  const unit = now.row.result.unit;
  const word = a === b ? 'No, the same' : a > b ? 'Yes, more' : 'No, fewer';
  desk.say(`${word}: ${said(a, unit)} ${noun} ${span(now)}, ${said(b, unit)} ${span(then)}.`, refs);
  desk.remember({ ...(desk.memory.asked !== undefined && { asked: desk.memory.asked }) });
}

async function compareCis(desk: Desk, cis: readonly Thing[]): Promise<void> {
  const all: { readonly name: string; readonly value: number; readonly ref: string | null }[] = [];
  const metric = desk.reading.asked.query?.metric ?? 'events';
  for (const { id, name } of cis.slice(0, 4)) {
    const looked = await desk.look(query, {
      metric,
      ...(id !== null && { ci: id }),
      ...(desk.reading.time !== null && { time_range: desk.reading.time.text }),
    });
    const [row] = looked.rows;
    if (row?.value != null) all.push({ name, value: row.value, ref: desk.ref(looked, row) });
  }
  const sorted = all.toSorted((a, b) => b.value - a.value);
  const [first, second] = sorted;
  if (first === undefined) return;
  const isSame = second !== undefined && second.value === first.value;
  desk.say(
    `${isSame ? 'No difference' : `${first.name} has more ${nounOf(metric)}`}: ${sorted.map(({ name, value }) => `${name} ${value}`).join(', ')}${desk.reading.time === null ? ' in the last 7 days' : ''}.`,
    sorted.map(({ ref }) => ref),
  );
  desk.remember({ list: sorted.map(({ name }) => name) });
}

/** Open events, or those of a time, folded by complaint; the worst first. */
export async function listEvents(desk: Desk): Promise<void> {
  const { reading } = desk;
  const things = reading.things.filter(({ kind }) => kind !== 'type' || reading.things.length === 1);
  const [severity] = reading.severities;
  const isResolved = /\b(?:resolved|closed|solved|cleared)\b/.test(reading.lower);
  const isNewest = /\b(?:newest|latest|most recent|last)\b/.test(reading.lower) && reading.time === null && !isResolved;
  const { query: own } = reading.asked;
  const { source: sources, text } = own?.filters ?? {};
  const source = sources?.join(',');
  const [only] = things.length === 1 && things[0]?.kind === 'ci' ? things : [];
  const looked = await desk.look(events, {
    ...(only?.id != null && { ci: only.id }),
    ...(reading.severities.length === 1 && severity !== undefined && { severity }),
    ...(sources !== undefined && { source: [...sources] }),
    ...(text !== undefined && { search: text }),
    ...(isResolved && { status: 'resolved' }),
    ...(reading.time !== null && { time_range: reading.time.text }),
    ...(isNewest && { time_range: 'in the last 24 hours' }),
  });
  const ids = new Set(things.flatMap(({ cis }) => cis.map(({ id }) => id)));
  const hosts = new Set(things.filter(({ kind }) => kind === 'host').map(({ name }) => name.toLowerCase()));
  const matching = looked.rows.filter((row) => {
    const isThere =
      things.length === 0 || (row.ciId !== null && ids.has(row.ciId)) || hosts.has(row.place?.toLowerCase() ?? '');
    const isSevere = reading.severities.length === 0 || reading.severities.includes(row.severity);
    return isThere && isSevere && !row.isChange;
  });
  const topic = text === undefined ? reading.topic.filter((word) => word !== source) : [];
  const fitting = topic.length === 0 ? matching : matching.filter(({ title }) => speaksOf(title, topic) > 0);
  const rows = isNewest ? fitting.toSorted((a, b) => b.from.localeCompare(a.from)) : fitting;
  const whole = desk.whole(looked);
  const noun = `${reading.time === null && !isResolved && !isNewest ? 'open ' : isResolved ? 'resolved ' : ''}${reading.severities.length === 0 ? '' : `${reading.severities.join(' or ')} `}event`;
  const where = `${things.length === 0 ? '' : ` on ${listed(things.map(({ name }) => name))}`}${source === undefined ? '' : ` from ${source}`}${text === undefined ? (topic.length === 0 ? '' : ` about ${quoted(topic.join(' '))}`) : ` with "${text}"`}`;
  const when =
    reading.time === null ? (isNewest ? ' in the last 24 hours' : '') : ` ${desk.clock.range(reading.time.range)}`;
  if (rows.length === 0) {
    const looking = looked.total === 0 ? '' : `: none of ${counted(looked.total, 'event')} that were looked at fits`;
    desk.say(`No ${noun}s${where}${when}${looking}.`, [whole]);
    return;
  }
  const count =
    things.length + topic.length === 0 &&
    reading.severities.length <= 1 &&
    !looked.rows.some(({ isChange }) => isChange)
      ? looked.total
      : rows.length;
  desk.say(`${counted(count, noun)}${where}${when}.`, [whole]);
  const folded = [
    ...Map.groupBy(rows, ({ title, severity: one }) => `${one} ${title.replaceAll(/\d+/g, '#')}`).values(),
  ];
  for (const same of folded.slice(0, 8)) {
    const [one] = same;
    if (one === undefined) continue;
    const places = listed(same.flatMap(({ place }) => place ?? []));
    desk.say(
      `${quoted(one.title)}${places === '' ? '' : ` on ${places}`}: ${one.severity}, ${one.status}, since ${desk.clock.ago(one.from)}.`,
      same.slice(0, 3).map((row) => desk.ref(looked, row)),
    );
  }
  if (folded.length > 8) desk.say(`${folded.length - 8} more kinds of events.`, [whole]);
  desk.remember({ list: rows.slice(0, 8).flatMap(({ place }) => place ?? []) });
}

/** Lists changes; with an incident in the conversation, the changes before it. */
export async function listChanges(desk: Desk): Promise<void> {
  const { reading, memory, asking } = desk;
  const isBefore = /\bbefore (?:that|it|this|the)\b/.test(reading.lower) && memory.incident !== undefined;
  if (isBefore) return changesBeforeIncident(desk);
  const things =
    reading.things.length > 0
      ? reading.things
      : reading.pointsBack || asking.current !== null
        ? await meantThings(desk)
        : [];
  const [only] = things.length === 1 ? things : [];
  const looked = await desk.look(changes, {
    ...(only?.kind === 'ci' && only.id !== null && { ci: only.id }),
    ...(reading.time !== null && { time_range: reading.time.text }),
  });
  const ids = new Set(things.flatMap(({ cis }) => cis.map(({ id }) => id)));
  const topic = reading.topic;
  const rows = looked.rows.filter(
    ({ ciId, title }) =>
      (ids.size === 0 || (ciId !== null && ids.has(ciId))) &&
      (topic.length === 0 || things.length > 0 || speaksOf(title, topic) > 0),
  );
  const where = things.length === 0 ? '' : ` on ${listed(things.map(({ name }) => name))}`;
  const when = reading.time === null ? 'in the last 7 days' : desk.clock.range(reading.time.range);
  const whole = desk.whole(looked);
  if (rows.length === 0) {
    desk.say(`No changes recorded${where} ${when}.`, [whole]);
    await tellLastChange(desk, ids);
    return;
  }
  desk.say(`${counted(rows.length, 'change')}${where} ${when}.`, [whole]);
  for (const row of rows.slice(0, 8))
    desk.say(
      `${quoted(row.title)}${onPlace(row.place)}, ${desk.clock.ago(row.at)}${row.by === null ? '' : `, by ${row.by}`}.`,
      [desk.ref(looked, row)],
    );
  desk.remember({ list: rows.slice(0, 8).flatMap(({ place }) => place ?? []) });
}

async function tellLastChange(desk: Desk, ids: ReadonlySet<string>, before = desk.asking.receivedAt): Promise<void> {
  const looked = await desk.look(changes, {
    time_range: desk.lastDays(30, before),
  });
  const last = looked.rows.find(({ ciId }) => ids.size === 0 || (ciId !== null && ids.has(ciId)));
  if (last !== undefined)
    desk.say(`The last recorded change was ${quoted(last.title)}${onPlace(last.place)}, ${desk.clock.ago(last.at)}.`, [
      desk.ref(looked, last),
    ]);
}

async function changesBeforeIncident(desk: Desk): Promise<void> {
  const meant = await inFull(desk, desk.memory.incident ?? '');
  if (meant === null) return;
  const { looked: full, row } = meant;
  const { looked, own } = await changesBefore(desk, row, 6 * 3_600_000);
  if (own.length === 0) {
    desk.say(
      `No change was recorded on the affected CIs in the 6 hours before ${headline(row)}, ${desk.clock.time(row.from)}.`,
      [desk.whole(looked), desk.ref(full, row)],
    );
    await tellLastChange(desk, new Set(), Date.parse(row.from));
    return;
  }
  desk.say(`Yes: ${counted(own.length, 'change')} on the affected CIs before ${headline(row)}.`, [
    desk.whole(looked),
    desk.ref(full, row),
  ]);
  for (const one of own.slice(0, 5))
    desk.say(`${quoted(one.title)}${onPlace(one.place)}, ${desk.clock.ago(one.at)}.`, [desk.ref(looked, one)]);
}

/** `list all servers`: CIs of a type, a family, a place. */
export async function find(desk: Desk): Promise<void> {
  const [thing] = desk.reading.things;
  if (thing === undefined)
    return desk.reading.missing.length > 0 ? unknownNames(desk) : askWhich(desk, 'What should be listed?');
  await countCis(desk, thing);
}
