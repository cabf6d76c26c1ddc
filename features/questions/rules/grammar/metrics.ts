import type { Metric } from '../query.ts';
import type { QueryDraft } from './draft.ts';
import { isUnknown } from './names.ts';
import { phrases, type Sentence, wordSet } from './sentence.ts';
import * as said from './words.ts';

const HOW_SOON = phrases(`mean|average|avg|typical time to|until|till|before / time to|until|till|before
  / how long|fast|quick|quickly|slow|slowly|soon`);
const TAKE = wordSet(
  'take took taken taking need needed mean average avg typical on time to until till before get stay remain be',
);
const TIMES = wordSet(
  'time duration long longest longer fast fastest faster quick quickly quickest quicker slow slowly slowest slower soon sooner shortest shorter',
);
const STAYS = phrases(`
  how long do|did|does|are? event|alert|alarm|incident|problem|issue stay|remain|last|lasted|stayed open|active?`);
const MEDIAN = wordSet('median percentile p95 p99 p90 total');

const textOf = (sentence: Sentence, words: ReadonlySet<string>): string => {
  const own = sentence.tokens.filter((_, at) => sentence.isOneOf(at, words));
  return own.map(({ text }) => text).join(' ');
};

/** A word of the set that stands where spans of time are asked for. */
function spanWord(sentence: Sentence, draft: QueryDraft, words: ReadonlySet<string>): number | null {
  const isRanked = draft.entities.some(({ kind, text }) => kind === 'sort' && TIMES.has(text.toLowerCase()));
  const isSpan = isRanked || sentence.find(HOW_SOON) !== null;
  const isNear = (at: number): boolean => [-2, -1, 0, 1, 2].some((step) => sentence.isOneOf(at + step, TIMES));
  const at = sentence.tokens.findIndex((_, i) => sentence.isOneOf(i, words) && (isSpan || isNear(i)));
  return at < 0 ? null : at;
}

const INCIDENTS = wordSet('incident outage');
const SPAN = wordSet('duration length long last lasted');

/** `average duration of incidents`, `how long do outages last`. */
function incidentSpan(sentence: Sentence, draft: QueryDraft): boolean {
  const at = sentence.findWord(INCIDENTS);
  const span = sentence.findWord(wordSet('duration length'));
  const stays = sentence.find(STAYS);
  if (at === null || (span === null && (stays === null || at >= stays.to))) return false;
  draft.measure('incident_duration', sentence.text(span ?? at));
  for (const words of [SPAN, TAKE, INCIDENTS, wordSet('group')]) sentence.takeAll(words);
  return true;
}

function spanMetric(sentence: Sentence, draft: QueryDraft): boolean {
  const short = sentence.findWord(wordSet('mttr mtta'));
  if (short !== null) {
    draft.measure(sentence.word(short) as 'mttr' | 'mtta', sentence.text(short));
    sentence.take(short);
    return true;
  }
  const stays = sentence.takeFirst(STAYS);
  const acknowledged = stays === null ? spanWord(sentence, draft, said.ACKNOWLEDGING) : null;
  const resolved = acknowledged === null && stays === null ? spanWord(sentence, draft, said.RESOLVING) : null;
  const at = acknowledged ?? resolved ?? stays?.from ?? null;
  if (at === null) return false;
  draft.measure(acknowledged === null ? 'mttr' : 'mtta', sentence.text(at));
  sentence.take(at);
  const own = acknowledged === null ? said.RESOLVING : said.ACKNOWLEDGING;
  for (const words of [said.HOW_LONG, TAKE, TIMES, own]) sentence.takeAll(words);
  return true;
}

/** Two bags of words that mean a metric together. */
const PAIRS: readonly (readonly [Metric, ReadonlySet<string>, ReadonlySet<string>])[] = [
  ['ai_cost', said.AI, said.COST],
  ['dedup_ratio', said.DEDUP, wordSet(`${[...said.SHARE].join(' ')} factor effective effectiveness efficiency`)],
  ['dedup_ratio', wordSet('noise'), wordSet('reduction reduced reduce deduplication dedup')],
  ['correlated_share', said.CORRELATED, said.SHARE],
];

function pairMetric(sentence: Sentence, draft: QueryDraft): boolean {
  for (const [metric, one, other] of PAIRS) {
    const at = sentence.findWord(one);
    if (at === null || !sentence.has(other)) continue;
    draft.measure(metric, `${textOf(sentence, one)} ${textOf(sentence, other)}`);
    sentence.takeAll(one);
    sentence.takeAll(other);
    sentence.takeAll(wordSet('of are is'));
    if (metric === 'dedup_ratio') sentence.takeAll(wordSet('noise noisy volume'));
    return true;
  }
  return false;
}

/** `alert volume` is how many there are. */
const VOLUME = wordSet('volume load count activity');
const takeVolume = (sentence: Sentence): void => {
  for (let at = 1; at < sentence.length; at++)
    if (sentence.isOneOf(at, VOLUME) && sentence.isOneOf(at - 1, said.EVENT_NOUNS)) sentence.take(at);
};

function health(sentence: Sentence, draft: QueryDraft): boolean {
  const at = sentence.findWord(said.HEALTH);
  if (at === null) return false;
  draft.measure('service_health', textOf(sentence, said.HEALTH));
  if (['unhealthy', 'unhealthiest'].includes(sentence.word(at))) draft.sort ??= 'asc';
  for (const words of [said.HEALTH, wordSet('score business')]) sentence.takeAll(words);
  const isOfAll = draft.values('service').length === 0 && draft.groupBy === null;
  const noun = sentence.findWord(wordSet('service application app'));
  if (isOfAll && (noun === null || sentence.isPlural(noun))) draft.groupBy = 'service';
  if (noun !== null) sentence.take(noun);
  return true;
}

