import { itemAt } from '#domain/assert.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { isOfNow, isOfStanding, type Metric, type Query, unfitFor } from '../query.ts';
import { asksForPerson, takeCourtesy, takeOccasions } from './asides.ts';
import { type Entity, QueryDraft } from './draft.ts';
import { takeDimension, takeGroupings } from './groupings.ts';
import { takeMetric } from './metrics.ts';
import { isUnknown, type KnownNames, takeKnown, takeNames } from './names.ts';
import { phrases, Sentence, wordSet } from './sentence.ts';
import { settleSpecials, takeSpecials } from './specials.ts';
import { takeTimes, type When } from './times.ts';
import { pieces, tokensOf } from './tokens.ts';
import { settleOpen, takeLevels, takeValues } from './values.ts';
import { COMPLAINTS, DENIALS, EVENT_NOUNS, STOP, VOCABULARY } from './words.ts';

const ABOUT = wordSet(
  'about mentioning mention containing contain contains matching saying titled like regarding concerning',
);
const MAX_UNKNOWN = 10;

/** Words that are looked for in titles: quoted ones, those behind `about`, and what monitors complain about. */
function takeText(sentence: Sentence, draft: QueryDraft): void {
  const search = (from: number, to: number, start = from): void => {
    draft.search(sentence.text(from, to));
    sentence.take(start, to);
  };
  const isTitle = (at: number): boolean => isUnknown(sentence, at) || isTitleWord(sentence, at);
  for (let at = 0; at < sentence.length; at++) {
    const isRelated = sentence.word(at) === 'related' && sentence.word(at + 1) === 'to';
    if (isRelated || sentence.isOneOf(at, ABOUT)) {
      const from = isRelated ? at + 2 : at + 1;
      let to = from;
      while (to < sentence.length && isTitle(to) && !sentence.isOneOf(to, EVENT_NOUNS))
        if (sentence.isLast(to++)) break;
      if (to > from) search(from, to, at);
    } else if (sentence.isFree(at) && itemAt(sentence.tokens, at).isQuoted) search(at, at + 1);
  }
  for (let at = 0; at < sentence.length; at++) {
    if (!sentence.isOneOf(at, COMPLAINTS)) continue;
    let to = at + 1;
    while (isTitleWord(sentence, to)) to++;
    search(sentence.isOneOf(at - 1, DESCRIPTIONS) ? at - 1 : at, to);
  }
}
const DESCRIPTIONS = wordSet(
  'high low failed failing failure error exceeded usage utilization utilisation expired expiring expiry',
);

const isTitleWord = (sentence: Sentence, at: number): boolean =>
  sentence.isOneOf(at, COMPLAINTS) || sentence.isOneOf(at, DESCRIPTIONS);

/** `month, no, week` is a correction and excludes nothing. */
const isCorrection = (sentence: Sentence, at: number): boolean =>
  sentence.word(at) === 'no' && sentence.isLast(at) && (at === 0 || sentence.isLast(at - 1));
const PREFIXED = /^non-./;

/** Reads exclusions that are left: no filter expresses `excluding zabbix`, so any query would be wrong. */
function takeDenials(sentence: Sentence, draft: QueryDraft): void {
  for (let at = 0; at < sentence.length; at++) {
    const piece = sentence.matchesAt(DENIALS, at);
    const to = piece?.to ?? (PREFIXED.test(sentence.word(at)) ? at + 1 : null);
    if (to === null || isCorrection(sentence, at)) continue;
    draft.deny(sentence.text(at, piece === null || sentence.isEnd(to - 1) ? to : to + 1));
    sentence.take(at, to);
  }
}

/** Words that no reader took and that carry a meaning. */
function takeLeftovers(sentence: Sentence, draft: QueryDraft): string[] {
  const unknown: string[] = [];
  const isSilent = (at: number): boolean =>
    !sentence.isFree(at) || STOP.has(sentence.word(at)) || /^[-–—.]+$/.test(sentence.text(at));
  for (let at = 0; at < sentence.length; at++) {
    if (isSilent(at)) continue;
    let to = at + 1;
    while (to < sentence.length && !isSilent(to) && !sentence.isLast(to - 1)) to++;
    draft.notUnderstood.push(sentence.text(at, to));
    for (; at < to; at++)
      if (isUnknown(sentence, at) || !VOCABULARY.words.has(sentence.word(at))) unknown.push(sentence.text(at));
    at = to - 1;
  }
  return unknown.slice(0, MAX_UNKNOWN);
}

interface Context {
  /** ms. */
  readonly now: number;
  /** IANA name. */
  readonly zone: string;
  readonly names: KnownNames;
}
export interface Understood {
  /** Null: it asks for nothing that is counted here. */
  readonly query: Query | null;
  readonly entities: readonly Entity[];
  /** Two ranges that are compared; else none. */
  readonly times: readonly Range[];
  /** Parts absent from the query. */
  readonly notUnderstood: readonly string[];
  /** Something is excluded that no query can exclude. */
  readonly isDenied: boolean;
  /** Words that may be names, to be looked up and read again. */
  readonly unknown: readonly string[];
  /** It asks who did something; people are nothing that is counted here. */
  readonly isOfPerson: boolean;
}

const BETTER_IS_MORE: readonly Metric[] = ['service_health', 'correlated_share', 'dedup_ratio'];

