import { counted } from '#features/ai/rules/findings.ts';
import { claimOf, type Doubts, mayStand } from '#features/questions/rules/asking/denial.ts';
import { INTENT_PARTS, type Intent } from '#features/questions/rules/asking/intents.ts';
import type { TalkMemory } from '#features/questions/rules/asking/memory.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { questionsIn } from '#features/questions/rules/asking/questions-in.ts';
import { type NamedKind, OF_ITS, settledIntent } from '#features/questions/rules/asking/settled-intent.ts';
import { speaksOf } from '#features/questions/rules/asking/speaks-of.ts';
import { VOCABULARY } from '#features/questions/rules/grammar/words.ts';
import { type Metric, wordsIn } from '#features/questions/rules/query.ts';
import { type NumberRow, query } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import type { Asking, ToolRun } from '#features/questions/use-cases/tools/tool.ts';
import { Desk, listed, namesOf, quoted } from '../desk.ts';
import { unknownNames } from '../meant-things.ts';
import { type MessageReading, readMessage } from '../read-message.ts';
import { OF_SOURCE, sourcesOf, tellRecorded, tellSources, toldIn, withRecords } from '../recorded-answers.ts';
import { faultsIn, isBeforeData, newestFirst, tellEvents } from '../tell-events.ts';
import { idsOf, isPlaceType, type Thing, withHosts } from '../things.ts';
import * as handling from './care-answers.ts';
import * as cis from './ci-answers.ts';
import { fieldAsked, isOfEvents, listCis } from './ci-answers.ts';
import { compare } from './compare-answers.ts';
import * as estate from './estate-answers.ts';
import { connected, depends, forecast, impacted, OF_RELATIVE, sickServices, wrongWith } from './estate-answers.ts';
import { lacksPremise, listEvents, occurred } from './event-answers.ts';
import * as incident from './incident-answers.ts';
import { history } from './incident-answers.ts';
import * as manual from './manual-answers.ts';
import { listChanges, noise, numbers } from './number-answers.ts';
import * as other from './other-answers.ts';
import { EXAMPLES, listedAgain } from './other-answers.ts';
import * as present from './present-answers.ts';
import { leftBehind } from './present-answers.ts';
import { tally } from './tally-answers.ts';
import { tellAhead } from './titled-answers.ts';

/** One answer for each intent, which mostly has its name. */
const ANSWERS: Readonly<Record<Intent, (desk: Desk) => Promise<void> | void>> = {
  ...other,
  ...incident,
  ...present,
  ...manual,
  tally,
  notes: handling.notes,
  assigned: handling.assigned,
  silenced: handling.silenced,
  ...cis,
  ...estate,
  compare,
  occurred,
  noise,
  past: history,
  left: leftBehind,
  path: (desk) => connected(desk),
  impact: impacted,
  changes: listChanges,
  repeats: listEvents,
  events: listEvents,
  why: wrongWith,
  services: sickServices,
  listed: listedAgain,
  unmeasured: (desk) => forecast(desk, 'measurements are not recorded here, only events'),
  query: numbers,
  // The relation itself is an answer, if no CI of the type has it.
  find: async (desk) => {
    if (await listCis(desk)) await depends(desk);
  },
};

/** Intents whose unknown words are no names. */
const NEEDS_NO_NAME: readonly Intent[] = ['order', 'help', 'steps', 'meaning', 'foreign', 'language', 'customers'];

