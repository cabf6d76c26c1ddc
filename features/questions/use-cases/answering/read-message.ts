import { firstArrival } from '#application/events/first-arrival.ts';
import { parseEventId, SEVERITIES, type Severity } from '#domain/event/event.ts';
import { withoutTrailing } from '#domain/text.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import { type Range, readRange } from '#features/ai/rules/time/range.ts';
import { ordinalNamed } from '#features/ai/rules/time/words.ts';
import {
  AGED,
  INTENT_PARTS,
  type Intent,
  intentOf,
  OF_INCIDENT,
  POINTS_BACK,
} from '#features/questions/rules/asking/intents.ts';
import type { TalkMemory } from '#features/questions/rules/asking/memory.ts';
import { plainChat, plainTimes } from '#features/questions/rules/asking/plain-chat.ts';
import { PLAIN } from '#features/questions/rules/asking/plain-words.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { OF_ITS } from '#features/questions/rules/asking/settled-intent.ts';
import { isComplaint } from '#features/questions/rules/asking/speaks-of.ts';
import type { Understood } from '#features/questions/rules/grammar/question.ts';
import { corrected } from '#features/questions/rules/grammar/tokens.ts';
import { STOP, VOCABULARY } from '#features/questions/rules/grammar/words.ts';
import { isTimed, wordsIn } from '#features/questions/rules/query.ts';
import type { Person } from '#features/questions/use-cases/queries/people.ts';
import { readTenantQuestion } from '#features/questions/use-cases/queries/read-query.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';
import { type Care, careIn, ofPeople, takePeople } from './read-people.ts';
import {
  findThings,
  idsOf,
  joined,
  kindOf,
  narrowed,
  newestEvents,
  ofOwner,
  otherOf,
  type Thing,
  twinAt,
  unheardOf,
  withHosts,
} from './things.ts';

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
  /** Quoted titles of events. */
  readonly titles: readonly string[];
  /** Words of a complaint: they are looked for in titles. */
  readonly topic: readonly string[];
  /** Words that no title has, beside a name or time. */
  readonly strange: readonly string[];
  readonly severities: readonly Severity[];
  /** Reading as a query. */
  readonly asked: Understood;
  /** Users and teams that it names, and what they have to do with it. */
  readonly care: Care;
  readonly pointsBack: boolean;
  /** Arrival of the first event; null: none, or none that the caller may read. */
  readonly begin: number | null;
  /** Place in a ranking that it asks for: 2 of the second biggest. */
  readonly nth: number;
}

const IDS = /\b(?:COR-\d{1,16}-\w{1,20}|EVT-[0-9A-Z]{26})\b/gi;
const FOLLOW_UP =
  /^(?:and|or|what about|how about|also|then|now|but|same for|ok(?:ay)?,? and|so|for|on|in|since|during|from|only|just|any still)\b|^[§¤ ?]+$/i;
const EARLIER =
  /\b(?:the )?(?:(\d{1,3}) )?(day|night|week|month|hour|minute)s? (?:before|earlier|prior)(?: (?:that|then))?\b|\b(?:the )?(?:previous|prior|preceding) (?:(\d{1,3}) )?(day|week|month|hour|minute)s?\b/i;
/** The time that was spoken of. */
const THEN =
  /\b(?:around |at |during |in |about )?(?:that|the same) (?:time|period|window|minute|hour|night|day|morning)\b|(?<!\b(?:until|by|from|really|it|that|what|who|so|now) )\b(?:back )?then[ ?]*$/i;
/** A range from a time that was spoken of, or from a fault, until now. */
const SINCE_THEN = /\b(?:since|after) then\b/i;
const COUNTED = /\bhow (?:many|often|much)\b|\bnumber of\b|\bcount\b|\bwhich\b|^any/i;
const SINCE_FAULT =
  /\b(?:since|after) ((?:the |our )?[^,.;:?!]{2,60}?) (?:has |had )?(?:crash\w*|fail\w*|died|went (?:down|away|offline)|broke(?: down)?|hung|stopped|re-?(?:boot|start)ed)\b/i;
const AROUND_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 30 * 60_000 };

