import type { Intent } from '#features/questions/rules/asking/intents.ts';
import type { TalkMemory } from '#features/questions/rules/asking/memory.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';
import { Desk } from '../desk.ts';
import { unknownNames } from '../meant-things.ts';
import { type MessageReading, readMessage } from '../read-message.ts';
import { isPlaceType } from '../things.ts';
import { assigned, notes, silenced } from './care-answers.ts';
import { compare } from './compare-answers.ts';
import {
  attribute,
  connected,
  depends,
  fieldAsked,
  healthy,
  impacted,
  safe,
  sickServices,
  spof,
  status,
  window,
  wrongWith,
} from './estate-answers.ts';
import { listEvents } from './event-answers.ts';
import {
  advice,
  back,
  blame,
  duration,
  first,
  fixed,
  history,
  rivals,
  summary,
  sure,
  who,
} from './incident-answers.ts';
import { find, listChanges, numbers } from './number-answers.ts';
import { customers, EXAMPLES, foreign, help, language, order, proposals, says, together } from './other-answers.ts';

type Answer = (desk: Desk) => Promise<void> | void;

/** One answer for each intent. */
const ANSWERS: Readonly<Record<Intent, Answer>> = {
  order,
  help,
  foreign,
  language,
  customers,
  back,
  who,
  window,
  safe,
  advice,
  sure,
  rivals,
  first,
  fixed,
  duration,
  past: history,
  blame,
  together,
  spof,
  path: connected,
  proposals,
  impact: impacted,
  changes: listChanges,
  compare,
  repeats: listEvents,
  silenced,
  notes,
  assigned,
  why: wrongWith,
  summary,
  services: sickServices,
  depends,
  query: numbers,
  says,
  events: listEvents,
  attribute,
  healthy,
  find,
  status,
};

/** Intents that a field of a CI may be meant by. */
const MAY_BE_FIELD: readonly (Intent | null)[] = [
  'status',
  'find',
  'who',
  'depends',
  'events',
  'query',
  'summary',
  null,
];
/** Intents whose unknown words are no names. */
const NEEDS_NO_NAME: readonly Intent[] = ['order', 'help', 'foreign', 'language'];

/** The answer that a reading asks for; null: it is not understood. */
function chosen(reading: MessageReading, isLooking: boolean): Intent | null {
  const { intent, things, lower, shape, missing, topic, asked } = reading;
  const [only] = things;
  const isNameless = things.length === 0 && missing.length === 0;
  const sides = things.filter(({ kind }) => kind !== 'type').length;
  const sources = new Set(asked.entities.filter(({ kind }) => kind === 'source').map(({ value }) => value)).size;
  if (Math.max(sides, sources) > 1 && MAY_COMPARE.includes(intent) && COMPARATIVE.test(shape)) return 'compare';
  if (only?.kind === 'type' && things.length === 1 && /service|application/.test(only.name) && WORST.test(shape))
    return 'services';
  // No filter can exclude, so any other answer would be wrong.
  if (asked.isDenied && intent !== null && LISTING.includes(intent)) return null;
  if (
    intent === 'who' &&
    isNameless &&
    (/\b(?:most|least)\b/.test(shape) || (topic.length > 0 && !WHO_DID.test(shape)))
  )
    return null;
  const mayBeField = only?.kind === 'ci' && MAY_BE_FIELD.includes(intent) && fieldAsked(lower) !== null;
  if (intent === null && missing.length > 0) return 'status';
  if (intent === null && isNameless && asked.entities.some(({ kind }) => kind === 'time') && topic.length === 0)
    return 'events';
  if (MAY_BE_OLD.includes(intent) && /\b(?:longest|oldest|newest)\b/.test(shape)) return 'events';
  if (
    intent === 'status' &&
    things.length > 0 &&
    asked.entities.some(({ kind, text }) => kind === 'status' && /ack|resolv/i.test(text))
  )
    return 'events';
  const isOfPlaces = only?.kind === 'type' && things.length === 1 && isPlaceType(only.name);
  if (isOfPlaces && /\b(?:worst|best|noisiest|busiest|quietest|most|least)\b/.test(shape)) return 'compare';
  const hasLevel = asked.entities.some(({ kind }) => kind === 'severity' || kind === 'status');
  if ((intent === 'find' || intent === null) && isNameless && hasLevel) return 'events';
  if (mayBeField && !/\b(?:how many|usage|full|high|alerts?|events?)\b/.test(lower)) return 'attribute';
  if (intent === 'status' && only?.kind === 'service' && things.length === 1) return 'services';
  if (intent === 'status' && isNameless && topic.length > 0) return null;
  if (intent === 'find' && isNameless && topic.length > 0) return null;
  if (intent === 'blame' && isNameless && topic.length > 0 && !isLooking) return null;
  if (intent === 'status' && isNameless && !isLooking) return 'summary';
  // `list critical events` lists; `list all servers` finds.
  const isCount = /\b(?:how many|count|number|most|top|least|total|average|noisiest|mttr|mtta|by|per)\b/.test(shape);
  return intent === 'query' && /\b(?:open|list|show)\b/.test(shape) && !isCount ? 'events' : intent;
}
const MAY_BE_OLD: readonly (Intent | null)[] = ['status', 'why', 'summary', 'find', null];
const MAY_COMPARE: readonly (Intent | null)[] = [
  'who',
  'find',
  'events',
  'query',
  'status',
  'summary',
  'services',
  'blame',
  'healthy',
  null,
];
const WORST = /\b(?:worst|sickest|unhealthiest|hit|hurt|suffer\w*|degraded|down|broken|bad)\b/;
const COMPARATIVE = /\b(?:more|most|less|fewer|worse|worst|better|(?:noisi|busi|quiet|calm|loud|sick|healthi)er)\b/;
const LISTING: readonly Intent[] = ['events', 'query', 'find', 'changes', 'compare'];
const WHO_DID =
  /\b(?:ack|resolv|fix|clos|solv|deploy|releas|chang|patch|roll|assign|work|note|decid|verdict|confirm|judg|on it|handl|deal|tak|ha[sd]|on[- ]call|owner|team|look)/;