/** Future days. */
const AHEAD = /\b(?:tomorrow|next week|weekend)\b/;
const PAST = /\b(?:was|were|had|did|happened|last)\b/;
const MEASURED: readonly (Metric | undefined)[] = wordsIn('mttr mtta incident_duration dedup_ratio correlated_share');
/** Kinds of things that the message names. */
function namedIn(
  { things, lower, shape, pointsBack, missing, titles, topic, strange, asked, time }: MessageReading,
  memory: Desk['memory'],
  isLooking: boolean,
  now: number,
): Set<NamedKind> {
  const { intent: before } = memory;
  const [only] = things.length === 1 ? things : [];
  const [subject] = things;
  const type = only?.kind === 'type' ? only.name : null;
  const { entities } = asked;
  const has = (...kinds: readonly string[]): boolean => entities.some(({ kind }) => kinds.includes(kind));
  const sides = things.filter(({ kind }) => kind !== 'type').length;
  const sources = new Set(entities.flatMap(({ kind, value }) => (kind === 'source' ? [value] : []))).size;
  const facts: Readonly<Record<NamedKind, boolean>> = {
    titled: titles.length > 0,
    nothing: things.length + missing.length === 0,
    things: things.length > 0,
    missing: missing.length > 0,
    several: Math.max(sides, sources) > 1,
    system: things.some(({ kind }) => kind === 'ci'),
    ci: subject?.kind === 'ci',
    service: only?.kind === 'service',
    relative:
      ((type !== null || only?.kind === 'family') && pointsBack && isLooking && OF_ITS.test(shape)) ||
      (things.length === 2 && sides === 1 && OF_RELATIVE.test(shape)),
    relatives: isLooking && things.length > 0 && sides === 0,
    places: type !== null && isPlaceType(type),
    services: type !== null && /service/.test(type),
    served:
      things.some(({ kind, name }) => kind === 'type' && /service/.test(name)) &&
      things.some(({ kind }) => kind === 'ci'),
    typed: subject?.kind === 'type',
    topic: topic.length + strange.length > 0,
    no_topic: topic.length + strange.length === 0,
    time: has('time'),
    level: has('severity', 'status'),
    done: entities.some(({ kind, text }) => kind === 'status' && /ack|resolv/i.test(text)),
    field: fieldAsked(lower) !== null,
    uncounted: asked.query === null && !asked.isDenied && !asked.isOfPerson,
    health: before === 'services',
    incident: memory.incident !== undefined,
    ahead: (time?.range.from ?? 0) > now || (AHEAD.test(lower) && !PAST.test(shape)),
    gone: time !== null && time.range.to < now,
    there: isLooking && /\bthere[ ?.!]*$/.test(shape),
    measured: MEASURED.includes(asked.query?.metric),
    back: pointsBack && isLooking,
    grouped: entities.some(({ kind, text }) => kind === 'group' && /^(?:by|per)\b/i.test(text)),
    denied: asked.isDenied,
    silences: before === 'silenced',
    tallied: before === 'tally',
    advised: before === 'advice',
    cis: before === 'find' || before === 'depends',
    nowhere: !isLooking,
  };
  return new Set(Object.entries(facts).flatMap(([kind, is]) => (is ? [kind as NamedKind] : [])));
}

const isOfEventsIn = ({ shape }: Pick<MessageReading, 'shape'>, intent: Intent): boolean =>
  intent === 'find' && isOfEvents(shape);

/** Conditions that the answer cannot apply; it mentions them. */
function leftOut({ asked, things, shape, care }: MessageReading, intent: Intent): string[] {
  if (COUNTING.includes(intent)) return [];
  const isTimed = isOfEventsIn({ shape }, intent) || (intent === 'impact' && things.length === 0);
  const kinds = [
    ...(intent === 'find' ? [] : ['environment']),
    ...(TIMELESS.includes(intent) && !isTimed ? ['time'] : []),
  ];
  const isNamed = (text: string): boolean => things.some(({ said }) => said.toLowerCase().includes(text.toLowerCase()));
  const conditions = asked.entities.flatMap(({ kind, text }) => (kinds.includes(kind) && !isNamed(text) ? [text] : []));
  const people = care.person === null || CARING.includes(intent) ? [] : [care.person];
  const [added] = intent === 'find' ? (shape.match(/\b(?:added|created|removed|changed|new)\b/) ?? []) : [];
  return [...(added === undefined ? [] : [added]), ...people, ...conditions];
}
const CARING: readonly Intent[] = ['notes', 'assigned', 'who', 'order', 'customers', 'silenced'];
const COUNTING: readonly Intent[] = ['query', 'compare', 'order', 'help', 'steps', 'meaning', 'foreign', 'language'];
const TIMELESS: readonly Intent[] = ['find', 'depends', 'impact', 'healthy', 'attribute', 'spof', 'path'];
/** Intents with answers about times without events. */
const EVENTLESS: readonly Intent[] = wordsIn('query compare changes notes who assigned silenced proposals window safe');

export interface MessageAnswer {
  readonly desk: Desk;
  readonly reading: MessageReading;
  readonly intent: Intent | null;
}

export interface MessageAsked {
  readonly text: string;
  readonly memory: TalkMemory;
  /** Default time range. */
  readonly time?: NonNullable<MessageReading['time']>;
  /** The answer to a first question of the same message. */
  readonly before?: Desk | undefined;
}

const NOT_UNDERSTOOD = "I didn't understand the question. Try, for example:";

/** Reads a message, before anything is answered. */
export async function prepared(asking: Asking, { text, memory, time, before }: MessageAsked): Promise<MessageAnswer> {
  const read = await readMessage(asking, text, memory);
  const reading = time !== undefined && read.time === null ? { ...read, time } : read;
  const isLooking = asking.current !== null || memory.current !== null || memory.incident !== undefined;
  const intent = settledIntent(reading.intent, reading.shape, namedIn(reading, memory, isLooking, asking.receivedAt));
  return { desk: new Desk(asking, reading, memory, before), reading, intent };
}