async function aroundIncident(asking: Asking, { incident: id = '', current }: TalkMemory, lower: string) {
  const { ports, tenant } = asking;
  const eventId = parseEventId(id);
  const page = { sort: 'severity', order: 'desc', limit: 1 } as const;
  const open = { ciId: [current ?? ''], statuses: ['open', 'acknowledged'] } as const;
  const isOfCi = eventId === null && id === '' && current !== null;
  const own = eventId === null ? null : await ports.events.get(tenant, eventId);
  const event = isOfCi ? (await ports.events.find(tenant, open, page)).items[0] : own;
  const at = event?.firstOccurrence ?? (await ports.groupRows.get(tenant, id))?.group.first;
  const [unit = ''] = lower.match(/minute|hour/) ?? [];
  const ms = AROUND_MS[unit] ?? 5 * 60_000;
  const isSince = SINCE_THEN.test(lower);
  return at === undefined
    ? null
    : saidRange(isSince ? { from: at, to: asking.receivedAt } : { from: at - ms, to: at + ms });
}
const saidRange = (range: Range) => ({ text: isoRange(range), range });

/** `since db-1 crashed, how many errors were there`: the time of the newest severe event on it in place of the clause. */
async function sinceFault(asking: Asking, text: string): Promise<string> {
  const [clause, named] = COUNTED.test(text) ? (text.match(SINCE_FAULT) ?? []) : [];
  if (clause === undefined || named === undefined) return text;
  const { things } = await findThings(asking, named);
  const ciId = idsOf(await withHosts(asking, narrowed(things))).slice(0, 1_000);
  const [last] = ciId.length === 0 ? [] : await newestEvents(asking, { ciId, severities: ['critical', 'major'] });
  return last === undefined
    ? text
    : text.replace(clause, isoRange({ from: last.firstOccurrence, to: asking.receivedAt + 60_000 }));
}

/** `the day before`: of the time that was spoken of. */
function earlierThan({ time }: TalkMemory, lower: string, zone: string): MessageReading['time'] {
  const said = lower.match(EARLIER);
  const unit = (said?.[2] ?? said?.[4] ?? '').replace('night', 'day');
  if (time !== undefined && THEN.test(lower) && !SINCE_THEN.test(lower)) return time;
  if (said === null || time === undefined || unit === '') return null;
  const { from, to } = time.range;
  const number = said[1] ?? said[3];
  const shifted = (ms: number): number => calendarOf(zone).add(ms, -Number(number ?? 1), unit as 'day' | 'hour');
  return saidRange({ from: shifted(from), to: number === undefined ? shifted(to) : from });
}

function timeOf(asked: Understood, { receivedAt: now, zone }: Asking, lower: string): MessageReading['time'] {
  const said = asked.entities.find(({ kind }) => kind === 'time');
  const text = said && [said.text, said.value].find((one) => readRange(one, now, zone) !== null);
  const direct = /\b(?:just now|right now|at the moment|currently)\b/.test(lower) ? null : text;
  const range = direct ? readRange(direct, now, zone) : null;
  return direct && range ? { text: direct, range } : null;
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}/._-]*/gu) ?? []).map((word) => withoutTrailing(word, './_-'));

/** Parts of the table of intents from this length are whole words. */
const WHOLE_WORD = 8;
const INTENT_WORDS: ReadonlySet<string> = new Set([
  ...PLAIN,
  ...VOCABULARY.words,
  ...[...INTENT_PARTS].filter((part) => part.length >= WHOLE_WORD),
]);

