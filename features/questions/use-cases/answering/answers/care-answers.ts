import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import { capital } from '#domain/text.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { wordsIn } from '#features/questions/rules/query.ts';
import { everyPerson } from '#features/questions/use-cases/queries/people.ts';
import { changes, events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, wordsOf } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type SilenceRow, silences } from '#features/questions/use-cases/tools/kinds/silences.ts';
import { type ActionRow, whoActed } from '#features/questions/use-cases/tools/kinds/who.ts';
import { contributed, ON_CALL, PLANNED_CHANGES, type PlannedRow } from '#features/questions/use-cases/tools/tool.ts';
import { type Desk, ignored, namesOf, onThings, quoted, quotedNote, some } from '../desk.ts';
import { inFull, meantIncident } from '../meant-incident.ts';
import { meantThings } from '../meant-things.ts';
import { instantOf } from '../read-message.ts';
import { contentWords } from '../recorded-answers.ts';
import { contextOf, incidentOf, tellEvents } from '../tell-events.ts';
import { headline, tellRows, titled } from '../tell-incident.ts';
import { idsOf, isOnAny, type Thing } from '../things.ts';

const LISTED = 8;

/** Groups, and events in none, of an assignee, or unassigned ones. */
export async function assigned(desk: Desk): Promise<void> {
  const { reading, clock } = desk;
  const { care, time, severities, shape, things } = reading;
  const assignee = care.assignee ?? 'none';
  const isOfNobody = assignee === 'none';
  const isUntouched = isOfNobody && UNTOUCHED.test(shape);
  const isNew = /\bun-?ack\w*|\bnot (?:yet |been )?ack/.test(shape);
  const looked = await desk.look(incidents, {
    assignee,
    severity: some(severities),
    status: isNew ? 'active' : undefined,
    time_range: time?.text,
  });
  if (looked.run.error !== null) return;
  const isOfAll = things.length === 0;
  const isOn = isOnAny(things);
  // An event of a group may be assigned alone.
  const single = isOfNobody || time !== null ? null : await desk.look(events, { assignee });
  const known = new Set(looked.rows.map(({ id }) => id));
  const alone = (single?.rows ?? []).filter((row) => !known.has(incidentOf(row)) && (isOfAll || isOn(row)));
  const own = looked.rows.filter(({ cis }) => isOfAll || cis.some((ciId) => isOn({ ciId })));
  const rows = isUntouched ? own.filter((row) => row.acknowledgedBy === null && row.state === 'active') : own;
  const count = (isOfAll ? looked.total - (own.length - rows.length) : rows.length) + alone.length;
  const kind = `${time === null ? 'unresolved ' : ''}${severities.length === 0 ? '' : `${severities.join(' or ')} `}`;
  const when = time === null ? '' : ` ${clock.range(time.range)}`;
  const unassigned = isUntouched ? 'unassigned and unacknowledged' : 'unassigned';
  const how = isOfNobody ? unassigned : `assigned to ${assignee}`;
  const many =
    count === 0 ? `No ${kind}group or event` : counted(count, `${kind}group or event`, `${kind}groups and events`);
  desk.say(looked)`${many}${onThings(things)}${when} ${count > 1 ? 'are' : 'is'} ${how}.`;
  await tellRows(desk, looked, rows);
  if (single !== null) tellEvents(desk, single, alone);
  const teams = (await everyPerson(desk.asking)).filter(
    ({ isTeam, members }) =>
      isTeam && assignee === desk.asking.caller.username && members.includes(desk.asking.caller.id),
  );
  for (const { name } of teams.slice(0, 3)) {
    const ofTeam = await desk.look(incidents, { assignee: name, severity: some(severities) });
    desk.say(ofTeam)`Of your team ${name}: ${ofTeam.total}.`;
    await tellRows(desk, ofTeam, ofTeam.rows);
  }
  if (rows.length === 0 && alone[0] !== undefined) desk.remember({ incident: incidentOf(alone[0]) });
  const taken = isOfNobody ? own.filter(({ acknowledgedBy }) => acknowledgedBy !== null) : [];
  for (const row of taken.slice(0, LISTED))
    desk.say(row)`Unassigned, but acknowledged by ${row.acknowledgedBy}: ${headline(row)}.`;
}