const sameName = (said: string, name: string): boolean => {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+|(?<!\d)0+(?=\d)/gu, '');
  return bare(name).includes(bare(said));
};

/** Asks for the question again where rows were read, but no sentence fits them. */
function askBack(desk: Desk): void {
  if (desk.runs.some(({ error }) => error !== null) || desk.runs.every(({ rows }) => rows.length === 0)) return;
  const names = listed(desk.reading.things.map(({ said }) => said));
  desk.isAbstained = true;
  desk.lead.push(
    `I don't know what the question asks${names && ` about ${names}`}. Name the system, and what you want to know of it: its status, its incidents, its changes, what runs on it, or what depends on it?`,
  );
}

/** Events on things or their hosts in the time of the question, the newest first. */
async function eventsOn(desk: Desk, things: readonly Thing[]) {
  const ci = idsOf(await withHosts(desk.asking, things)).slice(0, MAX_CIS);
  const { time_range, when } = desk.within(7);
  const looked = await desk.look(events, { ci, time_range });
  return { looked, when, rows: faultsIn(looked.rows).toSorted(newestFirst) };
}
const MAX_CIS = 1_000;

/** Words and names that leave a denial or a yes in doubt. */
const doubtsOf = (desk: Desk): Doubts => {
  const { topic, strange } = unspoken(desk);
  const vague = desk.reading.things.filter(
    ({ isGuess, kind, cis, said }) => isGuess && kind === 'family' && cis.length > 1 && /\d/.test(said),
  );
  // A supposition behind `if` is no condition.
  const isSupposed = /\bif\b/.test(desk.reading.shape);
  const unused = [...topic, ...strange].filter((word) => !desk.reading.missing.includes(word));
  return { unused: isSupposed ? [] : unused, vague: vague.map(({ said }) => said) };
};

/** Answers that name the record which they deny. */
const OF_RECORDS: readonly Intent[] = ['notes', 'who', 'assigned'];

/** Replaces a denial or a yes that the reading does not support by the events of its subjects. */
async function guarded(desk: Desk, intent: Intent, said: number): Promise<void> {
  const text = desk.findings.claims[said]?.text ?? '';
  if ([NEEDS_NO_NAME, ABOUT_NOTHING, COUNTING, OF_RECORDS].some((all) => all.includes(intent))) return;
  const doubts = doubtsOf(desk);
  if (mayStand(text, doubts)) return;
  desk.findings.keep(said);
  desk.isAbstained = true;
  const { unused, vague } = doubts;
  desk.left.push(...unused);
  const named = desk.reading.things.filter(({ kind, cis }) => kind !== 'type' && cis.length > 0);
  const [first] = named;
  const of = vague.length === 0 ? '' : `${inQuotes(vague)} may be ${namesOf(named.flatMap(({ cis }) => cis))}`;
  const not = unused.length === 0 ? '' : `nothing is recorded here about ${inQuotes(unused)}`;
  desk.lead.unshift(`Not known: ${[not, of].filter((one) => one !== '').join('; ')}.`);
  if (first === undefined) return;
  desk.rememberThing(first);
  const { looked, when, rows } = await eventsOn(desk, named);
  const hosts = named.length === 1 ? 'its hosts' : 'their hosts';
  desk.say(looked)`${counted(rows.length, 'event')} on ${namesOf(named)} or ${hosts} ${when}.`;
  tellEvents(desk, looked, rows, { most: 4 });
}

/** Intents of words that fit any question. */
const GENERAL: readonly Intent[] = ['status', 'healthy', 'over', 'why', 'occurred', 'events', 'services', 'past'];

/** An answer without the subject of the question is none; returns other words that it leaves out. */
async function tellUnspoken(desk: Desk, intent: Intent, said: number): Promise<readonly string[]> {
  if (desk.isAbstained || ABOUT_NOTHING.includes(intent)) return [];
  const { things, strange, topic } = unspoken(desk);
  const [first] = things;
  if (first !== undefined) {
    const names = namesOf(things);
    desk.findings.keep(said);
    desk.isAbstained = true;
    desk.lead.push(
      `I don't know what the question asks about ${names}: its status, its incidents, its changes, what depends on it, or what fails with it?`,
    );
    desk.next = {};
    desk.rememberThing(first);
    desk.left.push(...things.map((one) => one.said));
    return [];
  }
  if (COUNTING.includes(intent)) return [];
  if (strange.length > 0 && GENERAL.includes(intent)) {
    desk.isAbstained = true;
    desk.left.push(...strange, ...topic);
    // A yes to half of a question would be a wrong one.
    if (claimOf(desk.findings.claims[said]?.text ?? '') !== 'other') desk.findings.keep(said);
    desk.lead.unshift(`Not known: nothing is recorded here about ${listed(strange.map(quoted))}.`);
    return [];
  }
  return [...strange, ...topic];
}
const ABOUT_NOTHING: readonly Intent[] = wordsIn(
  'customers unrecorded unmeasured forecast uncaused proposals find meaning',
);