const topicOf = ({ rest, lower, time, asked }: Pick<Parts, 'rest' | 'lower' | 'time' | 'asked'>): string[] => {
  const kinds = [...CONDITIONS, 'sort', 'limit'];
  const conditions = asked.entities.filter(({ kind }) => kinds.includes(kind));
  const ofTime = new Set(wordsOf([time?.text ?? '', ...conditions.map(({ text }) => text)].join(' ')));
  const isPlain = (word: string): boolean => PLAIN.has(word) || STOP.has(word);
  const single = wordsOf(rest).filter(
    (word) => word.length > 2 && !ofTime.has(word) && !isPlain(word) && !isPlain(corrected(word, INTENT_WORDS)),
  );
  // `log in` and `log out` are one word in titles, also before a time: `log in last night`.
  const joined = [...lower.matchAll(JOINED)].map(([, verb, particle]) => `${verb}${particle}`);
  // `memory alarm`: what an event is about, although the word alone may be a field.
  const spoken = [...rest.toLowerCase().matchAll(COMPLAINING)].flatMap(([, word = '']) =>
    isComplaint(word) ? [word] : [],
  );
  return [...new Set([...single, ...joined, ...spoken])].slice(0, 12);
};

const COMPLAINING = /\b(\p{L}{3,20}) (?:alarm|alert|warning|problem|issue|trouble|event)s?\b/gu;
const JOINED = /\b(log|sign|time|fail|lock|start|hand) (in|on|out|up|off|over)\b/g;

const aboutSubject = (
  intent: Intent | null,
  { things, time, shape, pointsBack }: Pick<MessageReading, 'shape' | 'things' | 'time' | 'pointsBack'>,
  isLooking: boolean,
): Intent | null => {
  const isOfTalk = isLooking && pointsBack && /\b(?:it|this|that|here)\b/.test(shape);
  if (intent === 'summary' && things.length === 0 && time === null && isOfTalk) return 'why';
  // `which incidents were only in a site`.
  if (
    intent === 'summary' &&
    things.every(({ kind }) => kind === 'place') &&
    /\b(?:incidents|outages|(?:hand|carry|take|pass) (?:over|on))\b/.test(shape)
  )
    return intent;
  const isOfCourse =
    intent === 'summary' || (intent === 'why' && /\bwhat (?:has |had |was |is )?(?:happen|go)/.test(shape));
  if (isOfCourse && things.length > 0) return time === null ? 'why' : 'status';
  return intent ?? (things.length > 0 ? 'status' : null);
};

interface Parts extends Pick<MessageReading, 'lower' | 'asked' | 'time' | 'things' | 'missing' | 'shape'> {
  readonly whole: string;
  /** Quoted titles of events. */
  readonly titles: readonly string[];
  readonly people: readonly Person[];
  readonly rest: string;
}

const ASIDE =
  /^(?:ok(?! (?:to|if|for)\b)|okay(?! (?:to|if|for)\b)|hi|hey|hello|thanks|please|pls|so|um+|well|and)[,.!]? (?=\S)/;

/** Words of intents without typing errors; § for names, ¤ for times, @ for people. */
const shapeOf = (rest: string): string =>
  rest
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[a-z]{5,20}/g, (word) =>
      INTENT_PARTS.has(word) || VOCABULARY.spellings.has(word) ? word : corrected(word, INTENT_WORDS),
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b(?:live|sit|stand)(s?) on\b/g, 'run$1 on')
    .trim();

const OF_PLANS =
  /\b(?:planned|scheduled|maintenance|can (?:i|we)|may (?:i|we)|should|safe|will|going to|silenc\w*|re-?start|reboot|patch|upgrade|take (?:it|§)|ok to|risk\w*)\b/i;
/** `tonight` in the morning is the night that ends, where nothing is planned. */
const pastNight = ({ receivedAt, zone }: Asking, text: string, { asked = '' }: TalkMemory): string =>
  calendarOf(zone).shown(receivedAt).hour < 12 && !OF_PLANS.test(`${asked} ${text}`) && text.trim().includes(' ')
    ? text.replace(/\btonight\b/gi, 'last night')
    : text;

/** A question of the future means the next such time, of which nothing is known. */
const CLOCK = /\b(?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|noon|midnight)\b/i;

