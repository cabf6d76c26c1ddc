import { claimOf } from '#features/questions/rules/asking/denial.ts';
import type { Intent } from '#features/questions/rules/asking/intents.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { meaningIn, rankRecords } from '#features/questions/rules/asking/rank-records.ts';
import { STOP } from '#features/questions/rules/grammar/words.ts';
import { wordsIn } from '#features/questions/rules/query.ts';
import { incidents } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type RecordedRow, recorded } from '#features/questions/use-cases/tools/kinds/recorded.ts';
import { type ActionRow, whoActed } from '#features/questions/use-cases/tools/kinds/who.ts';
import { type Desk, onPlace, quoted, quotedNote, some } from './desk.ts';
import { subjectsOf } from './meant-things.ts';
import type { MessageReading } from './read-message.ts';
import { idsOf } from './things.ts';

/** The question without names, times and people. */
function bareText({ lower, things, time, asked, care }: MessageReading): string {
  const conditions = asked.entities.flatMap(({ kind, text }) => (kind === 'time' ? [text] : []));
  const people = care.person?.split(' ') ?? [];
  return [
    ...things.filter(({ kind }) => kind !== 'type').map(({ said }) => said),
    time?.text ?? '',
    ...people,
    ...conditions,
  ]
    .filter((text) => text.length > 2)
    .reduce((left, text) => left.replaceAll(text.toLowerCase(), ' '), lower);
}

/** Words of a question beside names, times, people and words of the language. */
export const contentWords = (reading: MessageReading): readonly string[] =>
  [...new Set(bareText(reading).match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [])].filter(
    (word) => word.length > 2 && !PLAIN.has(word) && !STOP.has(word),
  );

const MAX_CIS = 60;
const SHOWN = 3;

/** Records about the words and the subject of the question, the best first. */
async function recordsFor(desk: Desk): Promise<readonly RecordedRow[]> {
  const { reading, memory, asking } = desk;
  const text = bareText(reading).trim().slice(0, 2_000);
  if (!/\p{L}{2}/u.test(text)) return [];
  const named = idsOf(subjectsOf(reading.things).filter(({ kind }) => kind !== 'type')).slice(0, MAX_CIS);
  const isOfTalk = named.length === 0 && reading.missing.length === 0;
  const current = asking.current?.id ?? memory.current;
  const ci = named.length > 0 ? named : isOfTalk && current !== null && reading.pointsBack ? [current] : [];
  const group = isOfTalk ? memory.incident : undefined;
  const by = reading.care.person ?? undefined;
  const about = reading.things
    .flatMap(({ kind, name, said }) => (kind === 'type' || kind === 'place' ? [] : [name, said]))
    .slice(0, 8);
  const { rows } = await desk.look(recorded, { text, ci: some(ci), about: some(about), group, by });
  return rows;
}

const isOfNames = ({ things }: MessageReading): boolean =>
  things.some(({ kind, cis }) => kind !== 'type' && cis.length > 0);

/** A record answers if it has enough words of the question, and is about its names. */
function fits({ reading, memory }: Desk, { covered, shared, nearness, by }: RecordedRow): boolean {
  const { person } = reading.care;
  if (person !== null && by === person) return covered >= 0.3 || (nearness > 0 && covered > 0.1);
  if (isOfNames(reading) || reading.missing.length > 0) return nearness > 0 && covered >= 0.3;
  if (nearness > 0) return covered >= 0.35;
  const isInTalk = (memory.incident ?? memory.current ?? null) !== null;
  return covered >= (isInTalk ? 0.8 : 0.5) && shared.length > 0;
}

const BY_PEOPLE: readonly RecordedRow['kind'][] = wordsIn(
  'note verdict split silence maintenance plan edit change runbook',
);

