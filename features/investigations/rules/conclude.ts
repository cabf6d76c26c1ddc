import type { Verdict } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
import { percent } from '#domain/numbers.ts';
import { clipped } from '#domain/text.ts';
import { explainedBy, namesOfCis } from './findings.ts';
import type { CheckedHypothesis, GroupScene, InvestigationConclusion } from './investigation.ts';

/** Lowest confidence of a probable root cause. */
const PROBABLE = 0.4;
const MINUTE_MS = 60_000;
/** Smallest change in confidence that counts as evidence. */
const LEAST_MOVED = 0.005;
const MAX_NEXT = 4;
const NOTE = 200;

export const causeWords = (text: string, confidence: number): string =>
  confidence >= PROBABLE
    ? `Probable root cause: ${text}, ${percent(confidence)} confidence`
    : `Possible root cause, low confidence: ${text} (${percent(confidence)})`;

/** `Ann set the root cause: “Link down” on sw-1. Note: “broken SFP”`. */
export const verdictWords = ({ by, note }: Pick<Verdict, 'by' | 'note'>, text: string): string =>
  `${clipped(by.name)} set the root cause: ${text}.${note === undefined ? '' : ` Note: “${clipped(note, NOTE)}”.`}`;

/** Sorts by confidence, after the root cause of a verdict. */
export const ranked = (all: readonly CheckedHypothesis[]): CheckedHypothesis[] =>
  all.toSorted(
    (a, b) =>
      Number(b.hypothesis.basis === 'verdict') - Number(a.hypothesis.basis === 'verdict') ||
      b.confidence - a.confidence,
  );

/**
 * Returns the minute in which the root cause could have been known: it and one of its effects had been reported, and it
 * explained half of the other CIs. Null: never.
 */
export const knowableAt = (
  { event, ci, since, reach }: CheckedHypothesis['hypothesis'],
  members: readonly Event[],
): number | null => {
  const dependents = new Set(reach.dependents.map(({ id }) => id));
  const others = new Set<string>();
  let explained = 0;
  for (const member of members) {
    const id = member.ci?.id;
    if (id !== undefined && id !== ci?.id && !others.has(id)) {
      others.add(id);
      if (dependents.has(id)) explained += 1;
    }
    const at = Math.max(member.timestamp, event?.timestamp ?? since);
    if (explained > 0 && explained * 2 >= others.size) return Math.floor(at / MINUTE_MS) * MINUTE_MS;
  }
  return null;
};

/** Lists checks that lowered its confidence, and rankings or verdicts that contradict it. */
const againstOf = (
  { checks }: CheckedHypothesis,
  { row: { care } }: GroupScene,
  isVerdict: boolean,
  leader: CheckedHypothesis | null,
): string[] => {
  const found = checks.filter(({ moved }) => moved < -LEAST_MOVED).map(({ text }) => text);
  const ranking =
    isVerdict && leader !== null
      ? [`The checks rank ${leader.hypothesis.text} higher, with ${percent(leader.confidence)} confidence.`]
      : [];
  return [
    ...ranking,
    ...found,
    ...(care.verdict?.cause === 'unknown'
      ? [`${clipped(care.verdict.by.name)} marked the root cause as unknown.`]
      : []),
  ];
};

const nextOf = (cause: CheckedHypothesis, rival: CheckedHypothesis | null, scene: GroupScene): string[] => {
  const { ci } = cause.hypothesis;
  const { unexplained } = explainedBy(cause.hypothesis, scene);
  const open =
    ci !== null && unexplained.length > 0
      ? [`Look for another cause of ${namesOfCis(unexplained)}: no known dependency on ${clipped(ci.name)}.`]
      : [];
  const found = [
    ...cause.checks.flatMap(({ next }) => next ?? []),
    ...open,
    ...(rival?.checks.flatMap(({ next }) => next ?? []) ?? []),
  ];
  return [...new Set(found)].slice(0, MAX_NEXT);
};

/** An observation that would confirm the root cause, rather than its rival if there is one. */
const settlesOf = (cause: CheckedHypothesis, rival: CheckedHypothesis | null, scene: GroupScene): string => {
  const { hypothesis } = cause;
  const name = hypothesis.ci === null ? hypothesis.text : clipped(hypothesis.ci.name);
  if (rival !== null && hypothesis.ci !== null) {
    const shared = new Set([rival.hypothesis.ci?.id, ...rival.hypothesis.reach.dependents.map(({ id }) => id)]);
    const only = explainedBy(hypothesis, scene).silent.find(({ id }) => !shared.has(id));
    if (only !== undefined)
      return `${clipped(only.name)} depends on ${name} and not on ${clipped(rival.hypothesis.ci?.name ?? rival.hypothesis.text)}. If it works, ${name} is probably not the root cause.`;
  }
  if (hypothesis.basis === 'change') return `If the events end after the change is reverted, it was the root cause.`;
  const { suffering } = explainedBy(hypothesis, scene);
  return suffering.length === 0
    ? `If the other events end after ${name} recovers, it was the root cause.`
    : `If ${namesOfCis(suffering.slice(0, 3))} ${suffering.length === 1 ? 'recovers' : 'recover'} after ${name} does, it was the root cause.`;
};

const NOTHING: Omit<InvestigationConclusion, 'text' | 'confidence' | 'next'> = {
  cause: null,
  basis: 'checks',
  against: [],
  rival: null,
  settles: null,
  knowableAt: null,
};

const mayBe = ({ hypothesis, isUsual }: CheckedHypothesis): boolean => !hypothesis.isRejected && !isUsual;

/** The root cause, the evidence against it, and the next steps. */
export const conclude = (all: readonly CheckedHypothesis[], scene: GroupScene): InvestigationConclusion => {
  const order = ranked(all);
  const cause = order.find(
    (one) => one.hypothesis.basis === 'verdict' || (mayBe(one) && one.confidence >= scene.abstainBelow),
  );
  if (cause === undefined) {
    const [best] = order.filter(mayBe);
    const closest = best === undefined ? '' : ` Closest: ${best.hypothesis.text} (${percent(best.confidence)}).`;
    const next = [...new Set(order.flatMap(({ checks }) => checks.flatMap((check) => check.next ?? [])))].slice(
      0,
      MAX_NEXT,
    );
    return { ...NOTHING, text: `No root cause identified.${closest}`, confidence: best?.confidence ?? 0, next };
  }
  const rival = order.find((one) => one !== cause && mayBe(one)) ?? null;
  const { verdict } = scene.row.care;
  const isVerdict = cause.hypothesis.basis === 'verdict' && verdict !== undefined;
  const leader = rival !== null && rival.confidence > cause.confidence ? rival : null;
  return {
    cause: cause.hypothesis.id,
    confidence: cause.confidence,
    basis: isVerdict ? 'verdict' : 'checks',
    text: isVerdict
      ? verdictWords(verdict, cause.hypothesis.text)
      : `${causeWords(cause.hypothesis.text, cause.confidence)}.`,
    against: againstOf(cause, scene, isVerdict, leader),
    rival: rival && { id: rival.hypothesis.id, text: rival.hypothesis.text, confidence: rival.confidence },
    next: nextOf(cause, rival, scene),
    settles: settlesOf(cause, rival, scene),
    knowableAt: knowableAt(cause.hypothesis, scene.members),
  };
};