async function partsOf(asking: Asking, text: string, memory: TalkMemory): Promise<Parts> {
  const dated = await sinceFault(asking, text.replaceAll(IDS, ' '));
  const whole = pastNight(asking, plainTimes(dated), memory);
  const lower = whole.toLowerCase().replaceAll('’', "'");
  const asked = await readTenantQuestion(asking, whole.trim() === '' ? 'x' : whole);
  const isAll = SINCE_THEN.test(lower) && !COUNTED.test(lower);
  const isThen =
    !isAll && THEN.test(lower) && memory.time === undefined && (memory.incident ?? memory.current) !== null;
  const mayHear = asking.caller.permissions.has('events.read');
  const time =
    earlierThan(memory, lower, asking.zone) ??
    timeOf(asked, asking, lower) ??
    (isThen && mayHear ? await aroundIncident(asking, memory, lower) : null);
  const said = [EARLIER, ...(memory.time === undefined && !isThen ? [] : [THEN])];
  if (time !== null) said.push(new RegExp(time.text.replaceAll(/[^\w\s]/g, '\\$&'), 'i'));
  const timed = time === null ? whole : said.reduce((left, one) => left.replace(one, ' ¤ '), whole);
  const { people, left } = await takePeople(asking, timed);
  const { things: named, missing, titles, rest } = await findThings(asking, left);
  const { shape, things: whose } = joined(left, shapeOf(rest), named);
  const { things, lost } = await ofOwner(asking, shape, whose);
  const isAhead = time !== null && /^(?:and |so )?will\b/.test(lower) && CLOCK.test(time.text);
  const all = { whole, lower, asked, things, missing: [...missing, ...lost], titles, people, rest, shape };
  return { ...all, time: isAhead ? null : time };
}

const CONDITIONS: readonly string[] = ['severity', 'source', 'status', 'environment', 'group'];
const conditionsIn = ({ asked }: Parts) => asked.entities.filter(({ kind }) => CONDITIONS.includes(kind));

/** True if a message names nothing but another time, thing or condition for the last question. */
function isAddition(parts: Parts, { incidents = [] }: TalkMemory): boolean {
  const { shape, lower, things, time, missing, people } = parts;
  // A suspect of the talk, a relative of its subject, or `which vms are on it` is a question of its own.
  if (OF_ITS.test(shape) || OWN_QUESTION.test(shape)) return false;
  const refers =
    [FOLLOW_UP, POINTS_BACK, ADDED, /\bones?\b/].some((one) => one.test(shape)) || FOLLOW_UP.test(lower.trim());
  const conditions = conditionsIn(parts);
  // `the oldest of them` is the oldest of the listed incidents, else of the rows of the last question.
  const isOfThem = incidents.length > 1 || !AGED.test(shape);
  const own = isOfThem ? [...OF_LIST, 'worst'] : OF_LIST;
  if (own.includes(intentOf(shape) ?? '')) return false;
  if (!refers && !conditions.some(({ kind }) => kind === 'group')) return false;
  if (things.length + missing.length + conditions.length + people.length === 0 && time === null && !ADDED.test(shape))
    return false;
  const said = new Set(wordsOf(conditions.map(({ text }) => text).join(' ')));
  const left = shape
    .replace(ADDED, ' ')
    .replaceAll(/[§¤@?!.,]/g, ' ')
    .split(' ');
  return left.every((word) => word === '' || SMALL.has(word) || said.has(word));
}
const OWN_QUESTION = /^(?:is|was|could|might) (?:it|this|that) (?:be )?(?:the |a |an |our )?§|^(?:which|what) §/;
const OF_LIST = ['members', 'listed', 'ranked', 'over', 'shared'];
/** Times of plans, and orders, which are no conditions of queries. */
const ADDED =
  /\b(?:tonight|tomorrow(?: (?:night|morning|afternoon|evening))?|(?:this|next) week(?:end)?|oldest|newest|latest|longest|worst)\b/;
const DAYS = /\b(?:now|tonight|tomorrow(?: (?:night|morning|afternoon|evening))?|today|(?:this|next) week(?:end)?)\b/i;
const SMALL: ReadonlySet<string> = new Set(
  wordsIn(
    'and or what how about also then now but same for on in so ok okay the is a case of with only just from those ones at during since any some of it them those these there they one which are all still many',
  ),
);

