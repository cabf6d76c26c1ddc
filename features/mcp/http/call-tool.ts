import type { Context } from '#api/surfaces/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import { cleaned, fitted, fittedText } from '#features/mcp/rules/fit.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import type { McpTool } from './toolbox.ts';

/** Time limit of one call. */
const CALL_MS = 15_000;
const NAMED_PROBLEMS = 5;

/** Answer in the form of the protocol. */
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

/** Marks in the content itself that something was left out: readers of either part see it. */
const withMark = (value: Readonly<Record<string, unknown>>, isCut: boolean) =>
  isCut ? { ...value, truncated: true } : value;

async function answered(tool: McpTool, given: unknown, context: Context): Promise<ToolAnswer> {
  if (tool.permission !== null && !context.caller.permissions.has(tool.permission))
    throw new Fault('forbidden', `Requires permission ${tool.permission}`);
  const input = inputOf(tool, given);
  const output = tool.output.parse(cleaned(await tool.run(context, input)));
  const { value, isCut } = fitted(output);
  const shown = fittedText(tool.tell(value));
  return {
    content: said(shown.text),
    structuredContent: withMark(value, isCut || shown.isCut),
  };
}

const told = (error: unknown, { requestId, ports }: Context): string => {
  if (error instanceof Fault && error.kind !== 'internal') return error.message;
  ports.toolbox.log.error({ requestId, err: error }, 'tool failed unexpectedly');
  return `An unexpected error occurred. Request ID ${requestId}`;
};

/** The answer of a tool; what goes wrong is an answer, too, so that a model can read it and go on. */
export async function callTool(tool: McpTool, given: unknown, context: Context): Promise<ToolAnswer> {
  const { deadline } = context.ports;
  try {
    return await deadline.within(CALL_MS, () => deadline.inTime(() => answered(tool, given, context)));
  } catch (error) {
    return { content: said(told(error, context)), isError: true };
  }
}
