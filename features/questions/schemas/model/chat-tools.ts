import { z } from 'zod';
import type { ToolOffer } from '#domain/ai/model.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { CHAT_TOOLS, type ChatTool, type ToolCall } from '#features/questions/rules/chat/tools.ts';
import { METRICS } from '#features/questions/rules/query.ts';

const text = z.string().trim().min(1).max(255);
const time = z.string().trim().min(1).max(200);

const PARAMETERS = {
  'search-cis': z.strictObject({
    name: text.optional(),
    type: text.optional(),
    status: z.enum(CI_STATUSES).optional(),
  }),
  'get-ci-details': z.strictObject({ ciId: text }),
  'search-relationships': z.strictObject({
    sourceId: text.optional(),
    targetId: text.optional(),
    type: text.optional(),
  }),
  'analytics-query': z.strictObject({ metric: z.enum(METRICS), ciId: text.optional(), timeRange: time.optional() }),
  'search-events': z.strictObject({
    ciId: text.optional(),
    severity: z.enum(SEVERITIES).optional(),
    timeRange: time.optional(),
  }),
  'get-context': z.strictObject({}),
} as const satisfies Readonly<Record<ChatTool, z.ZodType>>;

const DESCRIPTIONS: Readonly<Record<ChatTool, string>> = {
  'search-cis': 'Configuration items by part of the name, type, status',
  'get-ci-details': 'One CI: open events, what it needs, what fails with it, changes. ciId: alias or name',
  'search-relationships': 'Relationships; the source needs the target',
  'analytics-query': 'One number. timeRange like 24h, yesterday, last 7 days',
  'search-events': 'Events with probable causes; without timeRange the open ones',
  'get-context': 'Current CI, counts, time',
};

const jsonOf = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const { $schema, ...json } = z.toJSONSchema(schema);
  return withoutLengths(json) as Readonly<Record<string, unknown>>;
};
/** Lengths are checked here, and would cost tokens there. */
const withoutLengths = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutLengths);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'minLength' && key !== 'maxLength');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutLengths(inner)]));
};

/** The six tools as a model is told of them. */
export const TOOL_OFFERS: readonly ToolOffer[] = CHAT_TOOLS.map((name) => ({
  name,
  description: DESCRIPTIONS[name],
  parameters: jsonOf(PARAMETERS[name]),
}));

const isTool = (name: string): name is ChatTool => CHAT_TOOLS.some((tool) => tool === name);

const parsed = (json: string): unknown => {
  try {
    return json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    return undefined;
  }
};
/** Models fill in what they have nothing for. */
const given = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== ''));

/** A call that may be run, or what is wrong with it in words of our own. `reveal` puts the real text into each parameter. */
export function readCall(
  { name, arguments: json }: { readonly name: string; readonly arguments: string },
  reveal: (text: string) => string,
): { readonly call: ToolCall } | { readonly problem: string } {
  if (!isTool(name)) return { problem: 'there is no tool of this name' };
  const object = given(parsed(json));
  if (typeof object !== 'object' || object === null) return { problem: 'the arguments are no JSON object' };
  const real = Object.entries(object).map(([key, one]) => [key, typeof one === 'string' ? reveal(one) : one] as const);
  const checked = PARAMETERS[name].safeParse(Object.fromEntries(real));
  if (checked.success) return { call: { tool: name, params: checked.data } as ToolCall };
  const [issue] = checked.error.issues;
  const known = Object.keys(PARAMETERS[name].shape);
  const fields = known.filter((field) => issue?.path[0] === field);
  return { problem: `${fields[0] ?? 'parameters'} cannot be that; there are ${known.join(', ') || 'none'}` };
}