/** Subject and user of a question are those of the talk, also where the answer abstained. */
function rememberSaid(desk: Desk): void {
  const { person } = desk.reading.care;
  if (person !== null) desk.remember({ person });
  const [subject] = desk.reading.things.filter(({ kind, cis: own }) => kind !== 'type' && own.length > 0);
  if (subject !== undefined && !('subject' in desk.next)) desk.rememberThing(subject);
}

/** Answers an intent; unknown names are always mentioned. */
export async function tellIntent(desk: Desk, intent: Intent | null): Promise<void> {
  const { missing, things, time } = desk.reading;
  const isSystem = intent === null || !NEEDS_NO_NAME.includes(intent);
  const isUnknown = isSystem && missing.length > 0 && things.length === 0;
  if (OF_SOURCE.test(desk.reading.lower) && tellSources(desk)) return;
  const isTold = (isSystem || intent === 'customers') && (await tellAhead(desk));
  if (isTold) desk.isAbstained = false;
  else if (intent !== null && !isUnknown) await tellKnown(desk, intent, isSystem ? missing : []);
  else if (!(await tellRecorded(desk))) {
    if (intent === null) desk.lead.push(`${NOT_UNDERSTOOD} ${EXAMPLES.join(' ')}`);
    else await unknownNames(desk);
    desk.isAbstained = true;
  }
  const isOther = !isTold && things.some(({ kind }) => kind !== 'type');
  const told = [...new Set([...toldIn(desk), ...(isOther ? [] : (desk.memory.told ?? []))])].slice(0, 4);
  desk.remember({ told });
  desk.remember({ sources: sourcesOf(desk) });
  if (intent === null || desk.next.incident === undefined) rememberSaid(desk);
  if (intent === null || isTold) return;
  // A superlative of a list leaves the question for the list as it is.
  const isOfList = intent === 'worst' && desk.memory.intent !== undefined;
  const isOwn = !isOfList && !(intent === 'compare' && desk.reading.pointsBack);
  desk.remember({ nth: desk.reading.nth });
  if (!isOfList) desk.remember({ intent: desk.told ?? intent });
  if (isOwn) desk.remember({ asked: desk.reading.text });
  if (time !== null && desk.next.time === undefined) desk.remember({ time });
}

const inQuotes = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

/** The answer itself, behind the names and words that it guesses, ignores or does not find. */
async function tellKnown(desk: Desk, intent: Intent, missing: readonly string[]): Promise<void> {
  const { reading, lead } = desk;
  const said = desk.findings.claims.length;
  const isEventless =
    [TIMELESS, NEEDS_NO_NAME, EVENTLESS].some((all) => all.includes(intent)) && !isOfEventsIn(reading, intent);
  if ((await lacksPremise(desk)) || (!isEventless && (await isBeforeData(desk)))) return;
  const told = { claims: said, lead: lead.length, left: desk.left.length };
  await ANSWERS[intent](desk);
  if (desk.findings.claims.length === said && lead.length === 0) askBack(desk);
  await guarded(desk, intent, said);
  const unsaid = NEEDS_NO_NAME.includes(intent) ? [] : await tellUnspoken(desk, intent, said);
  const left = [...leftOut(reading, intent), ...unsaid];
  desk.left.push(...left, ...missing);
  if (left.length > 0) lead.unshift(`Ignored: ${inQuotes(left)}.`);
  if (!NEEDS_NO_NAME.includes(intent)) await withRecords(desk, intent, told);
  const guessed = reading.things.filter(
    (one) =>
      one.isGuess && (one.kind === 'family' || (['ci', 'place'].includes(one.kind) && !sameName(one.said, one.name))),
  );
  const texts = guessed.map((one) => `Read "${one.said}" as ${one.kind === 'family' ? namesOf(one.cis) : one.name}`);
  if (texts.length > 0) lead.unshift(`${texts.join('; ')}.`);
  if (missing.length > 0) lead.unshift(`Not found: ${inQuotes(missing)}.`);
}