function tellRow(desk: Desk, row: RecordedRow): void {
  const { kind, text, about, by, at, to, risk, overSince, isOver } = row;
  const { clock } = desk;
  const when = at === null ? '' : `, ${clock.ago(at)}`;
  const who = by === null ? '' : `, by ${by}`;
  const over =
    overSince === null ? '' : ` The ${isOver ? 'incident' : 'event that began it'} ended ${clock.ago(overSince)}.`;
  const span = [at === null ? 'now' : clock.time(at), to === null ? 'an open end' : clock.time(to)].join(' to ');
  const reason = text === '' ? '' : `: ${quotedNote(text)}`;
  if (kind === 'note') desk.say(row)`${by} noted${when} on ${about}: ${quotedNote(text)}.${over}`;
  else if (kind === 'verdict') desk.say(row)`Verdict of ${by}${when} on ${about}: ${quotedNote(text)}.${over}`;
  else if (kind === 'split')
    desk.say(
      row,
    )`${by} changed the group of ${about}${when}: ${quotedNote(text.replace(/EVT-\w+(?:, )?/g, '').replace(/^split\W*/, 'split: '))}.`;
  else if (kind === 'silence')
    desk.say(row)`Silence of ${about}, ${span}${overSince === null ? '' : ' (over)'}${who}${reason}.`;
  else if (kind === 'maintenance')
    desk.say(row)`${about} is in maintenance${to === null ? when : `, ${span}`}${who}; its events are suppressed.`;
  else if (kind === 'plan') desk.say(row)`Planned: ${quoted(text)} (${about}), ${span}${who}; risk ${risk}.`;
  else if (kind === 'runbook') desk.say(row)`Runbook${about === '' ? '' : ` for ${about}`}: ${text}`;
  else if (kind === 'event' && at !== null)
    desk.say(
      row,
    )`${quoted(text)}${onPlace(about)}: ${to === null ? `open since ${clock.ago(at)}` : clock.span(at, to)}.`;
  else desk.say(row)`${quoted(text)}${onPlace(about)}${when}${who}.`;
}

/** Each record in a sentence, once. */
function tellRows(desk: Desk, rows: readonly RecordedRow[], isOfTalk = false): void {
  const keyOf = ({ kind, text, about }: RecordedRow): string => `${kind} ${text} ${kind === 'event' ? '' : about}`;
  const [best] = rows;
  const { person } = desk.reading.care;
  // A deed of another user does not bear out a question about this one.
  if (best !== undefined && person !== null && rows.every(({ by }) => by !== null && by !== person))
    desk.say(best)`Not by ${person}, as far as is recorded.`;
  const seen = new Set<string>();
  for (const row of rows) {
    if (seen.has(keyOf(row)) || seen.size === SHOWN || (!isOfTalk && row.score < (best?.score ?? 0) * 0.7)) continue;
    seen.add(keyOf(row));
    tellRow(desk, row);
  }
  if (best?.of != null) desk.remember({ incident: best.of });
}

