import { feature } from '#features/feature.ts';
import { groupActions } from './http/group-actions.ts';
import { mcpEndpoint } from './http/mcp-endpoint.ts';
import { readTool } from './http/read-tool.ts';
import { endpointTool, type McpTool, type Toolbox } from './http/toolbox.ts';

/** Lists tools in the same order for every message, those with side effects last. */
const inOrder = (tools: readonly McpTool[]): readonly McpTool[] =>
  tools.toSorted((a, b) => Number(a.isWriting) - Number(b.isWriting));

export const mcp = feature({
  id: 'mcp',
  uses: ['ai', 'questions'],
  endpoints: [mcpEndpoint],
  async provide({ contributed, log }) {
    const reading = contributed('questionTools').flat().map(readTool);
    const others = [...contributed('tools').flat(), ...groupActions].map(endpointTool);
    const toolbox: Toolbox = { tools: inOrder([...reading, ...others]), log };
    return { ports: { toolbox } };
  },
});
