import { parseEventId, SEVERITIES } from '#domain/event/event.ts';
import { paired } from '#domain/paired.ts';
import { isPlainWord, wantedBy } from '#features/questions/rules/chat/intents.ts';
import type { MessageReading, Named } from '#features/questions/rules/chat/reading.ts';
import type { KnownNames } from '#features/questions/rules/grammar/names.ts';
import { readQuestion, type Understood } from '#features/questions/rules/grammar/question.ts';
import { knownNames } from '#features/questions/rules/grammar/tenant-names.ts';
import { unfitFor } from '#features/questions/rules/query.ts';
import { readRange } from '#features/questions/rules/range.ts';
import { tenantNames } from '#features/questions/use-cases/queries/tenant-names.ts';
import type { ChatAsking } from './tools/context.ts';
import { bindTexts } from './tools/meant-ci.ts';

/** Texts of one message that are looked up. */
const MAX_TERMS = 20;
const QUOTED = /"([^"]{1,200})"|“([^”]{1,200})”|(?<![\p{L}\p{N}])'([^']{1,200})'(?![\p{L}\p{N}])/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._:-]{0,254}/gu;
/** Something in a name is no letter; numbers and times are none. */
const LOOKS_LIKE_NAME = /[\d._:-]/;
const NO_NAME = /^(?:[\d.,:]{1,8}|\d{1,6}[a-z]{1,3}|\d{4}-\d{2}-\d{2}.{0,30}|COR-\d+-\w+)$/i;

