import { changesFinding } from '#features/investigations/rules/findings.ts';
import type { InvestigationCheck } from '#features/investigations/rules/investigation.ts';
import type { CheckRun } from './check-run.ts';
import { checkHistory } from './history.ts';
import { checkPast } from './past.ts';
import { checkPath } from './path.ts';
import { checkSiblings } from './siblings.ts';

/** The scene already contains the changes. */
const checkChanges: CheckRun = async (_asking, scene, hypothesis) => changesFinding(hypothesis, scene);

export const CHECK_RUNS: Readonly<Record<InvestigationCheck, CheckRun>> = {
  history: checkHistory,
  changes: checkChanges,
  path: checkPath,
  siblings: checkSiblings,
  past: checkPast,
};
