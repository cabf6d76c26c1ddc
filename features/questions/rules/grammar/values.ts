import { SEVERITIES } from '#domain/event/event.ts';
import type { QueryDraft } from './draft.ts';
import { phrase, type Sentence, wordSet } from './sentence.ts';
import { ciTypeAt, EVENT_NOUNS, GROUP_NOUNS, SEVERITY_WORDS, STATUS_WORDS } from './words.ts';

/** Severities only where they are called so, or beside another one. */
const LOOSE = wordSet('high low medium serious');
const SEVERITY_NOUNS = wordSet('severity priority prio sev');
const JOINS = wordSet('or and');
const EXCEPT = wordSet('except excluding exclude without ignoring ignore non not no other');
const UPWARDS = [phrase('or|and above|higher|worse|up|more|severe'), phrase('upwards')];
const DOWNWARDS = [phrase('or|and below|lower|less|under|down')];
const FLOOR = [phrase('at least'), phrase('minimum')];
const ABOVE = [phrase('above|over|worse|higher|exceeding than?'), phrase('more severe than')];
const BELOW = [phrase('below|under|lower than?')];
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

type Direction = 'same' | 'up' | 'down' | 'above' | 'below' | 'other';

/** Words around a severity that make it a bound; consumes them. */
function directionOf(sentence: Sentence, from: number, to: number): Direction {
  const before = (phrases: Parameters<Sentence['matchesAt']>[0]): boolean => {
    for (const start of [from - 3, from - 2, from - 1]) {
      const piece = start < 0 ? null : sentence.matchesAt(phrases, start);
      if (piece?.to !== from) continue;
      sentence.take(piece.from, piece.to);
      return true;
    }
    return false;
  };
  const behind = (phrases: Parameters<Sentence['matchesAt']>[0]): boolean => {
    const piece = sentence.matchesAt(phrases, to);
    if (piece !== null) sentence.take(piece.from, piece.to);
    return piece !== null;
  };
  if (behind(UPWARDS) || before(FLOOR)) return 'up';
  if (behind(DOWNWARDS)) return 'down';
  if (before(ABOVE)) return 'above';
  if (before(BELOW)) return 'below';
  if (before([phrase('other than'), phrase('except|excluding|exclude|ignoring|ignore|non|not the|for?')]))
    return 'other';
  return 'same';
}

/** The most severe is the first. */
function severitiesOf(said: string, direction: Direction): readonly string[] {
  const rank = SEVERITIES.indexOf(said as (typeof SEVERITIES)[number]);
  switch (direction) {
    case 'same':
      return [said];
    case 'up':
      return SEVERITIES.slice(0, rank + 1);
    case 'down':
      return SEVERITIES.slice(rank);
    case 'above':
      return SEVERITIES.slice(0, rank);
    case 'below':
      return SEVERITIES.slice(rank + 1);
    case 'other':
      return SEVERITIES.filter((severity) => severity !== said);
  }
}

function severities(sentence: Sentence, draft: QueryDraft): void {
  let excluded: readonly string[] | null = null;
  for (let at = 0; at < sentence.length; at++) {
    const plain = numbered(sentence, at);
    const prefixed = /^non-(\w+)$/.exec(sentence.word(at))?.[1];
    const said =
      plain ?? severityAt(sentence, at) ?? (prefixed === undefined ? null : (SEVERITY_WORDS.get(prefixed) ?? null));
    if (said === null) {
      if (sentence.isOneOf(at, SEVERE) && sentence.word(at + 1) === 'first') {
        // An order of severities is none of numbers.
        draft.notUnderstood.push(sentence.text(at, at + 2));
        sentence.take(sentence.isOneOf(at - 1, SUPERLATIVE) ? at - 1 : at, at + 2);
      } else if (sentence.isOneOf(at, SEVERE)) {
        for (const severity of ['critical', 'major']) draft.filter('severity', severity, 'severe');
        sentence.take(at);
      }
      continue;
    }
    if (plain === null && isOfThing(sentence, at)) {
      draft.notUnderstood.push(sentence.text(at, at + 2));
      sentence.take(at, at + 1);
      continue;
    }
    const to = plain === null ? at + 1 : at + 2;
    const text = sentence.text(at, to);
    const isJoined = excluded !== null && sentence.isOneOf(at - 1, JOINS);
    const direction = prefixed !== undefined || isJoined ? 'other' : directionOf(sentence, at, to);
    sentence.take(at, to);
    if (sentence.isOneOf(to, SEVERITY_NOUNS)) sentence.take(to);
    if (sentence.isOneOf(at - 1, SEVERITY_NOUNS)) sentence.take(at - 1);
    const meant = severitiesOf(said, direction);
    if (direction === 'other') {
      excluded = (excluded ?? [...SEVERITIES]).filter((severity: string) => meant.includes(severity));
      draft.replace('severity', excluded);
      draft.tell('severity', text, excluded.join(', '));
    } else for (const severity of meant) draft.filter('severity', severity, text);
  }
}