/** The last question with the other time, thing or condition: each replaces its like, or is added. */
function continued(before: Parts, added: Parts): string {
  let text = withoutTrailing(before.whole, '?!. ');
  const replaced = (old: string | undefined, by: string, join: string): void => {
    const at = old === undefined ? -1 : text.toLowerCase().indexOf(old.toLowerCase());
    text =
      at < 0 || old === undefined ? `${text}${join}${by}` : `${text.slice(0, at)}${by}${text.slice(at + old.length)}`;
  };
  const isCompared = intentOf(before.shape) === 'compare' && before.things.length > 1;
  const grouped = conditionsIn(added).flatMap(({ kind, text: words }) => (kind === 'group' ? words.toLowerCase() : []));
  for (const { kind, said } of added.things.filter((one) => !grouped.some((words) => words.includes(one.said)))) {
    const same = before.things.find((one) => one.kind === kind);
    // `which vms go with it`, `and db-2?`: in place of the pronoun.
    const pronoun =
      same === undefined && kind !== 'type' ? text.match(/\b(?:it|this|that)\b(?=[ ?.!]*$)/i)?.[0] : undefined;
    if (pronoun !== undefined) {
      text = text.replace(/\b(?:it|this|that)\b(?=[ ?.!]*$)/i, () => said);
      continue;
    }
    const like = same ?? before.things[0];
    replaced(isCompared ? undefined : (like?.said ?? before.missing[0]), said, isCompared ? ', ' : ' on ');
  }
  for (const name of added.missing) replaced(before.things[0]?.said ?? before.missing[0], name, ' on ');
  for (const { name } of added.people.slice(0, 1)) {
    const words = before.people.flatMap((one) => [one.name.toLowerCase(), ...one.words]);
    replaced(
      words.find((one) => text.toLowerCase().includes(one)),
      name,
      ' by ',
    );
  }
  const [word] = added.shape.match(ADDED) ?? [];
  if (word !== undefined) replaced(DAYS.test(word) ? text.match(DAYS)?.[0] : undefined, word, ' ');
  if (added.time !== null) replaced(before.time?.text, added.time.text, ' ');
  for (const kind of CONDITIONS) {
    const [first, ...others] = conditionsIn(added).filter((one) => one.kind === kind);
    if (first === undefined) continue;
    const [old] = conditionsIn(before).filter((one) => one.kind === kind);
    replaced(old?.text, [first, ...others].map((one) => one.text).join(' and '), kind === 'source' ? ' from ' : ' ');
  }
  return text;
}

const ONES =
  /\b(un-?acked|unacknowledged|acked|open|closed|resolved|critical|major|minor|warning|new|unassigned|other) ones\b/i;
const OF_THEM =
  /\bhow many(?: of (?:them|those|these|the (?:ones|others)|today's|yesterday's)| ones)(?: (?:ones|incidents|events|alerts))?(?= (?:are|were|is|was|have|has|still|did)\b)/i;

/** `how many did it have`: of the row before. */
const OF_TOP =
  /\bhow many (?:(?:alerts?|events?|alarms?|messages?) )?did (?:it|they|he|she|that) (?:have|get|send|raise|cause|make)\b/i;

const SUPERLATIVE =
  '(?:most|least|biggest|largest|smallest|longest|shortest|worst|best|noisiest|loudest|busiest|quietest|oldest|newest|latest|highest|lowest|fewest|slowest)';
const NTH = new RegExp(
  `\\b(?:the )?(second|third|fourth|fifth|2nd|3rd|4th|5th)(?:[ -](?=${SUPERLATIVE}\\b)|(?: one| place)?(?=[ ?.!]*$))`,
  'i',
);
const NEXT = /^(?:and |then )?(?:the )?next(?: one)?[ ?.!]*$/i;
const BARE = new RegExp(
  `^(?:(?:and|or|then|who|whos|who's|which|what|what's|whats|is|are|was|about|the|one|ones|in|at|on|${SUPERLATIVE}|[?.!,])\\s*)*$`,
  'i',
);

