import type { Event } from '#domain/event/event.ts';

/**
 * Reason to analyze a new event only on request: of a group, the root cause is analyzed. Null: the event is analyzed at
 * once. `isTold`: a webhook or a model receives each analysis.
 */
export const skipReason = (
  { severity, usual, status, correlationId }: Pick<Event, 'severity' | 'usual' | 'status' | 'correlationId'>,
  isTold: boolean,
): 'info' | 'usual' | 'ended' | 'grouped' | null => {
  if (severity === 'info') return 'info';
  if (usual) return 'usual';
  if (status === 'resolved') return 'ended';
  return correlationId === null || isTold ? null : 'grouped';
};
