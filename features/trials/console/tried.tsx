import type { Patch } from '#console/api/tuning.ts';
import * as text from './texts.ts';
import { verdictOfTrial } from './trial-text.ts';
import { useTrial } from './use-trials.ts';

/** Shows if these settings were tried, and the result. */
export function Tried({ patch, shown }: { readonly patch: Patch; readonly shown: string | null }) {
  const trial = useTrial(shown).data;
  return trial?.state === 'completed' && JSON.stringify(trial.patch) === JSON.stringify(patch)
    ? text.simulation(verdictOfTrial(trial))
    : text.notSimulated;
}