const clean = (word: string): string => {
  let end = word.length;
  while (end > 0 && '._:-'.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
};

interface Terms {
  /** Quoted, or of the form of a name: when they name nothing, that is told. */
  readonly sure: readonly string[];
  /** Words that nothing else explains. */
  readonly perhaps: readonly string[];
}

/** Texts that may be names of CIs. */
function termsOf(message: string, read: Understood, names: KnownNames): Terms {
  const quoted = [...message.matchAll(QUOTED)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const times = read.entities.filter(({ kind }) => kind === 'time').map(({ text }) => text.toLowerCase());
  const isTime = (word: string): boolean => times.some((text) => text.split(' ').includes(word.toLowerCase()));
  const isKnown = (word: string): boolean => names.has(word.toLowerCase()) || isTime(word);
  const words = message.replaceAll(QUOTED, ' ').match(WORD)?.map(clean) ?? [];
  const formed = words.filter(
    (word) => LOOKS_LIKE_NAME.test(word) && !NO_NAME.test(word) && !isKnown(word) && parseEventId(word) === null,
  );
  const cis = read.entities.filter(({ kind }) => kind === 'ci').map(({ value }) => value);
  const phrases = read.notUnderstood
    .map((text) =>
      text
        .split(' ')
        .filter((word) => !isPlainWord(word))
        .join(' '),
    )
    .filter((text) => text !== '');
  const unknown = [...phrases, ...read.unknown].filter((word) => !isPlainWord(word) && !isKnown(word));
  const services = read.entities.filter(({ kind }) => kind === 'service').map(({ text }) => text);
  const behind = unknown.filter((word) => isBehind(message, word));
  const sure = [...new Set([...quoted, ...formed, ...cis, ...services, ...behind])].slice(0, MAX_TERMS);
  const perhaps = [...new Set(unknown)].filter((text) => !sure.includes(text)).slice(0, MAX_TERMS - sure.length);
  return { sure, perhaps };
}

/** `on web`, `of the payment gateway`: something is called so. */
const BEFORE = /\b(?:on|of|for|about|at|if|does|do|is|has|to)(?: the| my| our)?$/;
const isBehind = (message: string, words: string): boolean => {
  const lower = message.toLowerCase();
  const at = lower.indexOf(words.toLowerCase());
  return at > 0 && BEFORE.test(lower.slice(Math.max(0, at - MOST_BEFORE), at).trimEnd());
};
const MOST_BEFORE = 20;

/** In the order in which the message has them. */
const inOrder = (message: string, terms: readonly string[]): string[] => {
  const lower = message.toLowerCase();
  const at = (term: string): number => (lower.indexOf(term.toLowerCase()) + lower.length + 1) % (lower.length + 1);
  return [...terms].sort((a, b) => at(a) - at(b));
};

/** CIs of events that the message names. */
async function cisOfEvents({ tenant, ports, caller }: ChatAsking, message: string): Promise<readonly Named[]> {
  const ids = (message.match(WORD) ?? []).flatMap((word) => parseEventId(clean(word)) ?? []).slice(0, MAX_TERMS);
  if (ids.length === 0 || !caller.permissions.has('events.read')) return [];
  return (await ports.events.getMany(tenant, ids)).flatMap(({ ci }) => ci ?? []);
}

const byId = (cis: readonly Named[]): Named[] => [...new Map(cis.map((ci) => [ci.id, ci])).values()];

const GROUP_ID = /\bCOR-\d{1,16}-\w{1,20}\b/gi;
const EVENT_ID = /\bEVT-[0-9A-Z]{26}\b/gi;
const idOf = (text: string): string => text.replace(/^cor/i, 'COR');

/** `the worst fault`, `the biggest open group`: one group, although no id is said. */
const WORST_GROUP =
  /\b(?:(worst|most (?:urgent|serious|severe|critical|important))|biggest|largest) (?:(?:open|active|current|unresolved) )?(?:fault|group|problem|incident|outage|issue)\b/i;
const UNRESOLVED = ['active', 'acknowledged'] as const;

/** The group that is meant by how bad or large it is, first in a list in this order; none where the caller may not see any. */
async function worstGroup({ tenant, ports, caller }: ChatAsking, message: string): Promise<readonly string[]> {
  const said = message.match(WORST_GROUP);
  if (said === null || !caller.permissions.has('events.read')) return [];
  const sort = said[1] === undefined ? 'size' : 'urgency';
  const { items } = await ports.groupRows.find(tenant, { statuses: UNRESOLVED }, { sort, order: 'desc', limit: 1 });
  return items.map(({ group }) => group.id);
}

/** Reads a message with the names of the tenant; never refuses one. */
export async function understand(asking: ChatAsking, text: string): Promise<MessageReading> {
  const whole = text.replace(WORST_GROUP, ' ');
  const named = text.match(GROUP_ID)?.map(idOf) ?? [];
  const groups = [...new Set([...named, ...(await worstGroup(asking, text))])];
  const ofEvents = await cisOfEvents(asking, whole);
  // An id of an event stands for its CI; one that stands for nothing is told as such.
  const message = (ofEvents.length === 0 ? whole : whole.replaceAll(EVENT_ID, ' ')).replaceAll(GROUP_ID, ' ');
  const { receivedAt: now, zone, current } = asking;
  const tenant = knownNames(await tenantNames(asking));
  const first = readQuestion(message, { now, zone, names: tenant });
  const { sure, perhaps } = termsOf(message, first, tenant);
  const terms = inOrder(message, [...sure, ...perhaps]);
  const bindings = await bindTexts(asking, terms);
  const bound = paired(terms, bindings).map(([term, binding]) => ({ term, binding }));
  const found = bound.filter(({ binding }) => binding.ci !== null);
  const withCis = new Map([...tenant, ...found.map(({ term }) => [term.toLowerCase(), 'ci'] as const)]);
  const read = found.length === 0 ? first : readQuestion(message, { now, zone, names: withCis });
  const looked = lookedUp(bound, sure, ofEvents);
  const reading = readingOf(message, read, asking);
  // How a CI is, its details tell, and no number.
  const isOfCi = reading.intent === 'status' && looked.cis.length > 0;
  const unfit = read.query === null ? undefined : unfitFor(read.query)?.reason;
  const told = new Set([...looked.missing, ...looked.ambiguous]);
  return {
    ...reading,
    current,
    terms,
    groups,
    ...looked,
    notUnderstood: reading.notUnderstood.filter((text) => !told.has(text) && !(isOfCi && text === unfit)),
  };
}

function lookedUp(
  bound: readonly { readonly term: string; readonly binding: Awaited<ReturnType<typeof bindTexts>>[number] }[],
  sure: readonly string[],
  ofEvents: readonly Named[],
) {
  const cis = byId([...bound.flatMap(({ binding }) => binding.ci ?? []), ...ofEvents]);
  const lost = bound.filter(({ binding }) => binding.ci === null);
  const ambiguous = lost.filter(({ binding }) => binding.ambiguous).map(({ term }) => term);
  const missing = lost.filter(({ term, binding }) => !binding.ambiguous && sure.includes(term)).map(({ term }) => term);
  return { cis, ambiguous, missing };
}

function readingOf(message: string, read: Understood, { receivedAt: now, zone }: ChatAsking) {
  const { query, entities, notUnderstood } = read;
  const wanted = wantedBy(message.replaceAll(QUOTED, ' '));
  const said = entities.find(({ kind }) => kind === 'time');
  const recent = wanted.intent === 'events' && NEWEST.test(message) ? RECENTLY : null;
  const text = said === undefined ? recent : [said.text, said.value].find((one) => readRange(one, now, zone) !== null);
  const range = text ? readRange(text, now, zone) : null;
  const list = (name: string): string[] => entities.filter(({ kind }) => kind === name).map(({ value }) => value);
  const severities = query?.filters.severity ?? list('severity');
  const ciType = query?.filters.ci_type?.[0] ?? list('ci_type')[0] ?? null;
  // The type of CI that is looked for was taken for rows, too.
  const conditions = entities.filter(({ kind }) => !(kind === 'group' && ciType !== null));
  const isNamed = (one: string): boolean => one.split(' ').every((word) => isPlainWord(word) || CI_STATUS.test(word));
  return {
    ...wanted,
    metric: query?.metric ?? null,
    severities: SEVERITIES.filter((severity) => severities.includes(severity)),
    ciType,
    ciStatus: message.toLowerCase().match(CI_STATUS)?.[0] ?? null,
    time: text && range ? { text, range } : null,
    conditions,
    isOfPerson: read.isOfPerson,
    isDenied: read.isDenied,
    notUnderstood: notUnderstood.filter((one) => !isNamed(one)),
  };
}
/** `the newest events`: lists of a time have the newest first. */
const NEWEST = /\b(?:newest|latest|most recent)\b/i;
const RECENTLY = 'in the last 24 hours';
const CI_STATUS = /\b(?:active|inactive|maintenance)\b/;