/** Conditions that the answer cannot apply; it mentions them. */
function leftOut({ asked, things, shape }: MessageReading, intent: Intent | null): string[] {
  if (intent === null || COUNTING.includes(intent)) return [];
  const kinds: readonly string[] = TIMELESS.includes(intent) ? ['environment', 'time'] : ['environment'];
  const isNamed = (text: string): boolean => things.some(({ said }) => said.toLowerCase().includes(text.toLowerCase()));
  const conditions = asked.entities
    .filter(({ kind, text }) => kinds.includes(kind) && !isNamed(text))
    .map(({ text }) => text);
  const added = intent === 'find' ? (shape.match(/\b(?:added|created|removed|changed|new)\b/)?.slice(0, 1) ?? []) : [];
  return [...added, ...conditions];
}
const COUNTING: readonly Intent[] = ['query', 'compare', 'order', 'help', 'foreign', 'language'];
const TIMELESS: readonly Intent[] = ['find', 'depends', 'impact', 'healthy', 'attribute', 'spof', 'path'];

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
}

const NOT_UNDERSTOOD = "I didn't understand the question. Try, for example:";

/** Reads a message, before anything is answered. */
export async function prepared(asking: Asking, { text, memory, time }: MessageAsked): Promise<MessageAnswer> {
  const read = await readMessage(asking, text, memory);
  const reading = time !== undefined && read.time === null ? { ...read, time } : read;
  const isLooking = asking.current !== null || memory.current !== null || memory.incident !== undefined;
  return { desk: new Desk(asking, reading, memory), reading, intent: chosen(reading, isLooking) };
}

const sameName = (said: string, name: string): boolean => {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+|(?<!\d)0+(?=\d)/gu, '');
  return bare(name).includes(bare(said));
};

/** Answers an intent; unknown names are always mentioned. */
export async function tellIntent(desk: Desk, intent: Intent | null): Promise<void> {
  const { missing, things, time } = desk.reading;
  const isSystem = intent === null || !NEEDS_NO_NAME.includes(intent);
  if (intent === null) {
    desk.isAbstained = true;
    desk.lead.push(`${NOT_UNDERSTOOD} ${EXAMPLES.join(' ')}`);
  } else if (isSystem && missing.length > 0 && things.length === 0) await unknownNames(desk);
  else {
    await ANSWERS[intent](desk);
    const left = leftOut(desk.reading, intent);
    desk.left.push(...left, ...(isSystem ? missing : []));
    if (left.length > 0) desk.lead.unshift(`Ignored: ${left.map((text) => `"${text}"`).join(', ')}.`);
    const guessed = things.filter(({ kind, isGuess, said, name }) => kind === 'ci' && isGuess && !sameName(said, name));
    if (guessed.length > 0)
      desk.lead.unshift(`${guessed.map(({ said, name }) => `Read "${said}" as ${name}`).join('; ')}.`);
    if (isSystem && missing.length > 0)
      desk.lead.unshift(`Not found: ${missing.map((name) => `"${name}"`).join(', ')}.`);
  }
  const isOwn = intent !== null && !(intent === 'compare' && desk.reading.pointsBack);
  desk.remember({
    ...(intent !== null && { intent }),
    ...(isOwn && { asked: desk.reading.text }),
    ...(time !== null && desk.next.time === undefined && { time }),
  });
}

/** Answers a message by rules, which choose tools by its intent. */
export async function answerMessage(asking: Asking, asked: MessageAsked): Promise<MessageAnswer> {
  const answer = await prepared(asking, asked);
  await tellIntent(answer.desk, answer.intent);
  return answer;
}

/** Suggested questions; a name is quoted, so that it is found whatever its looks. */
export function suggestionsFor({ desk, reading, intent }: MessageAnswer): readonly string[] {
  const [thing] = reading.things;
  const subject = thing?.name ?? desk.asking.current?.name;
  if (subject === undefined)
    return desk.next.incident === undefined ? EXAMPLES : ['Why?', 'What should I do?', 'Has this happened before?'];
  const name = `"${subject}"`;
  const all = [
    ['status', `What is the status of ${name}?`],
    ['why', `Why does ${name} have problems?`],
    ['depends', `What depends on ${name}?`],
    ['impact', `What is the impact if ${name} fails?`],
    ['changes', `What changed on ${name} this week?`],
  ] as const;
  return all
    .filter(([one]) => one !== intent)
    .slice(0, 3)
    .map(([, text]) => text);
}
