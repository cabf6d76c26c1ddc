import type { EvidencePack } from '#domain/ai/evidence.ts';
import type { ToolOffer, WishedCall } from '#domain/ai/model.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { lineOf, type PromptWording, textIn, trimmedPack } from '#features/ai/rules/prompt/prompt.ts';
import { estimateTokens } from '#features/ai/rules/tokens.ts';
import {
  type AnyQuestionTool,
  chatNameOf,
  chatParamsOf,
  itemsOf,
  PLANNED_CHANGES,
  type ToolParams,
  type ToolRun,
} from '#features/questions/use-cases/tools/tool.ts';

/* The prompt of a model that chooses calls. */

/** Rows of one call that become evidence, so that several calls fit into a pack. */
const CITED_ROWS = 12;
/** Limit of one call, so that a long list leaves room for others. */
const MAX_RESULT_TOKENS = 1_200;

export interface ToolCall {
  readonly tool: AnyQuestionTool;
  readonly params: ToolParams;
}
export const keyOf = ({ tool, params }: ToolCall): string => JSON.stringify([tool.name, Object.entries(params).sort()]);

/** Parameters by which rules prefer some records; each offer costs tokens. */
const UNOFFERED = ['about', 'by', 'group'];

const inChat = ({ name, chat, input: { json } }: AnyQuestionTool): Readonly<Record<string, unknown>> => {
  const own = Object.entries(json.properties ?? {}).filter(
    ([key]) => name !== 'search_records' || !UNOFFERED.includes(key),
  );
  if (chat === undefined) return { ...json, properties: Object.fromEntries(own) };
  const names = chat.params;
  const named = (key: string): string => names[key] ?? key;
  const properties = own.map(([key, value]) => [named(key), value] as const);
  const { required } = json as { readonly required?: readonly string[] };
  return { ...json, properties: Object.fromEntries(properties), ...(required && { required: required.map(named) }) };
};
const ownParam = ({ chat }: AnyQuestionTool, key: string): string =>
  Object.entries(chat?.params ?? {}).find(([, shown]) => shown === key)?.[0] ?? key;

/** Tools with their short schemas, for a model. */
export const offersOf = (tools: readonly AnyQuestionTool[]): readonly ToolOffer[] =>
  // Each offer costs tokens, and the search of records finds plans.
  tools.flatMap((tool) =>
    tool.name === PLANNED_CHANGES
      ? []
      : [{ name: chatNameOf(tool), description: tool.title, parameters: inChat(tool) }],
  );

const parsed = (json: string): unknown => {
  try {
    return json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    return undefined;
  }
};
/** Models send null or empty texts for absent parameters. */
const given = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== ''));

const revealed = (value: unknown, reveal: (text: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((one) => revealed(one, reveal));
  return typeof value === 'string' ? reveal(value) : value;
};

/** A call that may be run, or what is wrong with it in words of our own. `reveal` puts the real text into each parameter. */
export function readCall(
  tools: readonly AnyQuestionTool[],
  { name, arguments: json }: Pick<WishedCall, 'name' | 'arguments'>,
  reveal: (text: string) => string,
): { readonly call: ToolCall } | { readonly problem: string } {
  const tool = tools.find((one) => chatNameOf(one) === name);
  if (tool === undefined) return { problem: 'there is no tool of this name' };
  const object = given(parsed(json));
  if (typeof object !== 'object' || object === null) return { problem: 'the arguments are no JSON object' };
  const real = Object.entries(object).map(([key, one]) => [ownParam(tool, key), revealed(one, reveal)] as const);
  const read = tool.input.read(Object.fromEntries(real));
  return 'problem' in read ? read : { call: { tool, params: read.params } };
}

/** Evidence of all calls in their order; an item that several have brought has the facts of all of them. */
const findingsOf = (runs: readonly ToolRun[]): Findings => {
  const items = new Map<string, NewItem>();
  for (const item of runs.flatMap((run) => (run.error === null ? itemsOf(run, CITED_ROWS) : []))) {
    const key = `${item.kind} ${item.id}`;
    const known = items.get(key);
    const further = item.facts.filter(({ name }) => !known?.facts.some((fact) => fact.name === name));
    items.set(key, known === undefined ? item : { ...known, facts: [...known.facts, ...further] });
  }
  const findings = new Findings();
  for (const item of items.values()) findings.add(item);
  return findings;
};

/** Evidence of all calls for a model; aliases are stable across calls. */
export const packOf = (runs: readonly ToolRun[]): EvidencePack => trimmedPack(findingsOf(runs).pack);

const paramsOf = ({ tool, params }: ToolRun, pack: EvidencePack, wording: PromptWording): string =>
  Object.entries(chatParamsOf(tool, params))
    .map(([name, value]) => {
      const known = pack.find(({ id }) => id === value);
      return ` ${name}=${known?.alias ?? textIn(value, wording)}`;
    })
    .join('');

/** Whole rows, as many as fit; the first line has their number. */
function resultLines(
  run: ToolRun,
  aliases: readonly string[],
  pack: EvidencePack,
  room: number,
  wording: PromptWording,
) {
  const head = `${chatNameOf(run.tool)}${paramsOf(run, pack, wording)}:`;
  if (run.error !== null) return [`${head} error, ${run.error}`];
  const items = pack.filter(({ alias }) => aliases.includes(alias));
  const rows: string[] = [];
  let left = Math.min(MAX_RESULT_TOKENS, room) - estimateTokens(`${head} 00 of 0000000 rows`, wording.correction);
  for (const item of items) {
    const line = lineOf(item, wording);
    left -= estimateTokens(line, wording.correction);
    if (left < 0) break;
    rows.push(line);
  }
  return [`${head} ${Math.min(rows.length, run.rows.length)} of ${run.total} rows`, ...rows];
}

/** Results of the calls, the newest with the most room, within `wording.room` tokens; `notes` are words of our own. */
export function shownRuns(runs: readonly ToolRun[], notes: readonly string[], wording: PromptWording): string {
  const findings = findingsOf(runs);
  const pack = trimmedPack(findings.pack);
  const said = notes.map((note) => `- ${note}`);
  let room = wording.room - estimateTokens(said.join(' '), wording.correction);
  const blocks: string[] = [];
  for (const run of [...runs].reverse()) {
    const aliases = run.error === null ? itemsOf(run, CITED_ROWS).flatMap((item) => findings.add(item) ?? []) : [];
    const lines = resultLines(run, aliases, pack, room, wording);
    const tokens = estimateTokens(lines.join(' '), wording.correction);
    if (tokens > room) break;
    room -= tokens;
    blocks.unshift(lines.join('\n'));
  }
  return ['RESULTS', ...(blocks.length === 0 ? ['none yet'] : blocks), ...said].join('\n');
}
