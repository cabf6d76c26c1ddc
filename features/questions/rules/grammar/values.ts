import { SEVERITIES } from '#domain/event/event.ts';
import type { QueryDraft } from './draft.ts';
import { phrases, type Sentence, wordSet } from './sentence.ts';
import { COMPOUND, ciTypeAt, EVENT_NOUNS, GROUP_NOUNS, SEVERITY_WORDS, STATUS_WORDS } from './words.ts';

/** Severities only where they are called so, or beside another one. */
const LOOSE = wordSet('high low medium serious');
const SEVERITY_NOUNS = wordSet('severity priority prio sev');
const JOINS = wordSet('or and');
const EXCEPT = wordSet('except excluding exclude without ignoring ignore non not no other');
const SEVERE = wordSet('severe');
const SUPERLATIVE = wordSet('most least more less');

const severityAt = (sentence: Sentence, at: number): string | null => {
  const word = sentence.word(at);
  const severity = SEVERITY_WORDS.get(word);
  if (severity === undefined || !LOOSE.has(word)) return severity ?? null;
  const isBeside = (place: number): boolean =>
    SEVERITY_WORDS.has(sentence.word(place)) && !LOOSE.has(sentence.word(place));
  const isCalled = [at - 1, at + 1].some((place) => sentence.isOneOf(place, SEVERITY_NOUNS));
  const isJoined = sentence.isOneOf(at - 1, JOINS) && isBeside(at - 2);
  const isBefore = sentence.isOneOf(at + 1, JOINS) && isBeside(at + 2);
  return isCalled || isJoined || isBefore || EVENT_NOUNS.has(sentence.word(at + 1)) ? severity : null;
};

/** `sev 1`, `severity 2`, `priority 1`. */
const numbered = (sentence: Sentence, at: number): string | null => {
  if (!sentence.isOneOf(at, wordSet('severity priority prio sev p'))) return null;
  const number = Number(sentence.word(at + 1));
  return Number.isInteger(number) && number >= 1 ? (SEVERITIES[number - 1] ?? null) : null;
};

/** The word of `critical services` is about the service, not about severity. */
const isOfThing = (sentence: Sentence, at: number): boolean => {
  const grouping =
    GROUP_NOUNS.get(sentence.word(at + 1)) ?? (sentence.word(at + 1) === 'business' ? 'service' : undefined);
  if (grouping !== 'service' && grouping !== 'ci' && ciTypeAt(sentence, at + 1) === undefined) return false;
  const further = sentence.word(at + 1) === 'business' ? at + 3 : at + 2;
  return sentence.isPlural(Math.min(further - 1, sentence.length - 1)) && !EVENT_NOUNS.has(sentence.word(further));
};

/** Words around a severity that make it a bound; the first row that is there counts. */
const BOUNDS = [
  ['up', 'behind', phrases('or|and above|higher|worse|up|more|severe / upwards')],
  ['up', 'before', phrases('at least / minimum')],
  ['down', 'behind', phrases('or|and below|lower|less|under|down')],
  ['above', 'before', phrases('above|over|worse|higher|exceeding than? / more severe than')],
  ['below', 'before', phrases('below|under|lower than?')],
  ['other', 'before', phrases('other than / except|excluding|exclude|ignoring|ignore|non|not the|for?')],
] as const;
type Direction = 'same' | (typeof BOUNDS)[number][0];

/** The bound that the words around a severity make it; consumes them. */
function directionOf(sentence: Sentence, from: number, to: number): Direction {
  for (const [direction, place, words] of BOUNDS) {
    const piece = place === 'behind' ? sentence.matchesAt(words, to) : sentence.matchesBefore(words, from);
    if (piece === null) continue;
    sentence.take(piece.from, piece.to);
    return direction;
  }
  return 'same';
}

/** The most severe is the first. */
function severitiesOf(said: string, direction: Direction): readonly string[] {
  const rank = SEVERITIES.indexOf(said as (typeof SEVERITIES)[number]);
  const fits: Readonly<Record<Direction, (at: number) => boolean>> = {
    same: (at) => at === rank,
    up: (at) => at <= rank,
    down: (at) => at >= rank,
    above: (at) => at < rank,
    below: (at) => at > rank,
    other: (at) => at !== rank,
  };
  return SEVERITIES.filter((_, at) => fits[direction](at));
}

