import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { hash128 } from '#domain/hash.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { type Range, readRange } from '#features/ai/rules/time/range.ts';
import type { AiCaller } from '#features/ai/use-cases/answer.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { given } from '#features/questions/rules/query.ts';
import type { ToolInput } from '#features/questions/schemas/tool-input.ts';

/** The caller, and how answers are given to them. */
export interface Asking extends UseCaseContext, AiCaller {
  readonly signal: AbortSignal;
  /** IANA name. */
  readonly zone: string;
  /** Confidence below which no cause is named. */
  readonly abstainBelow: number;
  /** The CI of the conversation or of the current page. */
  readonly current: CiName | null;
  /** True for a caller that shows all of a row, which then costs more. */
  readonly isToldInFull?: true;
  /** Intents of the conversation so far, newest last. */
  readonly topics: readonly string[];
  /** Gets each call as it ends, for the progress of an answer. */
  readonly onRun?: (run: ToolRun) => void;
}

/** One word, or several of which any matches. */
export type ParamWords<T extends string = string> = T | readonly T[];
export type ToolParams = Readonly<Record<string, ParamWords | number | boolean | undefined>>;
/** Rows of a call; `total` also counts rows that are not shown. */
interface ToolRows<R> {
  readonly rows: readonly R[];
  readonly total: number;
  /** The time that was looked at; absent: what stands now. */
  readonly range?: Range;
}

/** One read that answers questions: chat by rules, chat with a model, agents, reports and MCP share the same list. */
export interface QuestionTool<P extends ToolParams, R> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ToolInput<P>;
  /** Name and parameters in the interface of the chatbot, which differ from those here. */
  readonly chat?: { readonly name: string; readonly params: Readonly<Record<string, string>> };
  readonly permission: Permission | null;
  run(asking: Asking, params: P): Promise<ToolRows<R>>;
  /** Evidence of a row; the first item is the row itself. */
  items(row: R): readonly NewItem[];
  /** Page that shows the list; absent: the rows cite themselves. */
  readonly href?: (params: P) => string;
  /** Name of one row, such as `group`. */
  readonly noun: string;
  /** The row in one sentence. */
  tell(row: R, params: P): string;
  /** Further sentences on the row, for programs that read texts. */
  more?(row: R): readonly string[];
  /** Sentence for an empty result. */
  readonly none: string;
}
// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of differing rows; each is sound by itself.
export type AnyQuestionTool = QuestionTool<any, any>;

/** A call and its result; `error`: the reason for an empty one. */
export interface ToolRun extends ToolRows<unknown> {
  readonly tool: AnyQuestionTool;
  readonly params: ToolParams;
  readonly error: string | null;
}

/** Rows of one call that callers are shown. */
export const MAX_TOOL_ROWS = 20;

/** Evidence with facts of our own and texts of others, in their order. */
export const item = (
  kind: NewItem['kind'],
  id: string,
  label: string,
  ...facts: readonly NewItem['facts'][]
): NewItem => ({ kind, id, label, facts: facts.flat() });

const TOLD: readonly Fault['kind'][] = ['invalid', 'forbidden', 'not-found'];

/** Runs one call. Missing permissions, invalid parameters and unknown IDs become an `error` of the call. */
export async function runTool(asking: Asking, tool: AnyQuestionTool, params: ToolParams): Promise<ToolRun> {
  const call = { tool, params: given(params) };
  const run = { ...call, ...(await rowsOrError(asking, call)) };
  asking.onRun?.(run);
  return run;
}

async function rowsOrError(asking: Asking, { tool, params }: Pick<ToolRun, 'tool' | 'params'>) {
  try {
    if (tool.permission !== null) requirePermission(asking, tool.permission);
    return { error: null, ...(await tool.run(asking, params)) };
  } catch (error) {
    if (!(error instanceof Fault) || !TOLD.includes(error.kind)) throw error;
    const [detail] = error.problems;
    return { rows: [], total: 0, error: detail === undefined ? error.message : `${detail.field}: ${detail.reason}` };
  }
}

/** Name of a tool in the interface of the chatbot. */
export const chatNameOf = ({ chat, name }: AnyQuestionTool): string => chat?.name ?? name;

/** Parameters in the interface of the chatbot, as texts. */
export const chatParamsOf = ({ chat }: AnyQuestionTool, params: ToolParams): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [[chat?.params[name] ?? name, [value].flat().join(',')]],
    ),
  );

/** The list as a whole. Its ID contains no parameter, so that a model cannot cite a name that nothing has. */
export const wholeOf = ({ tool, params, total, error }: ToolRun): NewItem | null => {
  if (error !== null || tool.href === undefined) return null;
  const whole = item('query', `${tool.name}:${hash128(JSON.stringify(params))}`, chatNameOf(tool), [
    { name: 'total', value: total },
  ]);
  return { ...whole, href: tool.href(params) };
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

/** The words as a list; undefined: no condition. */
export const listOf = <T extends string>(words: ParamWords<T> | undefined): readonly T[] | undefined =>
  words === undefined ? undefined : typeof words === 'string' ? [words] : words;
export const queryOf = (params: ToolParams): string => {
  const said = Object.entries(params).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return text === '' ? [] : [[name, text] as [string, string]];
  });
  return said.length === 0 ? '' : `?${new URLSearchParams(said)}`;
};

/** An assessed change; change risk contributes the tool. */
interface AssessedRow {
  readonly ciId: string;
  readonly ciName: string;
  readonly level: 'low' | 'medium' | 'high' | 'critical';
  /** 0 to 100. */
  readonly score: number;
  readonly confidence: number;
  /** Sentences, most important first. */
  readonly reasons: readonly string[];
}
export type AssessChange = QuestionTool<{ ci: string; change: string; at?: string | undefined }, AssessedRow>;
export const ASSESS_CHANGE = 'assess_change';

/** An assessed change that is planned, and not over. */
export interface PlannedRow {
  readonly id: string;
  readonly ciId: string;
  readonly ciName: string;
  /** Kind of the change in the words of the user. */
  readonly change: string;
  readonly description: string | null;
  /** Name of the user; null: a token, or not known. */
  readonly by: string | null;
  readonly from: string;
  readonly to: string;
  readonly level: AssessedRow['level'];
  /** 0 to 100. */
  readonly score: number;
}
export type PlannedChanges = QuestionTool<Record<string, never>, PlannedRow>;
export const PLANNED_CHANGES = 'planned_changes';

/** Settings of a team for being on call; the feature contributes the tool. */
interface OnCallRow {
  readonly id: string;
  readonly team: string;
  /** Description of the team. */
  readonly description: string;
  /** Name of who is on call; null: not known. */
  readonly now: string | null;
  /** Shifts of the next days. Times in ms. */
  readonly shifts: readonly { readonly from: number; readonly to: number; readonly name: string }[];
  readonly hasCalendar: boolean;
  readonly isStale: boolean;
  readonly afterMinutes: number | null;
  readonly next: string | null;
}
export type OnCallTool = QuestionTool<Record<string, never>, OnCallRow>;
export const ON_CALL = 'on_call';

interface ContributedTools {
  readonly [ASSESS_CHANGE]: AssessChange;
  readonly [PLANNED_CHANGES]: PlannedChanges;
  readonly [ON_CALL]: OnCallTool;
}
/** A tool that another feature contributes; undefined: that feature is left out. */
export const contributed = <N extends keyof ContributedTools>(tools: readonly AnyQuestionTool[], name: N) =>
  tools.find((tool) => tool.name === name) as ContributedTools[N] | undefined;
