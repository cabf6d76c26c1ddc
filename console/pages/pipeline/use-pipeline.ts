import { useQueryClient } from '@tanstack/react-query';
import { readHistory, readPipeline } from '#console/api/pipeline.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';

export const PIPELINE = ['pipeline'] as const;
/** Two steps of the history. */
const READ_MS = 20_000;

/** State of the pipeline, and its last hour. */
export const usePipeline = () => {
  const queries = useQueryClient();
  const state = useRead([...PIPELINE, 'status'], (call, signal) => readPipeline(call, signal), {
    refetchInterval: READ_MS,
  });
  const history = useRead([...PIPELINE, 'history'], (call, signal) => readHistory(call, signal), {
    refetchInterval: READ_MS,
  });
  useLive(['pipeline'], () => queries.invalidateQueries({ queryKey: PIPELINE }));
  return { state, history };
};
