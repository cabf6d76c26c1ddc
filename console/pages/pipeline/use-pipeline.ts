import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readHistory, readPipeline } from '#console/api/pipeline.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';

export const PIPELINE = ['pipeline'] as const;
/** Two steps of the history. */
const READ_MS = 20_000;

/** State of the pipeline, and its last hour. */
export const usePipeline = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const state = useQuery({
    queryKey: [...PIPELINE, 'status'],
    queryFn: ({ signal }) => readPipeline(call, signal),
    refetchInterval: READ_MS,
  });
  const history = useQuery({
    queryKey: [...PIPELINE, 'history'],
    queryFn: ({ signal }) => readHistory(call, signal),
    refetchInterval: READ_MS,
  });
  useLive(['pipeline'], () => queries.invalidateQueries({ queryKey: PIPELINE }));
  return { state, history };
};
