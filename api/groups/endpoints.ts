import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { getGroup } from './get-group.ts';
import { getQuality } from './get-quality.ts';
import { groupActions } from './group-actions.ts';
import { groupGraph } from './group-graph.ts';
import { groupMembers } from './group-members.ts';
import { groupTimeline } from './group-timeline.ts';
import { listGroups } from './list-groups.ts';
import { groupOperations } from './operate.ts';
import { splitGroup } from './split-group.ts';

export const groupEndpoints: readonly AnyEndpoint[] = [
  listGroups,
  getGroup,
  groupMembers,
  groupTimeline,
  groupGraph,
  ...groupActions,
  ...groupOperations,
  splitGroup,
  getQuality,
];
