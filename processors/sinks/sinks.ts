import type { Sink } from '#domain/ports/sink.ts';
import { analyse, analyseGroups } from './analyse.ts';
import { groupMembers, groupRows } from './group-rows.ts';
import { notify, notifyGroups } from './notify.ts';
import { search, searchGroups } from './search.ts';

/** Processors that read along and have effects outside the pipeline. */
export const sinks: readonly Sink[] = [
  analyse,
  analyseGroups,
  notify,
  notifyGroups,
  search,
  searchGroups,
  groupMembers,
  groupRows,
];
