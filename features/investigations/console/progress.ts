import type { EndedInvestigation, ShownCheck, StartedHypothesis } from './api.ts';

/** A hypothesis with its checks so far. */
interface FollowedHypothesis extends StartedHypothesis {
  readonly confidence: number;
  readonly checks: readonly ShownCheck[];
}

/** The received part of an investigation. */
export interface InvestigationProgress {
  readonly text: string;
  readonly hypotheses: readonly FollowedHypothesis[];
  readonly end: EndedInvestigation | null;
  /** Message of the server; null: it has not failed. */
  readonly error: string | null;
}

export const NOT_BEGUN: InvestigationProgress = { text: '', hypotheses: [], end: null, error: null };

const withCheck = (hypotheses: readonly FollowedHypothesis[], check: ShownCheck): readonly FollowedHypothesis[] =>
  hypotheses.map((one) =>
    one.id === check.hypothesis ? { ...one, confidence: check.confidence, checks: [...one.checks, check] } : one,
  );

/** The progress after one message; messages of other kinds change nothing. */
export const withMessage = (before: InvestigationProgress, event: string, data: unknown): InvestigationProgress => {
  if (event === 'begin') return { ...NOT_BEGUN, text: (data as { readonly text: string }).text };
  if (event === 'hypothesis') {
    const started = data as StartedHypothesis;
    return {
      ...before,
      hypotheses: [...before.hypotheses, { ...started, confidence: started.initialConfidence, checks: [] }],
    };
  }
  if (event === 'check') return { ...before, hypotheses: withCheck(before.hypotheses, data as ShownCheck) };
  if (event === 'error') return { ...before, error: (data as { readonly message: string }).message };
  if (event !== 'end') return before;
  const end = data as EndedInvestigation;
  return { ...before, end, hypotheses: end.hypotheses };
};

/** `+12%`, `−3%`; empty when a check moved nothing. */
export const movedWords = (moved: number): string => {
  const points = Math.round(moved * 100);
  if (points === 0) return '';
  return points > 0 ? `+${points}%` : `−${-points}%`;
};
