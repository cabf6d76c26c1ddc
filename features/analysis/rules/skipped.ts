import type { Event } from '#domain/event/event.ts';

/** Reason to analyze a new event only on request: it is harmless, usual for its source, or already over. Null: the event is analyzed at once. */
export const skipReason = ({
  severity,
  usual,
  status,
}: Pick<Event, 'severity' | 'usual' | 'status'>): 'info' | 'usual' | 'ended' | null => {
  if (severity === 'info') return 'info';
  if (usual) return 'usual';
  return status === 'resolved' ? 'ended' : null;
};