const NEGATED = wordSet('not never yet no un');
const NOT_ACKNOWLEDGED = [phrase('unacknowledged|unacked|unack'), phrase('not been? yet? acknowledged|acked')];
const NOT_RESOLVED = [phrase('not|never been? yet? resolved|closed|fixed|cleared|solved')];
const STILL = wordSet('still currently now');

function statuses(sentence: Sentence, draft: QueryDraft): void {
  const unacknowledged = sentence.takeFirst(NOT_ACKNOWLEDGED);
  if (unacknowledged !== null) draft.filter('status', 'open', sentence.text(unacknowledged.from, unacknowledged.to));
  const unresolved = sentence.takeFirst(NOT_RESOLVED);
  if (unresolved !== null) draft.filter('status', 'open', sentence.text(unresolved.from, unresolved.to));
  for (let at = 0; at < sentence.length; at++) {
    const status = STATUS_WORDS.get(sentence.word(at));
    if (status === undefined) continue;
    if (sentence.isOneOf(at - 1, NEGATED) || sentence.isOneOf(at - 1, EXCEPT)) {
      draft.deny(sentence.text(at - 1, at + 1));
      sentence.take(at - 1, at + 1);
      continue;
    }
    draft.filter('status', status, sentence.text(at, at + 1));
    sentence.take(at);
  }
  if (draft.values('status').includes('open')) sentence.takeAll(STILL);
}

const COMPOUND = wordSet('server host node system instance machine');
const NETWORK = wordSet('network');
const CI_STATUSES = wordSet('active inactive maintenance');

/** Statuses that only CIs have, and types of CIs that stand where rows are not of them. */
function ofCis(sentence: Sentence, draft: QueryDraft): void {
  for (let at = 0; at < sentence.length; at++) {
    const isPair = sentence.word(at) === 'virtual' && sentence.word(at + 1) === 'machine';
    const pairs = sentence.word(at) === 'load' && sentence.word(at + 1) === 'balancer' ? 'load_balancer' : null;
    const network = sentence.word(at) === 'network' && sentence.word(at + 1) === 'device' ? 'network_device' : null;
    const type = isPair ? 'virtual_machine' : (pairs ?? network ?? ciTypeAt(sentence, at));
    if (type === undefined || type === null) continue;
    const isLong = isPair || pairs !== null || network !== null || sentence.isOneOf(at + 1, COMPOUND);
    const to = isLong ? at + 2 : at + 1;
    if (sentence.isOneOf(at - 1, NETWORK)) sentence.take(at - 1);
    draft.filter('ci_type', type, sentence.text(at, to));
    sentence.take(at, to);
  }
  if (draft.metric !== 'cis') return;
  draft.replace('status', []);
  for (const { kind, value } of draft.entities)
    if (kind === 'status') draft.replace('status', [...draft.values('status'), value === 'open' ? 'active' : value]);
  for (let at = 0; at < sentence.length; at++)
    if (sentence.isOneOf(at, CI_STATUSES)) {
      draft.filter('status', sentence.word(at), sentence.text(at, at + 1));
      sentence.take(at);
    }
}

/** Reads severities and statuses, which may imply the metric. */
export function takeLevels(sentence: Sentence, draft: QueryDraft): void {
  severities(sentence, draft);
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