/** Questions by their kind, each with the words of a record that answer it. */
const ASKS: readonly (readonly [asked: RegExp, said: RegExp])[] = [
  [
    /\b(?:when|until|how long|what time|eta)\b/,
    /\b\d{1,2}:\d{2}\b|\b\d+ (?:minute|hour|day|week)s?\b|\b(?:tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
  ],
  [/\bhow (?:many|much)\b/, /\d/],
  [/\b(?:can|may|could|should|must) (?:i|we|they)\b/, /\b(?:don't|do not|not|never|wait\w*|must|only|before|until)\b/i],
  [/\b(?:him|he|she|her)\b/, /\b(?:he|him|she|her)\b/i],
];
const SPAN = /\b(?:when|until|how long|what time)\b/;
const OF_RUNBOOKS = /\b(?:run|play)books?\b/;
const REFERS = /\b(?:same|as well|also|too|then)\b/;

/** Records of the talk, or akin to them, that answer a follow-up; `isLast`: nothing else answers it. */
async function talkRows(desk: Desk, isLast: boolean): Promise<readonly RecordedRow[]> {
  const { reading, memory, asking } = desk;
  const { lower, things, ids, titles, pointsBack } = reading;
  const { told = [] } = memory;
  const words = meaningIn(bareText(reading));
  const asked = ASKS.filter(([kind]) => kind.test(lower));
  const named = things.filter(({ kind }) => kind !== 'type');
  const isNone = words.length + asked.length + named.length === 0;
  if (told.length === 0 || isNone || ids.length + titles.length > 0) return [];
  const current = asking.current?.id ?? memory.current;
  const about = { ci: some(current === null ? [] : [current]), group: memory.incident };
  const { rows } = await desk.look(recorded, { text: told.join(' ').slice(0, 2_000), ...about });
  const namesIn = (text: string): boolean =>
    named.every(({ name, said, cis }) =>
      [name, said, ...cis.map((one) => one.name)].some((one) => text.toLowerCase().includes(one.toLowerCase())),
    );
  const known = rows.filter(({ kind }) => BY_PEOPLE.includes(kind));
  const isBare = words.length === 0 && pointsBack && reading.intent === null;
  return rankRecords(words, known)
    .flatMap(({ record, shared }) => {
      const covered = shared.length / Math.max(1, words.length);
      const { text, about: subject, nearness, to } = record;
      const isTold = told.some((one) => text.includes(one.slice(0, 40)));
      const hasSpan = SPAN.test(lower) && to !== null;
      const isAsked = hasSpan || asked.some(([, said]) => said.test(text));
      const isOther = named.length > 0 && isTold && namesIn(text);
      const isNew = isOther && (namesIn(subject) ? isAsked && pointsBack : pointsBack || REFERS.test(lower));
      // Words of the quoted records in a runbook make it one for their problem.
      const isRunbook = record.kind === 'runbook' && OF_RUNBOOKS.test(lower) && record.shared.length > 1;
      const isSame = shared.some((word) => record.shared.includes(word) && text.toLowerCase().includes(word));
      const isAkin = isTold || nearness > 0 || (hasSpan && isSame);
      const isShared = shared.length > 0 && (covered >= 0.5 || isAsked) && isAkin;
      const isFit = named.length > 0 ? isNew : isRunbook || isShared || ((isLast || isBare) && isTold && isAsked);
      return isFit ? [{ record, score: covered + Number(hasSpan) + Number(isTold) / 2 }] : [];
    })
    .toSorted((a, b) => b.score - a.score)
    .filter(({ score }, _, [best]) => score >= (best?.score ?? 0) * 0.7)
    .map(({ record }) => record);
}

/** Answers a follow-up from the records of the talk. False: none of them does. */
export async function tellFromTalk(desk: Desk, isLast = false): Promise<boolean> {
  const rows = await talkRows(desk, isLast);
  tellRows(desk, rows, true);
  return rows.length > 0;
}

const OF_MERGES =
  /\b(?:taken|took|kicked|removed) (?:out )?(?:of|from) .{0,12}\bgroup\b|\bgroups?\b.*\b(?:merged?|joined|split|apart|vanish\w*|disappear\w*|gone|only one|one group|together)\b/;
/** `it had two groups, why is there only one`: the users who merged or split them. False: none did. */
export async function tellMerges(desk: Desk): Promise<boolean> {
  if (!OF_MERGES.test(desk.reading.lower) || !isOfNames(desk.reading)) return false;
  const [ci] = idsOf(subjectsOf(desk.reading.things));
  const { rows } = await desk.look(incidents, { ci, time_range: desk.lastDays(7) });
  const groups = [
    (desk.reading.pointsBack && desk.memory.incident) || [],
    rows.slice(0, MOST_GROUPS).map(({ id }) => id),
  ].flat();
  const acts: ActionRow[] = [];
  for (const group of new Set(groups))
    acts.push(...(await desk.look(whoActed, { group, kind: ['merged', 'split'] })).rows);
  for (const row of acts.slice(-SHOWN))
    desk.say(row)`${row.by} changed the group, ${desk.clock.ago(row.at)}: ${quotedNote(row.text)}.`;
  return acts.length > 0;
}
const MOST_GROUPS = 5;

/** Quoted texts of users. */
export const toldIn = ({ findings: { claims } }: Desk): readonly string[] =>
  claims
    .filter(({ text }) => OF_USERS.test(text))
    .flatMap(({ text }) => [...text.matchAll(/"([^"]{8,480})"(?=[.,;]|$| \()/g)].map(([, said = '']) => said))
    .slice(0, 4);
const OF_USERS = /^(?:Note|Verdict|Silence|Maintenance|Planned|Resolution note|Runbook|Root cause)\b|^.{1,60} noted\b/;

/** Answers from records, else from those of the talk. False: nothing fits. */
export async function tellRecorded(desk: Desk): Promise<boolean> {
  const calls = desk.runs.length;
  const rows = COUNTED.test(desk.reading.lower) ? [] : (await recordsFor(desk)).filter((row) => fits(desk, row));
  tellRows(desk, rows);
  // A call without a fitting record is no evidence of the answer.
  if (rows.length === 0) desk.runs.length = calls;
  return rows.length > 0 || tellFromTalk(desk, true);
}

const YES_NO =
  /^(?:and |so |but |ok )*(?:is|are|was|were|did|do|does|has|have|had|can|could|should|will|would|wasnt|isnt|didnt)\b|\b(?:right|correct|true)\?*$/;
/** Intents with an answer that no record replaces. */
const OWN: readonly Intent[] = wordsIn(
  'query compare listed ranked worst toll members shared impact spof path depends find attribute proposals notes assigned silenced window changes repeats events forecast unmeasured occurred steps meaning order help foreign language',
);
/** Intents in which a note on the subject bears on the decision. */
const DECISIONS: readonly Intent[] = wordsIn('ignore safe rollback over advice healthy');
const TALE = /\bwhat(?:'s| is| has| was)? (?:happen\w*|up|wrong|going on|the story)\b/;
const MOSTLY = 0.6;
/** Numbers are no matter of records. */
const COUNTED = /\bhow (?:many|much|often|fast)\b|\b(?:what|which) (?:share|percentage|hour|day)\b|\bon average\b/;
const NOTHING = /^(?:not known|no |none|nothing|i (?:do not|don't|didn't))/i;

/** The part of an answer behind these claims and sentences. */
interface Told {
  readonly claims: number;
  readonly lead: number;
  readonly left: number;
}

/** Drops an answer that records replace. */
function forget(desk: Desk, told: Told): void {
  desk.findings.keep(told.claims);
  desk.lead.length = Math.min(desk.lead.length, told.lead);
  desk.isAbstained = false;
}

/** True if the text quotes the record. */
const isIn = (text: string, row: RecordedRow): boolean => text.includes(row.text.slice(0, 40));

/** Puts records before an answer that knows nothing or leaves out words, or behind one about the same. */
export async function withRecords(desk: Desk, intent: Intent, told: Told): Promise<void> {
  const claims = desk.findings.claims.slice(told.claims);
  const isNothing =
    desk.isAbstained || NOTHING.test([...desk.lead.slice(told.lead), ...claims.map(({ text }) => text)][0] ?? '');
  const isWeak = isNothing || desk.left.length > told.left;
  const isReplaceable = !OWN.includes(intent) || DECISIONS.includes(intent) || claims.length === 0;
  const isDuty = claims[0]?.text.startsWith('On call') === true;
  const ofTalk = isNothing ? await talkRows(desk, true) : [];
  if (ofTalk.length > 0) {
    forget(desk, told);
    return tellRows(desk, ofTalk, true);
  }
  if (COUNTED.test(desk.reading.lower) || !isReplaceable || isDuty) return;
  const calls = desk.runs.length;
  const rows = await recordsFor(desk);
  const good = rows.filter((row) => fits(desk, row));
  const [best] = good;
  const isSaid = best !== undefined && claims.some(({ text }) => isIn(text, best));
  const isOfPeople = best !== undefined && BY_PEOPLE.includes(best.kind);
  const isMeant = YES_NO.test(desk.reading.lower) || (best?.covered ?? 0) >= MOSTLY;
  // The harm of a change is more than its title.
  const isOwn = OWN.includes(intent) || (intent === 'blame' && best?.kind === 'change');
  const isFirst = isWeak || (isMeant && !isOwn);
  if (best !== undefined && !(isSaid && !isWeak) && (isWeak || isOfPeople)) {
    if (!isFirst) return tellRows(desk, good.filter(({ kind }) => BY_PEOPLE.includes(kind)).slice(0, 1));
    forget(desk, told);
    tellRows(desk, good);
    const others = isNothing ? [] : claims.filter(({ text }) => claimOf(text) === 'other' && !isIn(text, best));
    for (const { text, refs, certainty } of others.slice(0, 3)) desk.findings.say(text, refs, certainty);
    return;
  }
  const near =
    DECISIONS.includes(intent) || TALE.test(desk.reading.lower)
      ? rows.find((row) => row.nearness >= 0.8 && BY_PEOPLE.includes(row.kind))
      : undefined;
  if (near !== undefined && !claims.some(({ text }) => isIn(text, near))) tellRows(desk, [near]);
  else if (best === undefined) desk.runs.length = calls;
}

export const OF_SOURCE =
  /^(?:and |but |so )*(?:says who|who told you(?: (?:so|that|this|it))?|how do you know(?: (?:so|that|this|it))?|(?:what|where) (?:is|do|did) (?:your|the|you) (?:source|get (?:that|this|it) from)|source)[ ?.!]*$/;

/** Names the evidence of the last answer. False: there was none. */
export function tellSources(desk: Desk): boolean {
  const { sources = [] } = desk.memory;
  if (sources.length > 0) desk.lead.push(`The last answer is from: ${sources.join('; ')}.`);
  desk.remember({ sources });
  return sources.length > 0;
}

/** Label, person and time of the evidence of the first sentences. */
export function sourcesOf({ findings: { claims, pack }, clock }: Desk): readonly string[] {
  const refs = new Set(claims.slice(0, SHOWN).flatMap(({ refs: [first] }) => first ?? []));
  return pack
    .filter(({ alias }) => refs.has(alias))
    .slice(0, SHOWN)
    .map(({ label, facts }) => {
      const at = facts.find(({ name }) => ['at', 'began', 'first', 'from', 'changed'].includes(name))?.value;
      const by = facts.find(({ name }) => name === 'by')?.value;
      const who = by === undefined || label.includes(String(by)) ? '' : `, by ${by}`;
      const when = Number.isNaN(Date.parse(String(at))) ? '' : `, ${clock.time(String(at))}`;
      return `${label}${who}${when}`;
    });
}
