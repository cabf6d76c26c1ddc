import type { CauseHypothesis, CheckFinding, GroupScene } from '#features/investigations/rules/investigation.ts';
import type { InvestigationAsking } from './asking.ts';

/** Reads the facts of one check and judges them by rules. */
export type CheckRun = (
  asking: InvestigationAsking,
  scene: GroupScene,
  hypothesis: CauseHypothesis,
) => Promise<CheckFinding>;
