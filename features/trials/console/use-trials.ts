import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem } from '#console/api/link/problem.ts';
import type { Patch } from '#console/api/tuning.ts';
import { showError } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { listTrials, readTrial, startTrial, type TrialData } from './api.ts';
import * as text from './texts.ts';

const TRIALS = ['tuning', 'trials'] as const;
const ASKED_EVERY_MS = 700;
const LISTED_EVERY_MS = 2_000;

const isOver = (trial: TrialData | undefined): boolean => trial?.state === 'completed' || trial?.state === 'failed';

/** One trial, read again until it has ended. */
export const useTrial = (id: string | null) => {
  const { call } = useAppServices();
  return useQuery({
    queryKey: [...TRIALS, id],
    queryFn: ({ signal }) => readTrial(call, id ?? '', signal),
    enabled: id !== null,
    refetchInterval: ({ state }) => (isOver(state.data) || state.error !== null ? false : ASKED_EVERY_MS),
  });
};

export const usePastTrials = (isAllowed: boolean) => {
  const { call } = useAppServices();
  return useQuery({
    queryKey: TRIALS,
    queryFn: ({ signal }) => listTrials(call, signal),
    enabled: isAllowed,
    refetchInterval: ({ state }) =>
      state.error !== null || state.data?.every(isOver) !== false ? false : LISTED_EVERY_MS,
  });
};

/** Starts a trial; while another one of the tenant runs, that one is shown. */
export const useStartTrial = (show: (id: string) => void) => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ patch, hours }: { readonly patch: Patch; readonly hours: number }) => {
      try {
        return await startTrial(call, patch, hours);
      } catch (error) {
        const running = isProblem(error, 409) ? (await listTrials(call)).find((trial) => !isOver(trial)) : undefined;
        if (running === undefined) throw error;
        showError(text.anotherSimulationIsRunning, error);
        return running;
      }
    },
    onSuccess: (trial) => {
      show(trial.id);
      void queries.invalidateQueries({ queryKey: TRIALS });
    },
    onError: (error) => showError(text.couldntStartSimulation, error),
  });
};