/** The best row of a metric that should be high is the highest. */
function settleOrder(draft: QueryDraft): void {
  const said = draft.entities.find(({ kind }) => kind === 'sort')?.text.toLowerCase();
  if (draft.metric === null || !BETTER_IS_MORE.includes(draft.metric)) return;
  if (said === 'worst' && draft.metric === 'service_health') draft.sort = 'asc';
  if (said === 'best') draft.sort = 'desc';
}

/** Words of measurements of monitors, which are no complaints. */
const GAUGE = /\b(?:usage|utili[sz]ation|load|bandwidth|throughput|iops|speed|uptime)\b/i;

/** The default metric is events if everything else is understood. */
function settleMetric(draft: QueryDraft): void {
  const isSaid = draft.entities.some(({ kind }) => kind !== 'time' && kind !== 'compare' && kind !== 'sort');
  const isGauge = GAUGE.test(draft.filters.text ?? '');
  // `which tool cried most`: any verb of a ranking is about its events.
  const isVerb = (words: string): boolean => /^\w{3,}(?:ed|s)$/.test(words);
  const isRanking = draft.sort !== null && draft.groupBy !== null && draft.notUnderstood.every(isVerb);
  if (draft.metric === null && isSaid && !isGauge && (isRanking || draft.notUnderstood.length === 0))
    draft.metric = 'events';
}

const DEFAULT_DAYS = 7;

function queryOf(draft: QueryDraft, { now, calendar }: When): Query | null {
  if (draft.metric === null) return null;
  const { metric, filters, compareTo, sort, limit } = draft;
  // Relationships are of CIs alone.
  const groupBy = draft.groupBy === 'host' && metric === 'relationships' ? 'ci' : draft.groupBy;
  const usual =
    isOfNow(metric) || isOfStanding({ metric, filters })
      ? null
      : { from: calendar.add(now, -DEFAULT_DAYS, 'day'), to: now };
  const range = draft.range ?? usual;
  const query = { metric, filters, groupBy, range, compareTo, sort, limit };
  const unfit = unfitFor(query);
  if (unfit !== null) draft.notUnderstood.push(unfit.reason);
  return query;
}

/** `zabbix vs nagios`: groups by the kind of both. */
function settleSides(sentence: Sentence, draft: QueryDraft): void {
  const kinds = ['source', 'environment', 'service', 'severity', 'ci'] as const;
  const sides = kinds.filter((name) => draft.values(name).length > 1);
  const [side] = sides;
  const isBeside = sentence.takeFirst(BESIDE) !== null;
  const isAsked = sentence.takeAll(VERSUS) > 0 || isBeside;
  if (!isAsked && !(sides.length === 1 && isEachSaid(sentence))) return;
  if (side !== undefined && sides.length === 1 && draft.groupBy === null) {
    draft.groupBy = side;
    draft.tell('group', 'side by side', side);
    return;
  }
  const isSaid = draft.groupBy !== null && (draft.groupBy === side || (isBeside && sides.length === 0));
  const isOfTimes = isBeside && sides.length === 0 && draft.compareTo !== null;
  if (!isSaid && !isOfTimes) draft.notUnderstood.push('the comparison');
}
const VERSUS = wordSet('versus vs against compared comparing');

/** Phrases for one row per name. */
const BESIDE = phrases(`
  side by side / next to each|one other|another / head to head / separately|individually|respectively / one by one`);

/** `incidents each`, `each of zabbix and nagios`. */
const isEachSaid = (sentence: Sentence): boolean => {
  const at = sentence.findWord(wordSet('each'));
  return at !== null && (sentence.isEnd(at) || itemAt(sentence.tokens, at + 1).spelled === 'of');
};

/** Reads a question in English; never throws; linear in its length. */
export function readQuestion(question: string, { now, zone, names }: Context): Understood {
  const known = new Set([...names.keys()].flatMap((name) => name.split(' ')));
  const types = new Set([...names].flatMap(([name, kind]) => (kind === 'ci_type' ? [name] : [])));
  const sentence = new Sentence(
    tokensOf(pieces(question), VOCABULARY, (word) => known.has(word)),
    types,
  );
  const draft = new QueryDraft();
  takeCourtesy(sentence, (word) => known.has(word));
  takeKnown(sentence, draft, names);
  const when = { now, calendar: calendarOf(zone) };
  takeOccasions(sentence, when);
  const isOfPerson = asksForPerson(sentence, draft);
  takeSpecials(sentence, draft, when);
  takeTimes(sentence, draft, when);
  takeLevels(sentence, draft);
  takeGroupings(sentence, draft);
  takeNames(sentence, draft);
  takeMetric(sentence, draft);
  takeDimension(sentence, draft);
  takeValues(sentence, draft);
  settleSides(sentence, draft);
  takeText(sentence, draft);
  takeDenials(sentence, draft);
  const unknown = takeLeftovers(sentence, draft);
  settleMetric(draft);
  settleOpen(draft);
  settleOrder(draft);
  settleSpecials(question, draft, when);
  const query = isOfPerson || draft.isDenied ? null : queryOf(draft, when);
  const { entities, times, notUnderstood, isDenied } = draft;
  return { query, entities, times, notUnderstood, isDenied, unknown, isOfPerson };
}
