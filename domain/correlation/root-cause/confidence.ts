import type { Severity } from '#domain/event/event.ts';
import { type Cause, type CauseCandidate, type Causes, type GroupSays, reaches } from './causes.ts';

export const SEVERITY_SHARE: Readonly<Record<Severity, number>> = {
  critical: 1,
  major: 0.7,
  minor: 0.2,
  warning: 0,
  info: 0,
};

/** CIs upstream of the candidate that have no event and may be the root cause instead. */
interface SilentAbove {
  /** Number of those with at least as many other member CIs below as the candidate explains, and at least one. */
  readonly rivals: number;
  /** The most other member CIs that are below one of them. */
  readonly most: number;
}

/** Facts about a candidate and its group. */
export interface Grounds {
  readonly cause: Pick<Cause, 'severity' | 'commonness' | 'habit' | 'isChange'>;
  readonly says: GroupSays;
  /** CIs that it explains, of how many member CIs. */
  readonly explained: number;
  readonly cis: number;
  /** Distance to the best score on another CI. */
  readonly lead: number;
  /** Evidence of its CI. */
  readonly evidence: number;
  /** Systems with the same known pattern. */
  readonly alike: number;
  /** Member CIs upstream of it. */
  readonly above: number;
  readonly silent: SilentAbove;
}

/** Number of CIs up to which a share is not reliable. */
const CIS_IN_DOUBT = 2;
/** More than these makes nothing surer. */
const MAX_COUNT = 4;
const MAX_HABIT = 3;
/** Up to this number, silent rivals do not lower the confidence. */
const FEW_RIVALS = 9;

/** Commonness counts less in larger groups, members below a silent CI in smaller ones. */
const COMMON_CIS = 4;
const HIDDEN_CIS = 7;

const inputsOf = ({ cause, explained, cis, lead, evidence, alike, above, silent }: Grounds) => {
  const severity = SEVERITY_SHARE[cause.severity];
  const ahead = Math.min(1, lead);
  const hidden = Math.max(0, silent.most - explained);
  return {
    explainsAny: explained > 0 ? 1 : 0,
    explained: explained / (Math.max(0, cis - 1) + CIS_IN_DOUBT),
    cis: Math.log(1 + cis),
    lead: ahead,
    severity,
    common: cause.commonness / 2,
    commonInFew: (cause.commonness / 2) * Math.min(1, COMMON_CIS / Math.max(1, cis)),
    evidence: Math.min(MAX_COUNT, evidence),
    alike: Math.log(alike),
    /** Share of the member CIs that a silent CI upstream explains beyond the candidate. */
    hidden: hidden / Math.max(1, cis),
    severeHidden: (severity * hidden) / Math.max(HIDDEN_CIS, cis),
    /** Ahead of member CIs on which it depends. */
    above: Math.min(MAX_COUNT, above) * ahead,
    habit: Math.min(MAX_HABIT, cause.habit),
    rivals: Math.log(Math.max(1, silent.rivals / FEW_RIVALS)),
  };
};

type Fitted = { readonly base: number } & Partial<Record<keyof ReturnType<typeof inputsOf>, number>>;
/**
 * Logistic regressions on groups of three or more events, of simulated infrastructures, of the demo, of injected and of
 * real faults, and on faults of Kubernetes (docs/decisions/0055-silent-cis-above.md).
 */
const FITTED: Readonly<Record<GroupSays | 'change', Fitted>> = {
  known: { base: -3.7, explained: 7.3, lead: 2.7, common: -3.9, alike: -5.2, hidden: -2.4 },
  change: { base: -4.7, evidence: 3 },
  unknown: {
    base: -7.3,
    cis: 1.1,
    lead: 1.7,
    severity: 4,
    commonInFew: -3.5,
    evidence: 0.6,
    severeHidden: -3.5,
    above: 0.32,
    habit: 0.45,
  },
  symptoms: { base: -7, explainsAny: 4, severity: 4.5, rivals: -2 },
};

/** 0 to 1: the frequency at which candidates like this one were right. */
export const calibratedConfidence = (grounds: Grounds): number => {
  const { base, ...weights } = FITTED[grounds.says === 'known' && grounds.cause.isChange ? 'change' : grounds.says];
  const inputs = inputsOf(grounds);
  let odds = base;
  for (const [name, weight] of Object.entries(weights)) odds += weight * inputs[name as keyof typeof inputs];
  return 1 / (1 + Math.exp(-odds));
};

/** O(CIs upstream). */
export const silentAbove = (causes: Causes, { node }: CauseCandidate, explained: number): SilentAbove => {
  let rivals = 0;
  let most = 0;
  for (const near of node.upstream) {
    if (!reaches(near) || near.ci === node.ciId || causes.nodes.has(near.ci)) continue;
    // The candidate itself is below it, too.
    const others = (causes.below.get(near.ci)?.count ?? 1) - 1;
    if (others >= Math.max(1, explained)) rivals++;
    most = Math.max(most, others);
  }
  return { rivals, most };
};

/** Number of member CIs upstream. */
export const membersAbove = ({ node }: CauseCandidate): number => node.above?.count ?? 0;