/** `changes`, `deployments`; `change` alone is mostly a verb. */
const isNoun = (sentence: Sentence, at: number): boolean =>
  sentence.word(at) !== 'change' ||
  sentence.isPlural(at) ||
  ['many', 'each', 'per', 'every', 'of'].includes(sentence.word(at - 1));

function nounMetric(sentence: Sentence, draft: QueryDraft): boolean {
  const [duplicates] = sentence.takeEach(said.INCLUDING_DUPLICATES);
  if (duplicates !== undefined) {
    draft.measure('occurrences', sentence.text(duplicates.from, duplicates.to));
    for (const words of [said.EVENT_NOUNS, wordSet('total volume count')]) sentence.takeAll(words);
    return true;
  }
  const at = sentence.tokens.findIndex((_, i) => said.NOUNS.has(sentence.word(i)) && isNoun(sentence, i));
  const metric = at < 0 ? undefined : said.NOUNS.get(sentence.word(at));
  if (metric === undefined) return false;
  const text = sentence.text(at);
  draft.measure(metric, text);
  sentence.takeAll(new Set([...said.NOUNS].flatMap(([word, other]) => (other === metric ? [word] : []))));
  if (metric === 'incidents') sentence.takeAll(wordSet('correlation correlated group'));
  if (metric === 'changes') sentence.takeAll(wordSet('configuration'));
  // Changes that are no deployments do not count.
  if (/^deploy(?:ments?)?s?$/i.test(text)) draft.search('deploy');
  return true;
}

const LOST = wordSet('dedup deduplication');
function dedupMetric(sentence: Sentence, draft: QueryDraft): boolean {
  const at = sentence.findWord(LOST);
  if (at !== null) draft.measure('dedup_ratio', sentence.text(at));
  return sentence.takeAll(LOST) > 0;
}

/** CIs are counted when nothing else is asked for and they are: `how many servers`. */
function ciMetric(sentence: Sentence, draft: QueryDraft): void {
  const isCi = (at: number): boolean =>
    said.isCiNoun(sentence.word(at)) ||
    said.ciTypeAt(sentence, at) !== undefined ||
    sentence.word(at) === 'configuration';
  const at = sentence.tokens.findIndex((_, i) => isCi(i));
  if (at < 0 && draft.groupBy === 'ci_type') draft.measure('cis', sentence.text(0, Math.min(4, sentence.length)));
  if (at < 0) return;
  draft.measure('cis', sentence.text(at));
  for (let place = 0; place < sentence.length; place++)
    if (sentence.isOneOf(place, CI_NOUNS) && !['virtual', 'network'].includes(sentence.word(place - 1)))
      sentence.take(place);
}
const CI_NOUNS = wordSet('configuration item ci host machine device node box asset element hostname component');
const isAboutEvents = (sentence: Sentence, draft: QueryDraft): boolean =>
  sentence.has(said.NOISE) ||
  draft.values('severity').length > 0 ||
  draft.values('source').length > 0 ||
  sentence.tokens.some((_, at) => said.STATUS_WORDS.has(sentence.word(at)) && sentence.word(at) !== 'active') ||
  draft.groupBy === 'signature' ||
  draft.groupBy === 'severity' ||
  draft.entities.some(({ kind, text }) => kind === 'sort' && said.NOISE.has(text.toLowerCase()));

/** `how is checkout doing`. */
function isDoing(sentence: Sentence, draft: QueryDraft): boolean {
  const isAsked = sentence.tokens[0]?.spelled === 'how' && draft.values('service').length > 0;
  const at = isAsked ? sentence.findWord(wordSet('doing do look looking')) : null;
  if (at !== null) draft.measure('service_health', sentence.text(at));
  return at !== null;
}

const COUNTED = phrases('how many|much / number|count|amount of / count');
/** `how many customers`: what is counted is nothing that is known here. */
function isStrange(sentence: Sentence): boolean {
  const piece = sentence.find(COUNTED);
  if (piece === null || !isUnknown(sentence, piece.to)) return false;
  return !said.NOUNS.has(sentence.word(piece.to + 1)) && !CI_NOUNS.has(sentence.word(piece.to + 1));
}
export function takeMetric(sentence: Sentence, draft: QueryDraft): void {
  if (isStrange(sentence)) return;
  if (sentence.find(said.INCLUDING_DUPLICATES) === null) takeVolume(sentence);
  if (incidentSpan(sentence, draft) || spanMetric(sentence, draft) || pairMetric(sentence, draft)) {
    // Nouns of events go along: `the mttr of alerts`.
    if (draft.metric !== 'ai_cost') sentence.takeAll(said.EVENT_NOUNS);
    const median = sentence.findWord(MEDIAN);
    if (median !== null) draft.notUnderstood.push(sentence.text(median));
    if (median !== null) sentence.take(median);
    return;
  }
  if (health(sentence, draft) || dedupMetric(sentence, draft) || nounMetric(sentence, draft)) return;
  if (isDoing(sentence, draft)) return;
  if (isAboutEvents(sentence, draft)) {
    draft.metric = 'events';
    sentence.takeAll(said.NOISE);
  } else ciMetric(sentence, draft);
}
