import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import { stemOf } from '#domain/search/stem.ts';
import { capital } from '#domain/text.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { stemsOf } from '#features/questions/rules/asking/speaks-of.ts';
import { wordsIn } from '#features/questions/rules/query.ts';
import { changes, events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { wordsOf } from '#features/questions/use-cases/tools/kinds/group-course.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type SilenceRow, silences } from '#features/questions/use-cases/tools/kinds/silences.ts';
import { type ActionRow, whoActed } from '#features/questions/use-cases/tools/kinds/who.ts';
import { type Desk, namesOf, onThings, quoted } from '../desk.ts';
import { inFull, meantIncident } from '../meant-incident.ts';
import { meantThings } from '../meant-things.ts';
import { unheardOf } from '../read-message.ts';
import { tellEvents } from '../tell-events.ts';
import { headline, tellRows, titled } from '../tell-incident.ts';
import { idsOf } from '../things.ts';

const LISTED = 8;

/** Groups, and events in none, of an assignee, or unassigned ones. */
export async function assigned(desk: Desk): Promise<void> {
  const { reading, clock } = desk;
  const { care, time, severities, shape } = reading;
  const assignee = care.assignee ?? 'none';
  const isUntouched = assignee === 'none' && UNTOUCHED.test(shape);
  const isNew = /\bun-?ack\w*|\bnot (?:yet |been )?ack/.test(shape);
  const looked = await desk.look(incidents, {
    assignee,
    ...(severities.length > 0 && { severity: [...severities] }),
    ...(isNew && { status: 'active' }),
    ...(time !== null && { time_range: time.text }),
  });
  if (looked.run.error !== null) return;
  const isOfAll = reading.things.length === 0;
  const ids = new Set(idsOf(reading.things));
  const isOn = ({ cis }: ToolIncidentRow): boolean => isOfAll || cis.some((id) => ids.has(id));
  // An event of a group may be assigned alone.
  const single = assignee === 'none' || time !== null ? null : await desk.look(events, { assignee });
  const known = new Set(looked.rows.map(({ id }) => id));
  const alone = (single?.rows ?? []).filter(
    (row) => !known.has(row.groupId ?? row.eventId) && (isOfAll || ids.has(row.ciId ?? '')),
  );
  const own = looked.rows.filter(isOn);
  const rows = isUntouched ? own.filter((row) => row.acknowledgedBy === null && row.state === 'active') : own;
  const count = (isOfAll ? looked.total - (own.length - rows.length) : rows.length) + alone.length;
  const kind = severities.length === 0 ? '' : `${severities.join(' or ')} `;
  const open = time === null ? 'unresolved ' : '';
  const when = time === null ? '' : ` ${clock.range(time.range)}`;
  const where = onThings(reading.things);
  const how =
    assignee !== 'none' ? `assigned to ${assignee}` : isUntouched ? 'unassigned and unacknowledged' : 'unassigned';
  const noun = `${open}${kind}group or event`;
  const many = count === 0 ? `No ${noun}` : counted(count, noun, `${open}${kind}groups and events`);
  desk.say(`${many}${where}${when} ${count > 1 ? 'are' : 'is'} ${how}.`, looked);
  const taken = assignee === 'none' ? own.filter(({ acknowledgedBy }) => acknowledgedBy !== null) : [];
  await tellRows(desk, looked, rows);
  if (single !== null) tellEvents(desk, single, alone);
  if (rows.length === 0 && alone[0] !== undefined) desk.remember({ incident: alone[0].groupId ?? alone[0].eventId });
  for (const row of taken.slice(0, LISTED))
    desk.say(`Unassigned, but acknowledged by ${row.acknowledgedBy}: ${headline(row)}.`, row);
}

/** `nobody has picked it up`: neither assigned nor acknowledged. */
const UNTOUCHED =
  /\b(?:nobody|no ?one|(?:not|hasn't|haven't) (?:yet |been ){0,2}(?:taken|picked)|unclaimed|up for grabs|untouched|unattended|unhandled)\b(?!.{0,30}\b(?:own|assign))/;

const KINDS: readonly (readonly [said: RegExp, kinds: readonly ActionRow['kind'][], noun: string])[] = [
  [
    /\b(?:decid\w*|verdicts?|confirm\w*|reject\w*|judged?|(?:(?:mark|flag|rat)\w* .{0,40}|causes? (?:was |is |were |are |being )?)(?:wrong|right|correct|incorrect))\b/,
    ['verdict'],
    'verdict',
  ],
  [/\b(?:notes?|noted|comments?|commented|wr[io]te|written|sa(?:y|id)|mention(?:ed)?)\b/, ['note', 'status'], 'note'],
  [/\back/, ['status'], 'acknowledgement'],
  [/\b(?:closed?|resolved?|fixed)\b/, ['status'], 'resolution'],
];
const PROBLEM = /\b(?:problem|issue|incident|outage|thing|trouble)\b/;
const STATUS: Readonly<Record<string, RegExp>> = { acknowledgement: /acknowledge/i, resolution: /resolve|close/i };

/** Notes and other user actions: of a group, of a CI, of a user, or of a time. */
export async function notes(desk: Desk): Promise<void> {
  const { reading, memory, clock } = desk;
  const { care, time, lower, things } = reading;
  const [, kinds, noun] = KINDS.find(([said]) => said.test(lower)) ?? [null, undefined, 'user action'];
  const isOfAny = care.by !== null || (noun === 'verdict' && ANY_CAUSE.test(lower));
  const isOfTalk = things.length === 0 && time === null && (!isOfAny || reading.pointsBack);
  const isProblem = things.length > 1 || things.some(({ cis }) => cis.length !== 1) || PROBLEM.test(reading.shape);
  const meant = reading.ids.length === 0 && isProblem && care.by === null ? await meantIncident(desk) : null;
  const [id = isOfTalk ? memory.incident : meant?.id] = reading.ids;
  const [only] = things.flatMap(({ cis }) => cis);
  const by = care.by ?? (things.length === 0 && reading.ids.length === 0 ? care.person : null);
  const edits =
    kinds === undefined && by !== null ? await desk.look(changes, { by, time_range: desk.within(7).time_range }) : null;
  const what = {
    ...(kinds !== undefined && { kind: [...kinds] }),
    ...(by !== null && { by }),
    ...(time !== null && { time_range: time.text }),
  };
  const looked = await desk.look(whoActed, {
    ...what,
    ...(id === undefined ? only !== undefined && { ci: only.id } : { group: id }),
  });
  const rows = looked.rows.filter(({ kind, text }) =>
    noun === 'note' ? wordsOf(kind, text) !== null : (STATUS[noun]?.test(text) ?? isJudgedSo(lower, text)),
  );
  const full = id === undefined ? null : await inFull(desk, id);
  const named = things.length === 0 ? null : namesOf(things);
  const subject = full === null ? (id ?? named) : headline(full);
  const whose = by === null ? '' : ` by ${by}`;
  const where = subject === null ? '' : ` on ${subject}`;
  const when = time === null && id !== undefined ? '' : ` ${desk.within(7).when}`;
  if (id !== undefined) desk.remember({ incident: id });
  const set = edits === null ? [] : await silencesBy(desk, by);
  const isIdle = rows.length + set.length === 0;
  if (edits !== null && (edits.rows.length > 0 || isIdle)) {
    desk.say(`${edits.rows.length === 0 ? 'No change' : counted(edits.rows.length, 'change')}${whose}${when}.`, edits);
    for (const row of edits.rows.slice(0, LISTED)) desk.say(`${titled(row)}, ${clock.ago(row.at)}.`, row);
  }
  for (const row of set.slice(0, LISTED)) tellSilence(desk, row);
  if (rows.length === 0 && set.length > 0) return;
  if (rows.length === 0) return desk.say(`No ${noun}${whose} is recorded${where}${when}.`, looked);
  desk.say(`${counted(rows.length, noun)}${whose}${where}${when}.`, looked);
  for (const row of rows.slice(-LISTED)) {
    const other = id === undefined ? await inFull(desk, row.of) : null;
    const of = other === null ? '' : ` on ${headline(other)}`;
    desk.say(`${row.by}, ${clock.ago(row.at)}: ${quoted(row.text)}${of}.`, row);
  }
}

/** Silences and maintenance that a user has set, in the time of the question, else in the last week. */
async function silencesBy(desk: Desk, by: string | null): Promise<readonly SilenceRow[]> {
  const now = desk.asking.receivedAt;
  const { from, to } = desk.reading.time?.range ?? { from: now - 7 * DAY_MS, to: now };
  const looked = await desk.look(silences, { state: [...SILENCE_STATES] });
  return looked.rows.filter(
    ({ by: own, setAt }) => own === by && setAt !== null && Date.parse(setAt) >= from && Date.parse(setAt) <= to,
  );
}

/** Any verdict, or one with the judgement that is asked for: `root causes that were marked as wrong`. */
const isJudgedSo = (lower: string, text: string): boolean => {
  const of = /\bcauses?\b/.test(lower) ? 'cause' : String.raw`\w+`;
  if (/\b(?:wrong|incorrect)\b/.test(lower)) return new RegExp(`${of} wrong|too (?:many|few)`, 'i').test(text);
  return !/\b(?:right|correct)\b/.test(lower) || new RegExp(`${of} right`, 'i').test(text);
};
const ANY_CAUSE = /\b(?:an?|any|which|what) (?:root )?causes?\b|\broot causes\b/;

const MOST_NOTED = 6;
/** Notes with words that no title has: `when does the optic get here`. False: there are none. */
export async function tellNoted(desk: Desk): Promise<boolean> {
  const { topic, strange } = desk.reading;
  if (topic.length + strange.length > MOST_NOTED) return false;
  // The words of the topic are known where others are strange.
  const unheard = strange.length > 0 ? strange : await unheardOf(desk.asking, topic);
  if (unheard.length === 0) return false;
  const { incident: group } = desk.memory;
  const calls = desk.runs.length;
  const params = { kind: ['note', 'status'] } as const;
  const fits = ({ kind, text }: ActionRow): boolean => {
    const stems = new Set(stemsOf(wordsOf(kind, text) ?? ''));
    return unheard.every((word) => stems.has(stemOf(word)));
  };
  const own = group === undefined ? null : await desk.look(whoActed, { ...params, kind: [...params.kind], group });
  const looked = own?.rows.some(fits) ? own : await desk.look(whoActed, { kind: [...params.kind] });
  const rows = looked.rows.filter(fits).slice(-LISTED);
  for (const row of rows) {
    const of = await inFull(desk, row.of);
    if (of !== null) desk.remember({ incident: of.id });
    desk.say(
      `Noted by ${row.by}, ${desk.clock.ago(row.at)}: ${quoted(wordsOf(row.kind, row.text) ?? '')}${of === null ? '' : ` on ${headline(of)}`}.`,
      row,
    );
  }
  // Calls that found nothing are no evidence of the answer.
  if (rows.length === 0) desk.runs.length = calls;
  return rows.length > 0;
}

function tellSilence(desk: Desk, row: SilenceRow): void {
  const { kind, state, what, from, to, by, reason } = row;
  const { clock } = desk;
  const until = to === null ? 'without an end' : `until ${clock.time(to)}`;
  const span = state === 'planned' && from !== null ? `planned from ${clock.time(from)} ${until}` : until;
  const why = `${by === null ? '' : `, by ${by}`}${reason === null ? '' : `: ${quoted(reason)}`}${reason === null && /\b(?:why|who)\b/.test(desk.reading.lower) ? `, with no ${by === null ? 'user and no ' : ''}reason recorded` : ''}`;
  desk.say(`${kind === 'silence' ? 'Silence' : 'Maintenance'} of ${what}, ${span}${why}.`, row);
}

/** Silences that a question means: those of the last answer, else by its conditions; of these those with a word of it. */
function spokenSilences(
  { memory, reading: { lower } }: Desk,
  rows: readonly SilenceRow[],
  fits: (row: SilenceRow) => boolean,
  isOfThings: boolean,
  isOfLast: boolean,
): readonly SilenceRow[] {
  const last = isOfLast ? new Set(memory.list) : null;
  const all = rows.filter((row) => (last === null ? fits(row) : last.has(row.what)));
  // `the stage hosts`: a word of the conditions or the reason.
  const words = lower.match(/[a-z]{4,}/g)?.filter((word) => !PLAIN.has(word)) ?? [];
  const spoken = all.filter(({ what, reason }) =>
    words.some((word) => `${what} ${reason}`.toLowerCase().includes(word)),
  );
  return !isOfThings && spoken.length > 0 ? spoken : all;
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
  if (looked.total === 0) return desk.say(`No event is suppressed ${when}.`, looked);
  desk.say(`${counted(looked.total, 'event is', 'events are')} suppressed ${when}.`, looked);
  tellEvents(desk, looked, looked.rows, { most: LISTED });
}

/** Silences and maintenance, of all or of a thing; now, planned or past. */
export async function silenced(desk: Desk): Promise<void> {
  if (HIDING.test(desk.reading.lower)) return tellHidden(desk);
  const { shape: lower } = desk.reading;
  const isOfMaintenance = /\bmaintenance|downtime/.test(lower) && !/silenc|mute|suppress|snooz/.test(lower);
  const isEnding = /\b(?:end(?:s|ing)?|expir\w*|until when|runs? out|running out)\b/.test(lower);
  const isPlanned =
    !isEnding &&
    (/\b(?:planned|scheduled|upcoming|coming|ahead|soon|about to|starting|tonight|tomorrow|later|next|will)\b/.test(
      lower,
    ) ||
      (AHEAD.test(desk.reading.lower) && !PAST.test(lower)));
  const isNow = !isPlanned && /\b(?:now|currently|at the moment|active|rn|in (?:a )?maintenance)\b/.test(lower);
  const isOfTalk = desk.reading.pointsBack || (desk.memory.intent === 'silenced' && desk.memory.subject !== undefined);
  const things = desk.reading.things.length > 0 || isOfTalk ? await meantThings(desk) : [];
  const ids = idsOf(things);
  // Planned work is mostly a silence with a start.
  const [day, range] = isPlanned ? plannedRange(desk) : ['', null];
  const fits = ({ kind, state, from, to }: SilenceRow): boolean =>
    (!isOfMaintenance || isPlanned || kind === 'maintenance') &&
    (!isNow || state === 'active') &&
    (!isPlanned || state === 'planned') &&
    (range === null ||
      ((from === null || Date.parse(from) < range.to) && (to === null || Date.parse(to) > range.from)));
  const noun = isPlanned ? 'silence or maintenance' : isOfMaintenance ? 'maintenance' : 'silence';
  const when = isPlanned ? `planned${day}` : isNow ? 'active now' : 'active or planned';
  const subject = namesOf(things);
  const looked = await desk.look(silences, ids.length === 0 ? {} : { ci: ids });
  // A silence of a part of the name, such as a host that is no CI.
  const every = things.length === 0 ? looked : await desk.look(silences, {});
  const isNamed = ({ what }: SilenceRow): boolean =>
    things.some(({ said }) => what.toLowerCase().includes(said.toLowerCase()));
  const named = looked.rows.length > 0 ? [] : every.rows.filter(isNamed);
  const isOfLast = things.length === 0 && !isPlanned && !isNow && isOfLastList(desk);
  const found = spokenSilences(desk, [...looked.rows, ...named], fits, things.length > 0, isOfLast);
  desk.remember({ list: found.slice(0, LISTED).map(({ what }) => what) });
  const [first] = things;
  if (first === undefined) desk.remember({ subject: undefined });
  else desk.rememberThing(first);
  const isActive = found.some(({ state }) => state === 'active');
  if (found.length === 0) {
    desk.say(things.length === 0 ? `No ${noun} is ${when}.` : `No: no ${noun} of ${subject} is ${when}.`, looked);
    const related = [...looked.rows, ...named];
    return tellOthers(desk, related.length > 0 || things.length > 0 ? related : every.rows);
  }
  if (things.length > 0 && !isPlanned && named.length === 0)
    desk.say(
      isActive
        ? `${things.every(({ kind }) => kind === 'ci') ? 'Yes' : 'In part'}: ${subject} ${isOfMaintenance ? 'is in maintenance' : 'is silenced'} now.`
        : `Not now: ${noun} of ${subject} is planned.`,
      looked,
    );
  else {
    const yes = isPlanned && /^(?:is|are|any|anything|do|does|have|will)\b/.test(lower) ? 'Yes: ' : '';
    const [one, several] =
      isOfMaintenance && !isPlanned ? ['maintenance'] : ['silence or maintenance', 'silences and maintenances'];
    const all = isOfLast && found.length < looked.rows.length ? `spoken of, of ${looked.rows.length} in all ` : '';
    desk.say(`${yes}${counted(found.length, one as string, several)} ${all}${when}.`, looked);
  }
  for (const row of found.slice(0, LISTED)) tellSilence(desk, row);
  if (found.length > LISTED) desk.say(`${found.length - LISTED} more.`, looked);
}

const DAY_MS = 86_400_000;
const WEEKDAYS = wordsIn('monday tuesday wednesday thursday friday saturday sunday');
/** Future days, if nothing past is asked for. */
const AHEAD = /\b(?:weekend|next week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/;
const PAST = /\b(?:was|were|had|did|last)\b/;

/** The range of `tonight`, until six, of `tomorrow`, `saturday`, `the weekend`, `next week`; null: any later time. */
function plannedRange({ asking, reading: { lower } }: Desk): readonly [string, Range | null] {
  const calendar = calendarOf(asking.zone);
  const today = calendar.startOf('day', asking.receivedAt);
  const { weekday } = calendar.shown(today);
  const from = (days: number): number => calendar.add(today, days, 'day');
  if (/\btonight\b/.test(lower)) return [' tonight', { from: asking.receivedAt, to: from(1) + DAY_MS / 4 }];
  if (/\btomorrow\b/.test(lower)) return [' tomorrow', { from: from(1), to: from(2) }];
  if (/\bnext week\b/.test(lower)) return [' next week', { from: from(8 - weekday), to: from(15 - weekday) }];
  if (/\bweekend\b/.test(lower))
    return [' at the weekend', { from: from(Math.max(0, 6 - weekday)), to: from(8 - weekday) }];
  const named = WEEKDAYS.findIndex((day) => lower.includes(day));
  if (named < 0) return ['', null];
  const days = (named + 8 - weekday) % 7;
  return [` on ${capital(WEEKDAYS[named] ?? '')}`, { from: from(days), to: from(days + 1) }];
}

/** Silences of other times or kinds, where the question finds none. */
function tellOthers(desk: Desk, rows: readonly SilenceRow[]): void {
  for (const state of ['active', 'planned'] as const)
    for (const row of rows.filter((one) => one.state === state).slice(0, LISTED / 2)) tellSilence(desk, row);
}