/** `nobody has picked it up`: neither assigned nor acknowledged. */
const UNTOUCHED =
  /\b(?:nobody|no ?one|(?:not|hasn't|haven't) (?:yet |been ){0,2}(?:taken|picked)|unclaimed|up for grabs|untouched|unattended|unhandled)\b(?!.{0,30}\b(?:own|assign))/;

const KINDS: readonly (readonly [said: RegExp, kinds: readonly ActionRow['kind'][], noun: string])[] = [
  [
    /\b(?:decid\w*|verdicts?|confirm\w*|reject\w*|judged?|(?:(?:mark|flag|rat|sa(?:y|id)|th(?:ink|ought)|t(?:ell|old)|claim)\w* .{0,40}|causes? (?:was |is |were |are |being )?)(?:wrong|right|correct|incorrect))\b/,
    ['verdict'],
    'verdict',
  ],
  [
    /\b(?:notes?|noted|comments?|commented|wr[io]te|written|sa(?:y|id)|mention(?:ed)?|f(?:i|ou)nd|figured?|learn\w*)\b/,
    ['note', 'status'],
    'note',
  ],
  [/\back/, ['status'], 'acknowledgement'],
  [/\b(?:closed?|resolved?|fixed)\b/, ['status'], 'resolution'],
];
const PROBLEM = /\b(?:problem|issue|incident|outage|thing|trouble|one)\b/;
const STATUS: Readonly<Record<string, RegExp>> = { acknowledgement: /acknowledge/i, resolution: /resolve|close/i };

/** Notes and other user actions: of a group, of a CI, of a user, or of a time. */
export async function notes(desk: Desk): Promise<void> {
  const { reading, memory, clock } = desk;
  const { care, time, lower, things, ids } = reading;
  const [, kinds, noun] = KINDS.find(([said]) => said.test(lower)) ?? [null, undefined, 'user action'];
  const isOfAny = care.by !== null || (noun === 'verdict' && ANY_CAUSE.test(lower));
  const isOfTalk = things.length === 0 && time === null && (!isOfAny || reading.pointsBack);
  const isProblem = things.length > 1 || things.some(({ cis }) => cis.length !== 1) || PROBLEM.test(reading.shape);
  const isMeant =
    ids.length === 0 && care.by === null && (isProblem || (reading.topic.length > 0 && noun !== 'verdict'));
  const meant = isMeant ? await meantIncident(desk) : null;
  const [group = meant?.id ?? (isOfTalk ? memory.incident : undefined)] = ids;
  const by = care.by ?? (things.length + ids.length === 0 ? care.person : null);
  const week = desk.within(7);
  const edits =
    kinds === undefined && by !== null ? await desk.look(changes, { by, time_range: week.time_range }) : null;
  const looked = await desk.look(whoActed, {
    kind: kinds,
    by: by ?? undefined,
    time_range: time?.text,
    ...(group === undefined ? { ci: idsOf(things)[0] } : { group }),
  });
  const rows = looked.rows.filter(({ kind, text }) =>
    noun === 'note' ? wordsOf(kind, text) !== null : (STATUS[noun]?.test(text) ?? isJudgedSo(lower, text)),
  );
  const full = group === undefined ? null : await inFull(desk, group);
  const subject = full === null ? (group ?? namesOf(things)) : headline(full);
  const whose = by === null ? '' : ` by ${by}`;
  const where = subject && ` on ${subject}`;
  const when = time === null && group !== undefined ? '' : ` ${week.when}`;
  if (group !== undefined) desk.remember({ incident: group });
  const set = edits === null ? [] : await silencesBy(desk, by);
  if (edits !== null && (edits.rows.length > 0 || rows.length + set.length === 0)) {
    desk.say(edits)`${edits.rows.length === 0 ? 'No change' : counted(edits.rows.length, 'change')}${whose}${when}.`;
    for (const row of edits.rows.slice(0, LISTED)) desk.say(row)`${titled(row)}, ${clock.ago(row.at)}.`;
  }
  for (const row of set.slice(0, LISTED)) tellSilence(desk, row);
  if (rows.length === 0 && set.length > 0) return;
  if (rows.length === 0) return desk.say(looked)`No ${noun}${whose} is recorded${where}${when}.`;
  desk.say(looked)`${counted(rows.length, noun)}${whose}${where}${when}.`;
  for (const row of rows.slice(-LISTED)) {
    const other = group === undefined ? await inFull(desk, row.of) : null;
    const of = other === null ? '' : ` on ${headline(other)}`;
    if (other !== null) desk.remember({ incident: other.id });
    desk.say(row)`${row.by}, ${clock.ago(row.at)}: ${quotedNote(row.text)}${of}.`;
  }
}

