import { Fault } from '#domain/fault.ts';
import type { ChatTool, ToolCall, ToolFound, ToolParams, ToolRun } from '#features/questions/rules/chat/tools.ts';
import { analyticsQuery } from './analytics-query.ts';
import { getCiDetails } from './ci-details.ts';
import type { ChatAsking } from './context.ts';
import { getContext } from './get-context.ts';
import { searchCis } from './search-cis.ts';
import { searchEvents } from './search-events.ts';
import { searchRelationships } from './search-relationships.ts';
import type { ToolResult } from './tool-result.ts';

type Tools = { readonly [T in ChatTool]: (asking: ChatAsking, params: ToolParams[T]) => Promise<ToolResult<T>> };

/** Read alone: tenant and permissions are those of the request, whoever wrote the parameters. */
const TOOLS: Tools = {
  'search-cis': searchCis,
  'get-ci-details': getCiDetails,
  'search-relationships': searchRelationships,
  'analytics-query': analyticsQuery,
  'search-events': searchEvents,
  'get-context': getContext,
};

async function run<T extends ChatTool>(asking: ChatAsking, tool: T, params: ToolParams[T]): Promise<ToolFound<T>> {
  try {
    const { rows, total, range } = await TOOLS[tool](asking, params);
    return { tool, params, rows, total, error: null, ...(range !== undefined && { range }) };
  } catch (error) {
    if (!(error instanceof Fault) || (error.kind !== 'invalid' && error.kind !== 'forbidden')) throw error;
    const [detail] = error.problems;
    return {
      tool,
      params,
      rows: [],
      total: 0,
      error: detail === undefined ? error.message : `${detail.field}: ${detail.reason}`,
    };
  }
}

/** Runs one call. What the caller may not see, and parameters that mean nothing, are an `error` of the call. */
export const runTool = (asking: ChatAsking, { tool, params }: ToolCall): Promise<ToolRun> =>
  run(asking, tool, params as never) as Promise<ToolRun>;
