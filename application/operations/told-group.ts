import type { GroupChange } from '#domain/correlation/records.ts';
import type { Told } from '#domain/ports/sink.ts';

/** The happening for sinks of groups of a record of `correlation.changes`. */
export const toldGroup = (value: unknown): Told => {
  const { group, kind } = value as GroupChange;
  return { happened: 'group', id: group.id, change: kind };
};