/** Silences and maintenance that a user has set, in the time of the question, else in the last week. */
async function silencesBy(desk: Desk, by: string | null): Promise<readonly SilenceRow[]> {
  const now = desk.asking.receivedAt;
  const { from, to } = desk.reading.time?.range ?? { from: now - 7 * DAY_MS, to: now };
  const looked = await desk.look(silences, { state: SILENCE_STATES });
  const isThen = (at: number): boolean => at >= from && at <= to;
  return looked.rows.filter(({ by: own, setAt }) => own === by && setAt !== null && isThen(Date.parse(setAt)));
}

/** Any verdict, or one with the judgement that is asked for: `root causes that were marked as wrong`. */
const isJudgedSo = (lower: string, text: string): boolean => {
  const of = /\bcauses?\b/.test(lower) ? 'cause' : String.raw`\w+`;
  if (/\b(?:wrong|incorrect)\b/.test(lower)) return new RegExp(`${of} wrong|too (?:many|few)`, 'i').test(text);
  return !/\b(?:right|correct)\b/.test(lower) || new RegExp(`${of} right`, 'i').test(text);
};
const ANY_CAUSE = /\b(?:an?|any|which|what) (?:root )?causes?\b|\broot causes\b/;

/** Users on call and escalation, by team. */
export async function tellDuty(desk: Desk, isOfEscalation: boolean, owners?: readonly string[]): Promise<void> {
  const isOfOwner = owners !== undefined;
  const tool = contributed(desk.asking.ports.questionTools, ON_CALL);
  // Teams have on-call settings, places have none.
  for (const thing of desk.reading.things) {
    desk.applied.add(thing);
    if (thing.kind === 'place') ignored(desk, [thing.said]);
  }
  const looked = tool === undefined ? null : await desk.look(tool, {});
  const all = looked?.rows ?? [];
  const { lower, things, time } = desk.reading;
  const named = all.filter(({ team }) => lower.includes(team.toLowerCase()));
  const words = [
    ...contentWords(desk.reading),
    ...things.flatMap(({ said, name }) => [said, ...name.split(/[_-]/)]),
    ...(owners ?? []).flatMap((text) => text.split(/\W+/)),
  ];
  const kindOf = ({ team, description }: (typeof all)[number]): number => speaksOf(`${team} ${description}`, words);
  const best = Math.max(0, ...all.map(kindOf));
  const fitting = best === 0 ? [] : all.filter((row) => kindOf(row) === best);
  if (isOfOwner && named.length + fitting.length === 0) return;
  for (const thing of isOfOwner ? things : []) desk.applied.add(thing);
  const rows = named.length > 0 ? named : fitting.length > 0 ? fitting : all;
  const { receivedAt } = desk.asking;
  // `at 3 in the morning` is the next one.
  const said = time !== null && time.range.to - time.range.from < DAY_MS / 2 ? instantOf(desk.reading) : null;
  const at = said === null ? receivedAt : said + (said < receivedAt ? DAY_MS : 0);
  if (looked === null || rows.length === 0) {
    desk.isAbstained = true;
    return desk.say(looked ?? (await contextOf(desk)))`Not known: no team has on-call settings.`;
  }
  for (const row of rows.slice(0, LISTED)) {
    const { team, hasCalendar, isStale, afterMinutes, next } = row;
    const shift = row.shifts.findLast(({ from, to }) => from <= at && at < to);
    const until = shift === undefined ? '' : ` until ${desk.clock.time(shift.to)}`;
    const now = shift === undefined ? (at === receivedAt ? row.now : null) : `${shift.name}${until}`;
    const escalated = afterMinutes !== null && next !== null;
    const there = isOfEscalation ? all.find((one) => one.team === next)?.now : null;
    const late = `after ${afterMinutes} minutes without an acknowledgment, its groups are assigned to ${next}${there == null ? '' : ` (on call: ${there})`}`;
    const then = escalated ? late : 'its groups are not escalated';
    const unknown = hasCalendar ? 'no user, by its calendar' : 'not known, no calendar is set';
    const duty = `${now ?? unknown}${isStale ? " (couldn't read the calendar again)" : ''}`;
    if (isOfEscalation) desk.say(row)`${team}: ${then}. On call: ${duty}.`;
    else desk.say(row)`On call for ${team}${at === receivedAt ? '' : ` at ${desk.clock.time(at)}`}: ${duty}; ${then}.`;
  }
  if (rows.length > LISTED) desk.say(looked)`${rows.length - LISTED} more teams.`;
}

