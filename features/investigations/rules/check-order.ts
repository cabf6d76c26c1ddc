import { type CauseHypothesis, INVESTIGATION_CHECKS, type InvestigationCheck } from './investigation.ts';

/** A check that can be run. */
export interface PlannedCheck {
  readonly hypothesis: string;
  readonly check: InvestigationCheck;
}

/** Order of the rules: every check of the first hypothesis, then of the next. */
export const plannedChecks = (hypotheses: readonly Pick<CauseHypothesis, 'id'>[]): PlannedCheck[] =>
  hypotheses.flatMap(({ id }) => INVESTIGATION_CHECKS.map((check) => ({ hypothesis: id, check })));

/** Name for a model: `H1 history`. */
export const nameOfCheck = ({ hypothesis, check }: PlannedCheck): string => `${hypothesis} ${check}`;
