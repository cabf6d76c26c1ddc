import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { hash128 } from '#domain/hash.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { type Range, readRange } from '#features/ai/rules/time/range.ts';
import type { AiCaller } from '#features/ai/use-cases/answer.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import type { ToolInput } from '#features/questions/schemas/tool-input.ts';

/** The caller, and how answers are given to them. */
export interface Asking extends UseCaseContext, AiCaller {
  readonly signal: AbortSignal;
  /** IANA name. */
  readonly zone: string;
  /** Confidence below which no cause is named. */
  readonly abstainBelow: number;
  /** The CI of the conversation, or the one that is looked at. */
  readonly current: CiName | null;
  /** Intents of the conversation so far, newest last. */
  readonly topics: readonly string[];
}

export type ToolParams = Readonly<Record<string, string | undefined>>;
/** Rows of a call; `total` counts those that are not shown, too. */
interface ToolRows<R> {
  readonly rows: readonly R[];
  readonly total: number;
  /** The time that was looked at; absent: what stands now. */
  readonly range?: Range;
}

/** One thing that can be looked up; chat by rules, chat with a model, agents and report questions have the same list. */
export interface QuestionTool<P extends ToolParams, R> {
  readonly name: string;
  readonly description: string;
  readonly input: ToolInput<P>;
  readonly permission: Permission | null;
  run(asking: Asking, params: P): Promise<ToolRows<R>>;
  /** Evidence of a row, which itself comes first. */
  items(row: R): readonly NewItem[];
  /** Where the list is shown; absent: the rows speak for themselves. */
  readonly href?: (params: P) => string;
  /** A row in a sentence, for whoever chose the call. */
  tell(row: R, params: P): string;
  /** That there is none. */
  readonly none: string;
}
// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of differing rows; each is sound by itself.
export type AnyQuestionTool = QuestionTool<any, any>;

/** A call and its result; `error`: why it found nothing. */
export interface ToolRun extends ToolRows<unknown> {
  readonly tool: AnyQuestionTool;
  readonly params: ToolParams;
  readonly error: string | null;
}

/** Rows of one call that callers are shown. */
export const MAX_TOOL_ROWS = 20;

const given = (params: ToolParams): ToolParams =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

/** Runs one call. What the caller may not see, and parameters that mean nothing, are an `error` of the call. */
export async function runTool(asking: Asking, tool: AnyQuestionTool, params: ToolParams): Promise<ToolRun> {
  const said = given(params);
  try {
    if (tool.permission !== null) requirePermission(asking, tool.permission);
    return { tool, params: said, error: null, ...(await tool.run(asking, said)) };
  } catch (error) {
    if (!(error instanceof Fault) || (error.kind !== 'invalid' && error.kind !== 'forbidden')) throw error;
    const [detail] = error.problems;
    const reason = detail === undefined ? error.message : `${detail.field}: ${detail.reason}`;
    return { tool, params: said, rows: [], total: 0, error: reason };
  }
}

/** The list as a whole. Its id has no word of the parameters: a model could cite a name that nothing is called by. */
export const wholeOf = ({ tool, params, total, error }: ToolRun): NewItem | null =>
  error !== null || tool.href === undefined
    ? null
    : {
        kind: 'query',
        id: `${tool.name}:${hash128(JSON.stringify(params))}`,
        label: tool.name,
        facts: [{ name: 'total', value: total }],
        href: tool.href(params),
      };

/** Evidence of a call: the list, then its first rows. */
export const itemsOf = (run: ToolRun, most: number): readonly NewItem[] => {
  const whole = wholeOf(run);
  const rows = run.rows.slice(0, most).flatMap((row) => run.tool.items(row));
  return whole === null ? rows : [whole, ...rows];
};

/** Throws Fault `invalid` for words that are no range. */
export function rangeOf(
  { receivedAt, zone }: Pick<Asking, 'receivedAt' | 'zone'>,
  text: string | undefined,
): Range | null {
  if (text === undefined) return null;
  const range = readRange(text, receivedAt, zone);
  if (range === null) throw invalid('timeRange', 'expected for example 24h, last_30_days, yesterday or since monday');
  return range;
}

/** Query parameters of a link. */
export const queryOf = (params: ToolParams): string => {
  const said = Object.entries(params).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return said.length === 0 ? '' : `?${new URLSearchParams(said)}`;
};