/** `the second biggest`, `and the third?`: the place, and the question without it. */
function placed(message: string, { asked, nth = 1 }: TalkMemory): readonly [string, number] {
  if (asked !== undefined && NEXT.test(message)) return [asked, nth + 1];
  const [said, word = ''] = message.match(NTH) ?? [];
  if (said === undefined) return [message, 1];
  const left = message.replace(said, '').replaceAll(/\s+/g, ' ').trim();
  return [asked !== undefined && BARE.test(left) ? asked : left, ordinalNamed(word.toLowerCase()) ?? 1];
}

/** An incident of the last list: `how long did the first one last`. */
const ONE_OF =
  /\bthe (first|last|top|second|third|fourth|fifth) one\b|\bthe (second|third|fourth|fifth) (?:incident|problem|outage|group)\b/i;

const ONE_AT = /\bthe (\p{L}{3,20}\d?) one\b/iu;
const OTHER =
  /\bthe other(?: one| incident| group| problem| system| host)?(?=[ ?.!]*$| (?:ok|up|down|is|was|has|still|fine)\b)/i;
/** `and the other one?`: the second of two incidents or names, or of two CIs that differ in their number. */
async function otherNamed(asking: Asking, message: string, memory: TalkMemory): Promise<readonly [string, string?]> {
  const { asked, incident, incidents = [], list = [], subject } = memory;
  const { current } = asking;
  const known = subject ?? current?.name;
  const [ofPlace = '', place = ''] = message.match(ONE_AT) ?? [];
  for (const name of ofPlace === '' ? [] : [subject, current?.name]) {
    const twin = name === undefined ? undefined : await twinAt(asking, name, place);
    if (twin !== undefined) return [message.replace(ofPlace, () => `"${twin.name}"`)];
  }
  const [said] = asked === undefined ? [] : (message.match(OTHER) ?? []);
  if (said === undefined || asked === undefined) return [message];
  const isBare = wordsOf(message.replace(said, '')).every((word) => SMALL.has(word));
  const [id, second] = incidents.filter((one) => one !== incident);
  if (id !== undefined && second === undefined)
    return [isBare ? asked.replace(ONE_OF, 'it') : message.replace(said, 'it'), id];
  const named = list.length === 2 && list.some((one) => one === known) ? list.find((one) => one !== known) : undefined;
  const name = named ?? (current === null ? undefined : (await otherOf(asking, current))?.name);
  return [name === undefined ? message : message.replace(said, () => `"${name}"`)];
}

const GROUP_THEM =
  /^(?:(?:and|now|then|ok|okay|please|can you|could you|just) )*(?:(?:group|break|split|sort|list|show|count|sum|slice|divide|order)(?:ed)? )?(?:(?:it|them|those|these|that|this|all) )?(?:down |up )?(?:by|per) (?:each )?(\w+(?: \w+)?)[ ?.!]*$/i;
const COUNTABLE: readonly (string | undefined)[] = ['query', 'events', 'repeats', 'find'];

/** `group them by host`: the last question by it, or the incidents or changes of the last answer. */
function groupedAgain(message: string, { asked, intent, time }: TalkMemory): string {
  const by = asked === undefined ? undefined : message.match(GROUP_THEM)?.[1];
  if (by === undefined) return message;
  if (COUNTABLE.includes(intent)) return `by ${by}`;
  const noun = intent === 'changes' ? 'changes' : time === undefined ? 'open incidents' : 'incidents';
  return `${noun} by ${by}${time === undefined ? '' : ` ${time.text}`}`;
}

/** Answers about other things than events. */
const UNCOUNTED: readonly (string | undefined)[] = ['assigned', 'notes', 'silenced', 'who', 'services', 'tally'];

