import type { Patch } from '#console/api/tuning.ts';
import { verdictOfTrial } from './trial-words.ts';
import { useTrial } from './use-trials.ts';

/** Whether these settings were tried, and what came of it. */
export function Tried({ patch, shown }: { readonly patch: Patch; readonly shown: string | null }) {
  const trial = useTrial(shown).data;
  return trial?.state === 'completed' && JSON.stringify(trial.patch) === JSON.stringify(patch)
    ? `Tried on stored events: ${verdictOfTrial(trial)}`
    : 'These changes were not tried on stored events.';
}