/** Users on call for the team that fits the question or the fields of owners. False: no team does. */
export async function tellDutyOf(desk: Desk, owners: readonly string[]): Promise<boolean> {
  const said = desk.findings.claims.length;
  const { isAbstained } = desk;
  if (contributed(desk.asking.ports.questionTools, ON_CALL) !== undefined) await tellDuty(desk, false, owners);
  const isTold = desk.findings.claims.slice(said).some(({ text }) => text.startsWith('On call for'));
  if (!isTold) desk.findings.keep(said);
  desk.isAbstained = isAbstained;
  return isTold;
}

function tellSilence(desk: Desk, row: SilenceRow): void {
  const { kind, state, what, from, to, by, reason } = row;
  const { clock, reading } = desk;
  const until = to === null ? 'without an end' : `until ${clock.time(to)}`;
  if (state === 'past') {
    const end = row.endedBy === null ? 'ended' : `ended by ${row.endedBy}`;
    const set = row.by === null ? '' : `; set by ${row.by}`;
    const reasoned = reason === null ? '' : `: ${quotedNote(reason)}`;
    desk.say(row)`Silence of ${what}, ${end} ${to === null ? '' : clock.ago(to)}${set}${reasoned}.`;
    return;
  }
  const span = state === 'planned' && from !== null ? `planned from ${clock.time(from)} ${until}` : until;
  const missing = by === null ? ', with no user and no reason recorded' : ', with no reason recorded';
  const why = reason === null ? (/\b(?:why|who)\b/.test(reading.lower) ? missing : '') : `: ${quoted(reason)}`;
  const at =
    row.setAt === null || !/^(?:and )?(?:who|when)\b/.test(reading.lower) ? '' : `, set ${clock.ago(row.setAt)}`;
  const who = by === null ? at : `${at}, by ${by}`;
  desk.say(row)`${kind === 'silence' ? 'Silence' : 'Maintenance'} of ${what}, ${span}${who}${why}.`;
}

/** Silences with a word of the question, such as `the stage hosts`, in conditions or reason; else all of these. */
function spokenIn(lower: string, rows: readonly SilenceRow[]): readonly SilenceRow[] {
  const words = lower.match(/[a-z]{4,}/g)?.filter((word) => !PLAIN.has(word)) ?? [];
  const has = ({ what, reason }: SilenceRow): boolean =>
    words.some((word) => `${what} ${reason}`.toLowerCase().includes(word));
  return rows.some(has) ? rows.filter(has) : rows;
}

/** True for those of the last answer; a time of its own asks for all silences. */
const isOfLastList = ({ memory, reading: { time, shape } }: Desk): boolean =>
  memory.intent === 'silenced' &&
  (memory.list ?? []).length > 0 &&
  time === null &&
  !/\b(?:all|any|anything|other|what else)\b/.test(shape);

