import { z } from 'zod';
import { DEGRADED } from '#domain/ai/degraded.ts';
import { eventIdOf } from '#domain/event/event.ts';
import { rounded } from '#domain/numbers.ts';
import { explainedBy } from '#features/investigations/rules/findings.ts';
import {
  type CauseHypothesis,
  type CheckedHypothesis,
  type CheckMade,
  type GroupScene,
  HYPOTHESIS_BASES,
  INVESTIGATION_CHECKS,
  type Investigation,
} from '#features/investigations/rules/investigation.ts';
import { IsoTime, iso, isoOrNull } from '#schemas/http/time.ts';

/** Investigations of groups (docs/ai.md). */

/** Maximum number of CIs per list. */
const SHOWN = 50;
const share = z.number().min(0).max(1);
const count = z.int().min(0);

const NamedCi = z.object({ id: z.string(), name: z.string() });
const CiList = z.object({ cis: z.array(NamedCi).meta({ description: 'Nearest 50 CIs' }), total: count });

export const InvestigationCheckBody = z
  .object({
    hypothesis: z.string(),
    check: z.enum(INVESTIGATION_CHECKS),
    text: z.string(),
    moved: z.number().meta({ description: 'Change in confidence' }),
    confidence: share.meta({ description: 'Confidence after this check' }),
    chosenBy: z.enum(['rules', 'model']),
    eventIds: z.array(z.string()),
  })
  .meta({ id: 'InvestigationCheck' });

const HypothesisFields = {
  id: z.string(),
  basis: z.enum(HYPOTHESIS_BASES).meta({
    description: 'verdict: set by a user. ranking: root-cause candidate. change: a change near the group',
  }),
  text: z.string(),
  eventId: z.string().nullable(),
  ci: NamedCi.nullable(),
  startedAt: IsoTime,
  initialConfidence: share,
  rejected: z.boolean().meta({ description: 'Rejected by a user' }),
  mustFail: CiList.extend({ failed: count, truncated: z.boolean() }).meta({
    description: 'CIs that fail if this is the root cause. `failed`: those with events in the group',
  }),
  mustBeSilent: CiList.meta({ description: 'Dependencies without older open events if this is the root cause' }),
};
export const InvestigationHypothesisBody = z.object(HypothesisFields).meta({ id: 'InvestigationHypothesis' });
const CheckedBody = z
  .object({ ...HypothesisFields, confidence: share, checks: z.array(InvestigationCheckBody) })
  .meta({ id: 'InvestigatedHypothesis' });

const ConclusionBody = z
  .object({
    cause: z.string().nullable().meta({ description: 'ID of a hypothesis; null: no root cause identified' }),
    confidence: share,
    basis: z.enum(['verdict', 'checks']),
    text: z.string(),
    against: z.array(z.string()).meta({ description: 'Evidence against it' }),
    rival: z.object({ id: z.string(), text: z.string(), confidence: share }).nullable(),
    next: z.array(z.string()).meta({ description: 'Next steps' }),
    settles: z.string().nullable().meta({ description: 'Observation that would confirm or refute it' }),
    knowableAt: IsoTime.nullable().meta({
      description:
        'Earliest minute at which the root cause and half of its effects were reported, by event times; null: never',
    }),
  })
  .meta({ id: 'InvestigationConclusion' });

export const InvestigationBody = z
  .object({
    groupId: z.string(),
    text: z.string().meta({ description: 'State before the checks' }),
    hypotheses: z.array(CheckedBody).meta({ description: 'Most probable first; up to 5' }),
    conclusion: ConclusionBody,
    events: z.object({ read: count, total: count }),
    complete: z.boolean().meta({ description: 'False if the time limit was reached before all checks were done' }),
    tookMs: count,
    model: z.string().nullable().meta({ description: 'Model that chose checks; null: none' }),
    degraded: z.enum(DEGRADED).nullable().meta({ description: 'Why checks were chosen by rules instead of a model' }),
  })
  .meta({ id: 'Investigation' });

export const checkBody = ({
  hypothesis,
  check,
  text,
  moved,
  confidence,
  chosenBy,
  eventIds,
}: CheckMade): z.output<typeof InvestigationCheckBody> => ({
  hypothesis,
  check,
  text,
  moved: rounded(moved),
  confidence: rounded(confidence),
  chosenBy,
  eventIds: eventIds.map(eventIdOf),
});

export const hypothesisBody = (
  hypothesis: CauseHypothesis,
  hit: GroupScene['hit'],
): z.output<typeof InvestigationHypothesisBody> => {
  const { id, basis, text, event, ci, since, prior, isRejected, reach } = hypothesis;
  const { dependents, needs, isCut } = reach;
  const named = (all: readonly { readonly id: string; readonly name: string }[]) =>
    all.slice(0, SHOWN).map((one) => ({ id: one.id, name: one.name }));
  return {
    id,
    basis,
    text,
    eventId: event === null ? null : eventIdOf(event.id),
    ci: ci && { id: ci.id, name: ci.name },
    startedAt: iso(since),
    initialConfidence: rounded(prior),
    rejected: isRejected,
    mustFail: {
      cis: named(dependents),
      total: dependents.length,
      failed: explainedBy(hypothesis, { hit }).suffering.length,
      truncated: isCut,
    },
    mustBeSilent: { cis: named(needs), total: needs.length },
  };
};

const checkedBody = (
  { hypothesis, confidence, checks }: CheckedHypothesis,
  { hit }: GroupScene,
): z.output<typeof CheckedBody> => ({
  ...hypothesisBody(hypothesis, hit),
  confidence: rounded(confidence),
  checks: checks.map(checkBody),
});

export const investigationBody = ({
  text,
  scene,
  hypotheses,
  conclusion,
  isCut,
  choosing,
  tookMs,
}: Investigation): z.output<typeof InvestigationBody> => ({
  groupId: scene.row.group.id,
  text,
  hypotheses: hypotheses.map((one) => checkedBody(one, scene)),
  conclusion: {
    ...conclusion,
    against: [...conclusion.against],
    next: [...conclusion.next],
    confidence: rounded(conclusion.confidence),
    rival: conclusion.rival && { ...conclusion.rival, confidence: rounded(conclusion.rival.confidence) },
    knowableAt: isoOrNull(conclusion.knowableAt),
  },
  events: { read: scene.members.length, total: scene.row.group.size },
  complete: !isCut,
  tookMs,
  ...choosing,
});