/** Answers the first of these questions, which continue one desk; null: one of them is no question of its own. */
async function answerEach(
  asking: Asking,
  { memory, before, ...asked }: MessageAsked,
  [text, ...rest]: readonly string[],
): Promise<MessageAnswer | null> {
  const answer = await prepared(asking, { ...asked, memory, before, text: text ?? asked.text });
  const { intent, desk, reading } = answer;
  const isBlank = intent === null || (intent === 'query' && reading.asked.query === null);
  if (isBlank && (before !== undefined || rest.length > 0)) return null;
  const isOfOne = before !== undefined || isOfPage(reading, memory);
  await tellIntent(desk, isOfOne && intent === 'summary' && isBare(reading) ? 'why' : intent);
  desk.isAbstained &&= before?.isAbstained ?? true;
  if (rest.length === 0) return answer;
  const next = { ...memory, ...desk.next };
  const [current = asking.current] =
    next.current === null ? [] : await asking.ports.topology.getCis(asking.tenant, [next.current]);
  return answerEach({ ...asking, current }, { ...asked, memory: next, before: desk }, rest);
}
const isBare = ({ things, topic, time }: MessageReading): boolean =>
  things.length + topic.length === 0 && time === null;
/** `what is happening here?` means the group of the page, until another one is talked about. */
const isOfPage = ({ shape }: MessageReading, { page, incident: known }: TalkMemory): boolean =>
  page !== undefined &&
  page === known &&
  /\b(?:here|happening|happened|going on|wrong)\b/.test(shape) &&
  !/\b(?:all|else|elsewhere|everything|everywhere|groups|incidents|problems|shift)\b/.test(shape);

/** Answers a message by rules, which choose tools by its intent; several questions in one as a talk. */
export async function answerMessage(asking: Asking, asked: MessageAsked): Promise<MessageAnswer> {
  const each = await answerEach(asking, asked, questionsIn(asked.text));
  return each ?? ((await answerEach(asking, asked, [asked.text])) as MessageAnswer);
}

/** Suggested questions; a name is quoted, so that it is found whatever its looks. */
export function suggestionsFor({ desk, reading, intent }: MessageAnswer): readonly string[] {
  const [thing] = reading.things;
  const subject = thing?.name ?? desk.asking.current?.name;
  if (subject === undefined)
    return desk.next.incident === undefined ? EXAMPLES : ['Why?', 'What should I do?', 'Has this happened before?'];
  return SUGGESTED.filter(([one]) => one !== intent)
    .slice(0, 3)
    .map(([, text]) => text.replace('§', () => `"${subject}"`));
}
const SUGGESTED = [
  ['status', 'What is the status of §?'],
  ['why', 'Why does § have problems?'],
  ['depends', 'What depends on §?'],
  ['impact', 'What is the impact if § fails?'],
  ['changes', 'What changed on § this week?'],
] as const;

/** Parts of the message that are neither in the sentences of the answer nor in the conditions of its calls. */
interface Unspoken {
  readonly things: readonly Thing[];
  /** Words for nothing that is known here. */
  readonly strange: readonly string[];
  /** Words of titles. */
  readonly topic: readonly string[];
}

/** Conditions of a call; a number has those of the question. */
const conditionsOf = ({ tool, params, rows }: ToolRun): object => {
  const { question: _question, ...others } = params;
  const [row] = tool.name === query.name ? (rows as readonly NumberRow[]) : [];
  return { ...others, filters: row?.result.query.filters };
};

function unspoken({ reading, findings, lead, runs, applied }: Desk): Unspoken {
  const text = [...lead, ...findings.claims.map(({ text: said }) => said)].join(' ').toLowerCase();
  const asked = JSON.stringify(runs.map(conditionsOf)).toLowerCase();
  const has = (name: string): boolean => text.includes(name.toLowerCase()) || asked.includes(name.toLowerCase());
  const isTold = ({ name, said, id, cis }: Thing): boolean =>
    [name, said, ...(id === null ? [] : [id])].some(has) || cis.some((ci) => has(ci.id) || has(ci.name));
  const isLeft = (word: string): boolean =>
    !(
      has(word) ||
      fieldAsked(word) !== null ||
      PLAIN.has(word) ||
      INTENT_PARTS.has(word) ||
      VOCABULARY.spellings.has(word)
    ) && speaksOf(text, [word]) === 0;
  return {
    things: reading.things.filter((one) => one.kind !== 'type' && !applied.has(one) && !isTold(one)),
    strange: reading.strange.filter(isLeft),
    topic: reading.topic.filter(isLeft),
  };
}
