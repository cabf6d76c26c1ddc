import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { LEARNING } from '#domain/correlation/window/learning.ts';
import { type AiAnalysis, type AnalysisCitation, type Event, eventIdOf } from '#domain/event/event.ts';
import { PackBuilder } from '#features/ai/rules/pack.ts';
import { type Action, actionsOf } from './actions.ts';
import { isYoung } from './anomaly.ts';
import type { Case, LearnedCause } from './case.ts';
import { citeCi, citeEvent, citeGroup, minuteOf, quoted, subjectOf } from './cite.ts';
import { hypothesisOf } from './hypothesis.ts';

/** Minimum score of an unusual event. */
const UNUSUAL = 0.9;

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const wordOf = ({ event, isUsual, score }: Case): string => {
  if (isUsual) return `Recurring on ${subjectOf(event)}`;
  return score >= UNUSUAL ? 'Unusual' : 'Not unusual';
};

/** States the number of earlier occurrences, in one sentence. */
function pastOf(about: Case, pack: PackBuilder): Claim {
  const { event, strangeness } = about;
  const { events, episodes, days, run, lastAt } = strangeness;
  const span = days < 1.5 ? 'the last day' : `the last ${Math.round(days)} days`;
  const runs = episodes < events ? ` in ${times(episodes) === 'once' ? '1 burst' : `${episodes} bursts`}` : '';
  const before = `${times(events)}${runs} in ${span}, last at ${minuteOf(lastAt ?? 0)}`;
  const first = about.isUsual ? `${wordOf(about)}.` : `Unusual: first occurrence of this problem in ${span}.`;
  const many = run > 1 ? `, ${run} within 20m now` : '';
  const text = isYoung(days)
    ? `Not enough history (less than a day); ${events === 0 ? 'not seen before' : `seen ${times(events)} before`}.`
    : events === 0
      ? first
      : `${wordOf(about)}: this problem occurred ${before}${many}.`;
  const facts = [
    { name: 'events before', value: events },
    { name: 'earlier bursts', value: episodes },
    { name: 'days of history', value: Math.round(days) },
    { name: 'within 20m', value: run },
    ...(lastAt === null ? [] : [{ name: 'previous occurrence', value: minuteOf(lastAt) }]),
  ];
  return { text, refs: citeEvent(pack, event, facts), certainty: 'fact' };
}

const TIME_ALONE = 'Grouped by time only: no shared relationship, signature or service with the other events.';

const learnedText = ({ event, verdicts }: LearnedCause): string =>
  `By ${verdicts === 1 ? '1 verdict' : `${verdicts} verdicts`} on similar groups, ${quoted(event)} may be the root cause instead. The score doesn't use this yet.`;

/** Reasons against the group of the event, if it is in one. */
function warningsOf({ event, group, learned, judged }: Case, pack: PackBuilder): Claim[] {
  if (group === null) return [];
  const told = learned !== null && judged === null ? [learnedText(learned)] : [];
  const texts = [...(group.byTimeAlone ? [TIME_ALONE] : []), ...(group.isLearning ? [LEARNING] : []), ...told];
  return texts.map((text) => ({
    text,
    refs: [...citeGroup(pack, group), ...citeEvent(pack, event)],
    certainty: 'fact',
  }));
}

const RELATED = 10;

/** The analysis of one event by rules: claims with their evidence. */
export interface Analysed {
  readonly about: Case;
  readonly pack: EvidencePack;
  readonly past: Claim;
  readonly hypothesis: Claim;
  readonly warnings: readonly Claim[];
  readonly actions: readonly Action[];
  readonly confidence: number;
  readonly abstained: boolean;
  /** The event that is named as the cause, if any. */
  readonly cause: Event | null;
}

/** The author of the words, beside the rules. */
export interface Wording {
  readonly generatedBy: 'rules' | 'model';
  readonly model: string | null;
  readonly degraded: string | null;
}
export const BY_RULES: Wording = { generatedBy: 'rules', model: null, degraded: null };

/** A function of the case alone. */
export function analyse(about: Case): Analysed {
  const pack = new PackBuilder();
  const past = pastOf(about, pack);
  citeCi(pack, about.ci);
  const { claim, confidence, abstained, cause } = hypothesisOf(about, pack);
  const warnings = warningsOf(about, pack);
  const actions = actionsOf(about, { claim, confidence, abstained, cause }, pack);
  return { about, pack: pack.pack, past, hypothesis: claim, warnings, actions, confidence, abstained, cause };
}

const citationsOf = (pack: EvidencePack, claims: readonly Claim[]): AnalysisCitation[] => {
  const cited = new Set(claims.flatMap(({ refs }) => refs));
  return pack
    .filter(({ alias }) => cited.has(alias))
    .map(({ alias, kind, id, label, href }) => ({ ref: alias, kind, id, label, href }));
};

const round = (value: number, places: number): number => Number(value.toFixed(places));

/** Returns the record stored with the event; with a group ID it describes the whole group. */
export function recordOf(
  { about, pack, past, hypothesis, warnings, actions, confidence, abstained }: Analysed,
  generatedAt: number,
  { generatedBy, model, degraded }: Wording = BY_RULES,
  correlationId?: string,
): AiAnalysis {
  const { event, ci, score, strangeness, related } = about;
  const { events, episodes, days } = strangeness;
  const sentences = [past, hypothesis, ...warnings, ...actions];
  return {
    anomalyScore: round(score, 4),
    rootCauseHypothesis: hypothesis.text,
    relatedEvents: related
      .filter((id) => id !== event.id)
      .slice(0, RELATED)
      .map(eventIdOf),
    ...(warnings.length > 0 && { warnings: warnings.map(({ text }) => text) }),
    recommendedActions: actions.map(({ text }) => text),
    generatedAt,
    generatedBy,
    confidence: round(confidence, 4),
    abstained,
    ...(model !== null && { model }),
    ...(ci !== null && { ciId: ci.id }),
    ...(correlationId !== undefined && { correlationId }),
    ...(degraded !== null && { degraded }),
    history: { text: past.text, events, episodes, days: round(days, 2) },
    citations: citationsOf(pack, sentences),
    refs: {
      history: past.refs,
      hypothesis: hypothesis.refs,
      actions: actions.map(({ refs }) => refs),
      ...(warnings.length > 0 && { warnings: warnings.map(({ refs }) => refs) }),
    },
    certainties: sentences.map(({ certainty }) => certainty),
  };
}
