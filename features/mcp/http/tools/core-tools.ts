import type { AnyTool } from '#api/surfaces/tool.ts';
import { eventTools } from './events.ts';
import { groupActionTools, groupTools } from './groups.ts';
import { topologyTools } from './topology.ts';

/** Tools of the core, in the order of an investigation; tools with side effects are last. */
export const coreTools: readonly AnyTool[] = [...groupTools, ...eventTools, ...topologyTools, ...groupActionTools];