/** Reads severities, which may imply the metric. */
export function takeLevels(sentence: Sentence, draft: QueryDraft): void {
  let excluded: readonly string[] | null = null;
  for (let at = 0; at < sentence.length; at++) {
    const plain = numbered(sentence, at);
    const prefixed = /^non-(\w+)$/.exec(sentence.word(at))?.[1];
    const said = plain ?? severityAt(sentence, at) ?? SEVERITY_WORDS.get(prefixed ?? '') ?? null;
    if (said === null) {
      if (sentence.isOneOf(at, SEVERE)) severe(sentence, draft, at);
      continue;
    }
    if (plain === null && isOfThing(sentence, at)) {
      draft.notUnderstood.push(sentence.text(at, at + 2));
      sentence.take(at);
      continue;
    }
    const to = plain === null ? at + 1 : at + 2;
    const text = sentence.text(at, to);
    const isJoined = excluded !== null && sentence.isOneOf(at - 1, JOINS);
    const direction = prefixed !== undefined || isJoined ? 'other' : directionOf(sentence, at, to);
    sentence.take(at, to);
    for (const place of [to, at - 1]) if (sentence.isOneOf(place, SEVERITY_NOUNS)) sentence.take(place);
    const meant = severitiesOf(said, direction);
    if (direction === 'other') {
      excluded = (excluded ?? [...SEVERITIES]).filter((severity: string) => meant.includes(severity));
      draft.replace('severity', excluded);
      draft.tell('severity', text, excluded.join(', '));
    } else for (const severity of meant) draft.filter('severity', severity, text);
  }
}

/** `severe alerts`; in `most severe first` it is an order of severities, which is none of numbers. */
function severe(sentence: Sentence, draft: QueryDraft, at: number): void {
  if (sentence.word(at + 1) === 'first') {
    draft.notUnderstood.push(sentence.text(at, at + 2));
    sentence.take(sentence.isOneOf(at - 1, SUPERLATIVE) ? at - 1 : at, at + 2);
    return;
  }
  for (const severity of ['critical', 'major']) draft.filter('severity', severity, 'severe');
  sentence.take(at);
}

const NEGATED = wordSet('not never yet no un');
const NOT_ACKNOWLEDGED = phrases('unacknowledged|unacked|unack / not been? yet? acknowledged|acked');
const NOT_RESOLVED = phrases('not|never been? yet? resolved|closed|fixed|cleared|solved');
const STILL = wordSet('still currently now');

function statuses(sentence: Sentence, draft: QueryDraft): void {
  for (const all of [NOT_ACKNOWLEDGED, NOT_RESOLVED]) {
    const piece = sentence.takeFirst(all);
    if (piece !== null) draft.filter('status', 'open', sentence.text(piece.from, piece.to));
  }
  for (let at = 0; at < sentence.length; at++) {
    const status = STATUS_WORDS.get(sentence.word(at));
    if (status === undefined) continue;
    const isDenied = sentence.isOneOf(at - 1, NEGATED) || sentence.isOneOf(at - 1, EXCEPT);
    if (isDenied) draft.deny(sentence.text(at - 1, at + 1));
    else draft.filter('status', status, sentence.text(at));
    sentence.take(isDenied ? at - 1 : at, at + 1);
  }
  if (draft.values('status').includes('open')) sentence.takeAll(STILL);
}

const CI_STATUSES = wordSet('active inactive maintenance');

const PAIRS: ReadonlyMap<string, string> = new Map(
  ['virtual machine', 'load balancer', 'network device'].map((pair) => [pair, pair.replace(' ', '_')]),
);
/** Statuses that only CIs have, and types of CIs that stand where rows are not of them. */
function ofCis(sentence: Sentence, draft: QueryDraft): void {
  for (let at = 0; at < sentence.length; at++) {
    const pair = PAIRS.get(`${sentence.word(at)} ${sentence.word(at + 1)}`);
    const type = pair ?? ciTypeAt(sentence, at);
    if (type === undefined) continue;
    const to = pair !== undefined || sentence.isOneOf(at + 1, COMPOUND) ? at + 2 : at + 1;
    if (sentence.word(at - 1) === 'network') sentence.take(at - 1);
    draft.filter('ci_type', type, sentence.text(at, to));
    sentence.take(at, to);
  }
  if (draft.metric !== 'cis') return;
  const said = draft.entities.flatMap(({ kind, value }) => (kind === 'status' ? [value] : []));
  draft.replace(
    'status',
    said.map((value) => (value === 'open' ? 'active' : value)),
  );
  for (let at = 0; at < sentence.length; at++)
    if (sentence.isOneOf(at, CI_STATUSES)) {
      draft.filter('status', sentence.word(at), sentence.text(at));
      sentence.take(at);
    }
}

const FASTER = wordSet('faster slower quicker longer shorter sooner');
/** Reads the remaining values once the metric is known. */
export function takeValues(sentence: Sentence, draft: QueryDraft): void {
  if (draft.compareTo !== null) sentence.takeAll(FASTER);
  if (draft.metric !== 'mttr' && draft.metric !== 'mtta') statuses(sentence, draft);
  ofCis(sentence, draft);
}

/** Open events are a metric of their own. */
export function settleOpen(draft: QueryDraft): void {
  const statuses = draft.values('status');
  if (statuses.length !== 1 || statuses[0] !== 'open') return;
  const isUnacknowledged = draft.entities.some(({ kind, text }) => kind === 'status' && /ack/i.test(text));
  // An acknowledged incident is not over.
  if (draft.metric === 'incidents' && !isUnacknowledged) draft.replace('status', ['open', 'acknowledged']);
  if (draft.metric !== 'events') return;
  draft.metric = 'open_events';
  if (!isUnacknowledged) draft.replace('status', []);
}