/** `did it hide anything`: the events that are suppressed, and those of the time that were. */
const HIDING =
  /\b(?:hide|hides|hid|hidden|swallow(?:ed|s)?)\b|\bdid (?:it|that|this|they|those|the silences?) (?:\w+ )?(?:suppress|silence|mute)\b|\b(?:which|what|how many|list|show) (?:\w+ ){0,2}(?:events?|alerts?|alarms?) .{0,20}\b(?:suppressed|silenced)\b/;
async function tellHidden(desk: Desk): Promise<void> {
  const { time } = desk.reading;
  const looked = await desk.look(events, { status: ['suppressed'], ...(time !== null && { time_range: time.text }) });
  const when = time === null ? 'now' : desk.clock.range(time.range);
  if (looked.total === 0) return desk.say(looked)`No event is suppressed ${when}.`;
  desk.say(looked)`${counted(looked.total, 'event is', 'events are')} suppressed ${when}.`;
  tellEvents(desk, looked, looked.rows, { most: LISTED });
}

/** The state and time of silences that a question means, with its words for them. */
function silencesMeant(desk: Desk) {
  const { shape, lower } = desk.reading;
  const isOfMaintenance = /\bmaintenance|downtime/.test(shape) && !/silenc|mute|suppress|snooz/.test(shape);
  const isOfEnd = ENDING.test(shape);
  const isPlanned =
    !isOfEnd &&
    !OF_PAST.test(shape) &&
    !HEARING.test(lower) &&
    (PLANNED.test(shape) || (AHEAD.test(lower) && !PAST.test(shape)));
  const isNow = !isPlanned && /\b(?:now|currently|at the moment|active|rn|in (?:a )?maintenance)\b/.test(shape);
  // Planned work is mostly a silence with a start.
  const [day, range] = isOfEnd || isPlanned ? aheadRange(desk) : (['', null] as const);
  const isEnding = isOfEnd && range !== null;
  const isThen = isEnding ? endsIn : lastsIn;
  const fits = ({ kind, state, from, to }: SilenceRow): boolean =>
    (!isOfMaintenance || isPlanned || kind === 'maintenance') &&
    (!isNow || state === 'active') &&
    (!isPlanned || state === 'planned') &&
    (range === null || isThen(range, from, to));
  const noun = isPlanned || isEnding ? 'silence or maintenance' : isOfMaintenance ? 'maintenance' : 'silence';
  const state = isPlanned ? `planned${day}` : isNow ? 'active now' : 'active or planned';
  const when = isEnding ? `ending${day}` : state;
  return { isOfMaintenance, isPlanned, isOfAll: !isPlanned && !isNow && !isEnding, fits, noun, when, range };
}
/** Silences without an end last for ever. */
const lastsIn = (range: Range, from: string | null, to: string | null): boolean =>
  (from === null || Date.parse(from) < range.to) && (to === null || Date.parse(to) > range.from);
const endsIn = (range: Range, _: string | null, to: string | null): boolean =>
  to !== null && Date.parse(to) > range.from && Date.parse(to) <= range.to;
const ENDING = /\b(?:end(?:s|ing)?|how long|expir\w*|until when|runs? out|running out)\b/;
const PLANNED =
  /\b(?:planned|plans?|scheduled|upcoming|coming|ahead|soon|about to|starting|tonight|tomorrow|later|next|will)\b/;

/** `will we hear about it`: a silence means no. */
const HEARING =
  /\b(?:hear|be (?:told|notified|alerted|paged|informed)|get (?:an? |any )?(?:alerts?|notifications?|pages?|mails?)|notice)\b/;
const OF_PAST =
  /\b(?:ended|stopped|removed|lifted|cancel\w*|expired|was|were|had)\b|\b(?:did|has|have|who) .{0,40}\b(?:silenc|mut|suppress|snooz|end|stop|remov|lift|cancel)/;
const WHY_ENDED = /\bwhy\b.*\b(?:end|stop|remov|lift|cancel)/;

