import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import { type Range, readRange } from '#features/ai/rules/time/range.ts';
import { type Intent, intentOf, POINTS_BACK } from '#features/questions/rules/asking/intents.ts';
import type { TalkMemory } from '#features/questions/rules/asking/memory.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import type { Understood } from '#features/questions/rules/grammar/question.ts';
import { STOP } from '#features/questions/rules/grammar/words.ts';
import { readTenantQuestion } from '#features/questions/use-cases/queries/read-query.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';
import { findThings, type Thing } from './things.ts';

/** A message with the meaning of its words in this tenant and conversation. */
export interface MessageReading {
  readonly text: string;
  readonly lower: string;
  /** The text with § for names and ¤ for times. */
  readonly shape: string;
  readonly intent: Intent | null;
  readonly things: readonly Thing[];
  readonly missing: readonly string[];
  /** Ids of groups and events that it names. */
  readonly ids: readonly string[];
  readonly time: { readonly text: string; readonly range: Range } | null;
  /** Words of a complaint: they are looked for in titles. */
  readonly topic: readonly string[];
  readonly severities: readonly Severity[];
  /** Reading as a query. */
  readonly asked: Understood;
  readonly pointsBack: boolean;
  /** True if it continues the last message. */
  readonly isFollowUp: boolean;
  /** The message whose numbers are meant. */
  readonly question: string;
}

const IDS = /\b(?:COR-\d{1,16}-\w{1,20}|EVT-[0-9A-Z]{26})\b/gi;
const FOLLOW_UP =
  /^(?:and|or|what about|how about|also|then|now|but|same for|ok(?:ay)?,? and|so|for|on|in|since|during|from)\b|^[§¤ ?]+$/i;
const EARLIER =
  /\b(?:the )?(day|night|week|month|hour) (?:before|earlier)(?: that)?\b|\b(?:previous|prior) (day|week|month|hour)\b/i;

/** `the day before`: of the time that was spoken of. */
function earlierThan(memory: TalkMemory, lower: string, zone: string): MessageReading['time'] {
  const said = lower.match(EARLIER);
  const unit = (said?.[1] ?? said?.[2] ?? '').replace('night', 'day');
  if (said === null || memory.time === undefined || unit === '') return null;
  const calendar = calendarOf(zone);
  const { from, to } = memory.time.range;
  const shifted = (ms: number): number => calendar.add(ms, -1, unit as 'day' | 'week' | 'month' | 'hour');
  return {
    text: `${new Date(shifted(from)).toISOString()} to ${new Date(shifted(to)).toISOString()}`,
    range: { from: shifted(from), to: shifted(to) },
  };
}

function timeOf(asked: Understood, { receivedAt: now, zone }: Asking, lower: string): MessageReading['time'] {
  const said = asked.entities.find(({ kind }) => kind === 'time');
  const text = said && [said.text, said.value].find((one) => readRange(one, now, zone) !== null);
  const direct = /\b(?:just now|right now|at the moment|currently)\b/.test(lower) ? null : text;
  const range = direct ? readRange(direct, now, zone) : null;
  return direct && range ? { text: direct, range } : null;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}/._-]*/gu) ?? [];

/** Intents that an id of an incident can be asked with. */
const OF_INCIDENT: readonly Intent[] = [
  'why',
  'rivals',
  'sure',
  'first',
  'past',
  'fixed',
  'advice',
  'duration',
  'who',
  'back',
  'blame',
  'together',
  'order',
];

const topicOf = (rest: string, time: MessageReading['time'], asked: Understood): string[] => {
  const conditions = asked.entities.filter(({ kind }) =>
    ['environment', 'group', 'status', 'severity', 'source', 'sort', 'limit'].includes(kind),
  );
  const ofTime = new Set(wordsOf([time?.text ?? '', ...conditions.map(({ text }) => text)].join(' ')));
  const all = wordsOf(rest);
  const single = all.filter((word) => word.length > 2 && !PLAIN.has(word) && !STOP.has(word) && !ofTime.has(word));
  // `log in` and `log out` are one word in titles.
  const joined = all.flatMap((word, i) =>
    ['in', 'on', 'out', 'up', 'off', 'over'].includes(all[i + 1] ?? '') && word.length > 2 && !PLAIN.has(word)
      ? [`${word}${all[i + 1]}`]
      : [],
  );
  return [...new Set([...single, ...joined])].slice(0, 12);
};

/** `is it down`: of the conversation, where it has a subject. */
const aboutSubject = (
  intent: Intent | null,
  {
    things,
    pointsBack,
    memory,
    current,
  }: {
    readonly things: readonly Thing[];
    readonly pointsBack: boolean;
    readonly memory: TalkMemory;
    readonly current: boolean;
  },
): Intent | null => {
  if (intent === 'summary' && things.length === 0 && current && pointsBack) return 'why';
  if (intent === 'summary' && things.length > 0) return 'why';
  return intent ?? (things.length > 0 ? ((memory.intent as Intent | undefined) ?? 'status') : null);
};

/** Reads a message; never refuses one. */
export async function readMessage(asking: Asking, text: string, memory: TalkMemory): Promise<MessageReading> {
  const ids = (text.match(IDS) ?? []).map((id) => id.replace(/^(?:cor|evt)/i, (one) => one.toUpperCase()));
  const whole = text.replaceAll(IDS, ' ');
  const lower = whole.toLowerCase().replaceAll('’', "'");
  const asked = await readTenantQuestion(asking, whole.trim() === '' ? 'x' : whole);
  const time = earlierThan(memory, lower, asking.zone) ?? timeOf(asked, asking, lower);
  const timed =
    time === null
      ? whole
      : whole.replace(EARLIER, ' ¤ ').replace(new RegExp(time.text.replaceAll(/[^\w\s]/g, '\\$&'), 'i'), ' ¤ ');
  const { things, missing, rest } = await findThings(asking, timed);
  const shape = rest.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim();
  const pointsBack = POINTS_BACK.test(shape);
  const isFollowUp =
    (memory.intent !== undefined && (FOLLOW_UP.test(lower.trim()) || FOLLOW_UP.test(shape))) ||
    shape.replaceAll(/[§¤?!., ]/g, '').length < 3;
  const said = intentOf(shape);
  const own = ids.length > 0 && (said === null || !OF_INCIDENT.includes(said)) ? 'why' : said;
  const remembered = memory.intent as Intent | undefined;
  // `and ora-rac-2?` asks the same again.
  const bare = shape.replaceAll(
    /\b(?:and|or|what|how|about|also|then|now|but|same|for|on|in|so|ok|okay|the|is|a|case|of|with)\b|[§¤?!., ]/g,
    '',
  );
  const isSame =
    remembered !== undefined &&
    bare === '' &&
    (FOLLOW_UP.test(lower.trim()) || FOLLOW_UP.test(shape)) &&
    (things.length > 0 || time !== null);
  const intent = isSame
    ? remembered
    : aboutSubject(own, { things, pointsBack, memory, current: asking.current !== null });
  const severities =
    asked.query?.filters.severity ?? asked.entities.filter(({ kind }) => kind === 'severity').map(({ value }) => value);
  return {
    text,
    lower,
    shape,
    intent,
    things,
    missing,
    ids,
    time: time ?? (isSame ? (memory.time ?? null) : null),
    topic: topicOf(rest, time, asked),
    severities: SEVERITIES.filter((severity) => severities.includes(severity)),
    asked,
    pointsBack,
    isFollowUp: isFollowUp || isSame,
    question: isSame && memory.asked !== undefined ? memory.asked : whole,
  };
}
