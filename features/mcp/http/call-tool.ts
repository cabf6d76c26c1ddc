import type { Context } from '#api/surfaces/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import { cleaned, fitted, fittedText } from '#features/mcp/rules/fit.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import type { McpTool } from './toolbox.ts';

/** Time limit of one tool call, with all its requests. */
const CALL_MS = 15_000;
const NAMED_PROBLEMS = 5;

/** Tool result as defined by the protocol. */
export interface ToolAnswer {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

const said = (text: string) => [{ type: 'text', text }] as const;

const inputOf = ({ input }: McpTool, given: unknown): unknown => {
  const result = input.safeParse(given);
  if (result.success) return result.data;
  const problems = problemsOf(result.error, given).slice(0, NAMED_PROBLEMS);
  throw new Fault('invalid', problems.map(({ field, reason }) => `${field}: ${reason}`).join('; '), problems);
};

/** Flags truncation in the structured content, for clients that do not read the text. */
const withMark = (value: Readonly<Record<string, unknown>>, isCut: boolean) =>
  isCut ? { ...value, truncated: true } : value;

async function answered(tool: McpTool, given: unknown, context: Context): Promise<ToolAnswer> {
  if (tool.permission !== null && !context.caller.permissions.has(tool.permission))
    throw new Fault('forbidden', `Requires permission ${tool.permission}`);
  const input = inputOf(tool, given);
  const output = tool.output.parse(cleaned(await tool.run(context, input)));
  const { value, isCut } = fitted(output);
  const shown = fittedText(tool.tell(output));
  return { content: said(shown.text), structuredContent: withMark(value, isCut || shown.isCut) };
}

const told = (error: unknown, { requestId, ports }: Context): string => {
  if (error instanceof Fault && error.kind !== 'internal') return error.message;
  ports.toolbox.log.error({ requestId, err: error }, 'tool failed unexpectedly');
  return `An unexpected error occurred. Request ID ${requestId}`;
};

/** Runs a tool. Errors are returned as results, so that a model can read them and continue. */
export async function callTool(tool: McpTool, given: unknown, context: Context): Promise<ToolAnswer> {
  const { deadline } = context.ports;
  try {
    return await deadline.within(CALL_MS, () => deadline.inTime(() => answered(tool, given, context)));
  } catch (error) {
    return { content: said(told(error, context)), isError: true };
  }
}
