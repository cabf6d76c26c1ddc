import type { AnyTool } from '#api/surfaces/tool.ts';
import { eventTools } from './events.ts';
import { groupActionTools, groupTools } from './groups.ts';
import { topologyTools } from './topology.ts';

/** Those that need no other feature, in the order of an investigation; what changes something comes last. */
export const coreTools: readonly AnyTool[] = [...groupTools, ...eventTools, ...topologyTools, ...groupActionTools];
