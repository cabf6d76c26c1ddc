import type { AnyTool } from '#api/surfaces/tool.ts';
import { feature } from '#features/feature.ts';
import { mcpEndpoint } from './http/mcp-endpoint.ts';
import type { Toolbox } from './http/toolbox.ts';
import { coreTools } from './http/tools/core-tools.ts';

/** Lists tools in the same order for every message, those with side effects last. */
const inOrder = (tools: readonly AnyTool[]): readonly AnyTool[] =>
  tools.toSorted((a, b) => Number(a.isWriting) - Number(b.isWriting));

export const mcp = feature({
  id: 'mcp',
  uses: [],
  endpoints: [mcpEndpoint],
  async provide({ contributed, log }) {
    const toolbox: Toolbox = { tools: inOrder([...coreTools, ...contributed('tools').flat()]), log };
    return { ports: { toolbox } };
  },
});
