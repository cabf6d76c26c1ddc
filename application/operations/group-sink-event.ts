import type { GroupChange } from '#domain/correlation/records.ts';
import type { SinkEventBody } from '#domain/ports/sink.ts';

/** The happening for sinks of groups of a record of `correlation.changes`. */
export const groupSinkEvent = (value: unknown): SinkEventBody => {
  const { group, kind } = value as GroupChange;
  return { happened: 'group', id: group.id, change: kind };
};