/** `how do I silence it`: the steps. */
const HOW_TO =
  /^(?:and |so )?how (?:to|(?:do|can|should|could|would) (?:i|we|you|one))\b.{0,20}\b(?:silenc|mut|suppress|snooz)/;
function tellSteps({ lead, reading: { things } }: Desk): void {
  const where = things.length === 0 ? 'an event, a group or a CI' : `${namesOf(things)}, or on an event or group`;
  lead.push(
    `Select Silence… on ${where}, or Create silence at /silences in the console, and set conditions, end and reason; ` +
      'the preview counts the events that match. By API: POST /api/events/silences.',
  );
}

/** Silences and maintenance, of all or of a thing; now, planned or past. */
export async function silenced(desk: Desk): Promise<void> {
  const { reading, memory } = desk;
  if (HOW_TO.test(reading.lower)) {
    tellSteps(desk);
    if (reading.things.length === 0) return;
  }
  if (HIDING.test(reading.lower)) return tellHidden(desk);
  const { isOfMaintenance, isPlanned, isOfAll, fits, noun, when, range } = silencesMeant(desk);
  const isOfTalk = reading.pointsBack || (memory.intent === 'silenced' && memory.subject !== undefined);
  const things = reading.things.length > 0 || isOfTalk ? await meantThings(desk) : [];
  const [first] = things;
  const isOfPast = OF_PAST.test(reading.shape);
  const state = isOfPast ? SILENCE_STATES : undefined;
  const looked = await desk.look(silences, { ci: some(idsOf(things)), state });
  // A silence of a part of the name, such as a host that is no CI.
  const every = first === undefined ? looked : await desk.look(silences, { state });
  const isNamed = ({ what }: SilenceRow): boolean =>
    things.some(({ said }) => what.toLowerCase().includes(said.toLowerCase()));
  const named = looked.rows.length > 0 && !isOfPast ? [] : every.rows.filter(isNamed);
  const related = [...new Map([...named, ...looked.rows].map((row) => [row.id, row])).values()];
  const isOfLast = first === undefined && isOfAll && isOfLastList(desk);
  const over = isOfPast ? related.filter((row) => row.state === 'past') : [];
  for (const row of over.slice(-LISTED)) tellSilence(desk, row);
  if (over.length > 0 && WHY_ENDED.test(reading.lower)) desk.say(looked)`Why it was ended is not recorded.`;
  const still = over.length > 0 ? related.filter(({ state: one }) => one !== 'past') : [];
  for (const row of still.slice(0, LISTED)) tellSilence(desk, row);
  if (over.length > 0 && first !== undefined) return desk.rememberThing(first);
  const meant = related.filter((row) => (isOfLast ? memory.list?.includes(row.what) : fits(row)));
  const found = first === undefined ? spokenIn(reading.lower, meant) : meant;
  desk.remember({ list: found.slice(0, LISTED).map(({ what }) => what) });
  if (first === undefined) desk.remember({ subject: undefined });
  else desk.rememberThing(first);
  const subject = namesOf(things);
  const isOfChanges = isPlanned && !/silenc|mute|suppress|snooz/.test(reading.shape);
  const judged = isOfChanges ? await assessed(desk, things, range) : [];
  if (found.length === 0) {
    if (first === undefined) desk.say(looked)`No ${noun} is ${when}.`;
    else if (HEARING.test(reading.lower))
      desk.say(looked)`Yes, as far as is known: no ${noun} of ${subject} is ${when}.`;
    else desk.say(looked)`No: no ${noun} of ${subject} is ${when}.`;
    if (judged.length > 0) return tellAssessed(desk, judged);
    return tellOthers(desk, related.length > 0 || first !== undefined ? related : every.rows);
  }
  if (first !== undefined && !isPlanned && named.length === 0) {
    const isWhole = things.every(({ kind }) => kind === 'ci');
    const yes = HEARING.test(reading.lower) ? (isWhole ? 'No' : 'Not of all') : isWhole ? 'Yes' : 'In part';
    const how = isOfMaintenance ? 'is in maintenance' : 'is silenced';
    const answer = /^(?:and |so )?(?:why|how long)\b/.test(reading.lower) ? '' : `${yes}: `;
    if (found.some(({ state }) => state === 'active')) desk.say(looked)`${answer}${subject} ${how} now.`;
    else desk.say(looked)`Not now: ${noun} of ${subject} is planned.`;
  } else {
    const yes = isPlanned && /^(?:is|are|any|anything|do|does|have|will)\b/.test(reading.shape) ? 'Yes: ' : '';
    const many =
      isOfMaintenance && !isPlanned
        ? counted(found.length, 'maintenance')
        : counted(found.length, 'silence or maintenance', 'silences and maintenances');
    const all = isOfLast && found.length < looked.rows.length ? `spoken of, of ${looked.rows.length} in all ` : '';
    desk.say(looked)`${yes}${many} ${all}${when}.`;
  }
  for (const row of found.slice(0, LISTED)) tellSilence(desk, row);
  if (found.length > LISTED) desk.say(looked)`${found.length - LISTED} more.`;
  tellAssessed(desk, judged);
}