/** `how many of them are open`: with the noun and the time of the last count. */
async function countedAgain(asking: Asking, message: string, memory: TalkMemory): Promise<string> {
  const plural = ['query', 'events', 'notes', 'summary', 'assigned'].includes(memory.intent ?? '')
    ? message.replace(ONES, (_, word: string) => `${word} ${memory.intent === 'summary' ? 'incidents' : 'alerts'}`)
    : message;
  const said = plural.match(OF_THEM)?.[0] ?? (memory.intent === 'query' ? plural.match(OF_TOP)?.[0] : undefined);
  if (said === undefined || memory.asked === undefined || UNCOUNTED.includes(memory.intent)) return plural;
  const before = await partsOf(asking, memory.asked, memory);
  const { query, entities } = before.asked;
  const noun = query?.metric === 'incidents' || memory.intent === 'summary' ? 'incidents' : 'events';
  const day = /yesterday/i.test(said) ? ' yesterday' : /today/i.test(said) ? ' today' : '';
  const time = day === '' && memory.time !== undefined ? ` ${memory.time.text}` : day;
  const own = (await readTenantQuestion(asking, plural)).entities;
  const textsOf = (kind: string): string =>
    own.some((one) => one.kind === kind)
      ? ''
      : entities.flatMap((one) => (one.kind === kind ? [one.text] : [])).join(' or ');
  const again = plural.replace(said, `how many ${textsOf('severity')} ${noun}`.replace('  ', ' '));
  const status = textsOf('status');
  const { list = [], nth = 1 } = memory;
  const isTop = OF_TOP.test(said);
  const only = isTop ? list[nth - 1] : list[0];
  const isOfRow =
    query?.groupBy != null && !isTimed(query.groupBy) && only !== undefined && (isTop || list.length === 1);
  const row = isOfRow ? (query.groupBy === 'source' ? ` from ${only}` : ` on "${only}"`) : '';
  const things = row === '' ? before.things : [];
  const where =
    things.length > 2 ? '' : things.flatMap(({ kind, said: name }) => (kind === 'type' ? [] : ` on ${name}`)).join('');
  const from = textsOf('source');
  return `${withoutTrailing(again, ' ?.!')}${status && ` and ${status}`}${from && ` from ${from}`}${row}${where}${time}`;
}

const VERSUS = /^(?:and )?(?:versus|vs\.?|against|compared (?:to|with)) (?=\S)/i;
/** `versus 9 to 10`: the last question, with its time and the other one. */
function comparedAgain({ receivedAt, zone }: Asking, message: string, { asked, time }: TalkMemory): string {
  if (asked === undefined || time === undefined || !VERSUS.test(message)) return message;
  const other = plainTimes(message.replace(VERSUS, 'versus ')).slice('versus '.length);
  if (readRange(withoutTrailing(other, ' ?.!'), receivedAt, zone) === null) return message;
  const [base = asked] = plainTimes(withoutTrailing(asked, ' ?.!')).split(/ (?:versus|vs) /);
  const said = base.toLowerCase().includes(time.text.toLowerCase()) ? '' : ` ${time.text}`;
  return `${base}${said} versus ${other}`;
}

const OF_BOTH = /\b(?:which|who|what)(?: one)? of (?:the two|both|them two)\b|\bwhich of (?:those|these|them) two\b/i;
/** `which of the two is worse`: the last two subjects of the talk. */
const bothNamed = (message: string, { subjects = [], incidents = [] }: TalkMemory): string =>
  subjects.length < 2 || incidents.length > 1 || !OF_BOTH.test(message)
    ? message
    : message.replace(OF_BOTH, () =>
        subjects
          .map((name) => `"${name}"`)
          .join(' or ')
          .concat(', which'),
      );

/** `the ups` in a talk about a site: those there. */
async function ofTalk(asking: Asking, { lower, things }: Parts, { subject }: TalkMemory): Promise<readonly Thing[]> {
  const [only, second] = things;
  if (only === undefined || second !== undefined || subject === undefined) return things;
  const isMany = (only.kind === 'type' || only.kind === 'family') && only.cis.length > 1;
  if (!isMany || !lower.includes(`the ${only.said.toLowerCase()}`)) return things;
  const around = (await findThings(asking, `"${subject}"`)).things.filter(({ kind }) => kind === 'place');
  const there = new Set(idsOf(around));
  const cis = only.cis.filter(({ id }) => there.has(id));
  return cis.length === 0 || cis.length > FEW ? things : [{ ...only, kind: 'family', cis }];
}
const FEW = 5;

/** `what did she write`: the user that was named last. */
const personNamed = (message: string, { person }: TalkMemory): string =>
  person === undefined ? message : message.replace(/\b(?:he|she|him)\b/i, () => person);

