import type { UseCaseContext } from '#application/access/context.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { type ChangeType, PRIORS } from '#features/change-risk/rules/change-type.ts';
import { baseProbability, type EarlierChange } from '#features/change-risk/rules/risk.ts';
import { type AssessmentWords, findAssessment, type StoredAssessment, wordsOf } from './assessment-records.ts';
import { seeChange } from './see-change.ts';

export interface PastAssessment {
  readonly assessment: StoredAssessment;
  /** Null for callers who may not read the cited events. */
  readonly words: AssessmentWords | null;
}

/** A change as it was judged. Throws Fault `not-found`. */
export async function readAssessment({ tenant, ports, caller }: UseCaseContext, id: string): Promise<PastAssessment> {
  const assessment = await findAssessment(ports.records, tenant, id);
  const words = await wordsOf(ports.records, tenant, id);
  const isShown = words !== null && (!words.hasEvents || caller.permissions.has('events.read'));
  return { assessment, words: isShown ? words : null };
}

export interface PastAsked {
  readonly ciId: string;
  readonly changeType: string;
}
export interface PastChanges {
  readonly ciId: string;
  readonly type: ChangeType;
  /** Chance that a change of the type fails: the prior, and the value with earlier changes. */
  readonly prior: number;
  readonly probability: number;
  /** Newest first. */
  readonly earlier: readonly EarlierChange[];
  /** ms. */
  readonly at: number;
}

/** Earlier changes on the CI and of the type; without events.read none. Throws Fault `not-found`. */
export async function pastChanges(context: UseCaseContext, { ciId, changeType }: PastAsked): Promise<PastChanges> {
  const ci = await findCi(context, ciId);
  const change = { ciId: ci.id, changeType, description: null, plannedAt: null, durationMs: null };
  const { type, events } = await seeChange(context, ci, change);
  const prior = PRIORS[type ?? 'other'];
  const earlier = [...(events?.earlier ?? [])].sort((a, b) => a.ageMs - b.ageMs);
  const probability = baseProbability(prior, earlier);
  return { ciId: ci.id, type: type ?? 'other', prior, probability, earlier, at: context.receivedAt };
}