const DAY_MS = 86_400_000;
const WEEKDAYS = wordsIn('monday tuesday wednesday thursday friday saturday sunday');
/** Future days, if nothing past is asked for. */
const AHEAD = /\b(?:tonight|tomorrow|weekend|next week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/;
const PAST = /\b(?:was|were|had|did|last)\b/;

/** The range of `tonight`, until six, of `tomorrow`, `this week`, `saturday`; null: any later time. */
function aheadRange({ asking, reading: { lower } }: Desk): readonly [string, Range | null] {
  const calendar = calendarOf(asking.zone);
  const today = calendar.startOf('day', asking.receivedAt);
  const { weekday } = calendar.shown(today);
  const from = (days: number): number => calendar.add(today, days, 'day');
  if (/\btonight\b/.test(lower)) return [' tonight', { from: asking.receivedAt, to: from(1) + DAY_MS / 4 }];
  const days = WEEKDAYS.map((day, at) => [day, (at + 8 - weekday) % 7, 1, ` on ${capital(day)}`] as const);
  const all = [
    ['tomorrow', 1, 1, ' tomorrow'],
    ['weekend', Math.max(0, 6 - weekday), 8 - Math.max(6, weekday), ' at the weekend'],
    ['next week', 8 - weekday, 7, ' next week'],
    ['this week', 0, 8 - weekday, ' this week'],
    ['today', 0, 1, ' today'],
    ...days,
  ] as const;
  const said = all.find(([words]) => lower.includes(words));
  return said === undefined ? ['', null] : [said[3], { from: from(said[1]), to: from(said[1] + said[2]) }];
}

/** Changes that were assessed for the time, on the things, or of all. */
async function assessed(desk: Desk, things: readonly Thing[], range: Range | null) {
  const tool = contributed(desk.asking.ports.questionTools, PLANNED_CHANGES);
  const looked = tool === undefined ? null : await desk.look(tool, {});
  const isOn = isOnAny(things);
  const isThen = ({ from, to }: PlannedRow): boolean => range === null || lastsIn(range, from, to);
  return (looked?.rows ?? []).filter((row) => (things.length === 0 || isOn(row)) && isThen(row));
}
/** An assessment schedules no change. */
function tellAssessed(desk: Desk, rows: readonly PlannedRow[]): void {
  for (const row of rows.slice(0, LISTED)) {
    const { change, ciName, from, level, score, by } = row;
    desk.say(row)`Risk assessment, which is no scheduled change: ${change} of ${ciName}, planned for
      ${desk.clock.time(from)}: ${level}, ${score} of 100${by === null ? '' : `, by ${by}`}.`;
  }
}

/** Silences of other times or kinds, where the question finds none. */
function tellOthers(desk: Desk, rows: readonly SilenceRow[]): void {
  for (const state of ['active', 'planned'] as const)
    for (const row of rows.filter((one) => one.state === state).slice(0, LISTED / 2)) tellSilence(desk, row);
}