/** The parts of a message, or of the last question with its additions. */
async function withAddition(asking: Asking, text: string, memory: TalkMemory, hasId: boolean) {
  const own = await partsOf(asking, text, memory);
  if (memory.asked === undefined || hasId || !isAddition(own, memory)) return { ...own, text };
  const before = await partsOf(asking, memory.asked, memory);
  const both = continued(before, own);
  const kind = await kindOf(asking, before.things[0], own.things[0]);
  return {
    ...(await partsOf(asking, both, memory)),
    text: both,
    ...(own.time !== null && { time: own.time }),
    ...(kind !== null && { things: [kind] }),
  };
}

/** Reads a message; never refuses one. */
export async function readMessage(asking: Asking, written: string, memory: TalkMemory): Promise<MessageReading> {
  const plain = personNamed(bothNamed(plainChat(written), memory), memory);
  const [message, otherId] = await otherNamed(asking, comparedAgain(asking, plain, memory), memory);
  const [ordered, nth] = placed(message, memory);
  const ids = (message.match(IDS) ?? []).map((id) => id.replace(/^(?:cor|evt)/i, (one) => one.toUpperCase()));
  const [, one, other, place = one ?? other ?? ''] = message.match(ONE_OF) ?? [];
  const listed = memory.incidents
    ?.slice(0, 8)
    .at(/last/i.test(place) ? -1 : (ordinalNamed(place.toLowerCase()) ?? 1) - 1);
  if (otherId !== undefined) ids.push(otherId);
  else if (place !== '' && listed !== undefined && ids.length === 0) ids.push(listed);
  const counted = await countedAgain(asking, groupedAgain(ordered, memory), memory);
  const parts = await withAddition(asking, counted, memory, ids.length > 0);
  const { text, whole, lower, asked, time, missing, titles, people, rest, shape } = parts;
  const things = await ofTalk(asking, parts, memory);
  // One word that is no word of questions is a name that nothing has.
  const pointsBack = POINTS_BACK.test(shape);
  const isNarrow =
    titles.length === 0 && (things.length > 0 || time !== null || (pointsBack && memory.intent !== undefined));
  const said = titles.length > 0 ? wordsOf(titles.join(' ')) : topicOf({ rest, lower, time, asked });
  // Words that no title has are no complaints, where the message names something else.
  const strange = isNarrow ? await unheardOf(asking, said) : [];
  const topic = said.filter((word) => !strange.includes(word));
  const isName = things.length + missing.length === 0 && topic.length === 1 && shape.split(' ').length === 1;
  const worded = intentOf(shape.replace(ASIDE, ''));
  const meant = ids.length > 0 && (worded === null || !OF_INCIDENT.includes(worded)) ? 'why' : worded;
  const care = careIn(asking, shape, people);
  const intent =
    ofPeople(meant, shape, care, ids.length > 0) ??
    aboutSubject(meant, { shape, things, time, pointsBack }, asking.current !== null || memory.incident !== undefined);
  const severities =
    asked.query?.filters.severity ?? asked.entities.flatMap(({ kind, value }) => (kind === 'severity' ? [value] : []));
  return {
    text: ids.length > 0 ? text : whole,
    lower,
    shape,
    intent,
    things,
    missing: isName ? topic : missing,
    ids,
    time,
    titles,
    topic,
    strange,
    severities: SEVERITIES.filter((severity) => severities.includes(severity)),
    asked,
    care,
    pointsBack,
    begin: asking.caller.permissions.has('events.read') ? await firstArrival(asking.ports, asking.tenant) : null,
    nth,
  };
}

const OF_CLOCK = /^(?:at |around |about )?(?:\d{1,2}(?::\d{2})?(?: ?[ap]m)?|noon|midnight)\b/i;
const HALF_HOUR_MS = 30 * 60_000;
/** `at 00:30`: the middle of the range that such a time is; null: another range. */
export const instantOf = ({ time }: MessageReading): number | null =>
  time !== null && OF_CLOCK.test(time.text) && time.range.to - time.range.from <= 2 * HALF_HOUR_MS
    ? time.range.from + HALF_HOUR_MS
    : null;
