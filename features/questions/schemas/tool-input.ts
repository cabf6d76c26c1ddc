import { z } from 'zod';
import { GROUP_STATUSES } from '#domain/correlation/grouping/group-state.ts';
import { SEVERITIES, STATUSES } from '#domain/event/event.ts';
import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { GROUPINGS, METRICS } from '#features/questions/rules/query.ts';

/** Parameters of a tool: their schema, a short JSON schema for models in chat, and a reader that names the wrong one. */
export interface ToolInput<P> {
  readonly schema: z.ZodObject;
  readonly json: Readonly<Record<string, unknown>>;
  read(value: unknown): { readonly params: P } | { readonly problem: string };
}

export type ParamsOf<I> = I extends ToolInput<infer P> ? P : never;

/** Lengths and descriptions cost tokens, and one word stands for a list of one. */
const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  if ('anyOf' in value && Array.isArray(value.anyOf)) return shortened(value.anyOf[0]);
  const kept = Object.entries(value).filter(([key]) => !COSTLY.includes(key) && !(key === 'type' && 'enum' in value));
  return Object.fromEntries(kept.map(([key, inner]) => [key, shortened(inner)]));
};
const COSTLY: readonly string[] = ['minLength', 'maxLength', 'minimum', 'maximum', 'description', 'default'];

/** `inChat`: the only parameters that a model in chat is offered, because each costs tokens. */
export const toolInput = <S extends z.ZodObject>(schema: S, inChat?: readonly string[]): ToolInput<z.output<S>> => {
  const { $schema, additionalProperties, properties = {}, ...json } = z.toJSONSchema(schema, { io: 'input' });
  const known = Object.keys(schema.shape);
  const offered = Object.entries(properties).filter(([name]) => inChat?.includes(name) ?? true);
  return {
    schema,
    json: shortened({ ...json, properties: Object.fromEntries(offered) }) as Readonly<Record<string, unknown>>,
    read(value) {
      const checked = schema.safeParse(value);
      if (checked.success) return { params: checked.data };
      const field = known.find((one) => checked.error.issues[0]?.path[0] === one);
      return { problem: `${field ?? 'parameters'} cannot be that; there are ${known.join(', ') || 'none'}` };
    },
  };
};

const MAX_CIS = 1_000;

const needed = z.string().trim().min(1).max(255);
const text = needed.optional();
const ci = needed.describe('CI ID or exact name');
const cis = z.union([ci, z.array(ci).min(1).max(MAX_CIS)]).optional();
const group = needed.describe('ID of a group, COR-…, or of an event in none, EVT-…');
const event = needed.describe('Event ID, EVT-…');
const time_range = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe('For example 24h, last 7 days, yesterday, since monday, or two ISO 8601 times with "to" between them')
  .optional();
/** One word, or several of which any matches. */
const some = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1).max(20)]).optional();
const severity = some(z.enum(SEVERITIES));
const host = text.describe('Hostname');
const service = text.describe('Service name on events');
const person = text.describe('Name of a user or team');
const assignee = text.describe('Name of a user or team; none: unassigned');

const EVENT_ORDERS = ['severity', 'oldest', 'newest', 'repeats'] as const;
export const ACTION_KINDS = ['note', 'assigned', 'verdict', 'status', 'split', 'merged'] as const;

/** Parameters of each tool of this feature. */
export const INPUTS = {
  cis: toolInput(
    z.strictObject({
      search: text.describe('Part of name, description, hostname, address or external key'),
      type: some(needed),
      status: some(z.enum(CI_STATUSES)),
    }),
  ),
  ci: toolInput(z.strictObject({ ci })),
  relationships: toolInput(z.strictObject({ source: ci.optional(), target: ci.optional(), type: text })),
  neighbourhood: toolInput(
    z.strictObject({
      ci,
      hops: z.int().min(1).max(3).optional(),
      direction: z.enum(['up', 'down', 'both']).optional().describe('up: CIs that it depends on; down: its dependents'),
    }),
    ['ci', 'hops'],
  ),
  query: toolInput(
    z.strictObject({
      metric: z.enum(METRICS),
      group_by: z.enum(GROUPINGS).optional(),
      ci: cis,
      time_range,
      severity,
      status: some(needed),
      source: some(needed),
      type: some(needed).describe('CI type'),
      service: some(needed),
      environment: some(needed),
      search: text.describe('Words in the title or description; all must match'),
      sort: z.enum(['asc', 'desc']).optional(),
      top: z.int().min(1).max(100).optional().describe('Maximum number of rows of the grouping'),
      question: z.string().max(2_000).optional().describe('The same in English, in place of the other fields'),
    }),
    ['metric', 'ci', 'time_range', 'question'],
  ),
  events: toolInput(
    z.strictObject({
      ci: cis,
      severity,
      time_range,
      status: some(z.enum(STATUSES)),
      source: some(needed),
      type: some(needed).describe('CI type'),
      search: text.describe('Words in the title or description; all must match'),
      host,
      service,
      group: group.optional(),
      assignee,
      tag: text,
      sort: z.enum(EVENT_ORDERS).optional().describe('Default: severity'),
    }),
    ['ci', 'severity', 'time_range', 'status', 'source', 'type', 'search', 'host'],
  ),
  none: toolInput(z.strictObject({})),
  services: toolInput(z.strictObject({ search: text.describe('Part of the name') })),
  groups: toolInput(
    z.strictObject({
      ci: ci.optional(),
      time_range,
      status: some(z.enum(GROUP_STATUSES)),
      severity,
      search: text.describe('Words in the title or description of a member'),
      host,
      service,
      assignee,
    }),
    ['ci', 'time_range'],
  ),
  actions: toolInput(
    z.strictObject({
      group: group.optional(),
      ci: ci.optional(),
      by: person,
      kind: some(z.enum(ACTION_KINDS)),
      time_range,
    }),
    ['group'],
  ),
  silences: toolInput(
    z.strictObject({ ci: cis, state: some(z.enum(SILENCE_STATES)).describe('Default: active and planned') }),
    [],
  ),
  recorded: toolInput(
    z.strictObject({
      text: z.string().trim().min(1).max(2_000).describe('Words of the records'),
      ci: cis,
      about: some(needed),
      group: group.optional(),
      by: person,
    }),
    ['text'],
  ),
  group: toolInput(z.strictObject({ group })),
  pair: toolInput(z.strictObject({ event, other: event })),
  changes: toolInput(
    z.strictObject({
      ci: ci.optional(),
      hops: z.int().min(0).max(3).optional(),
      hours: z.int().min(1).max(720).optional(),
      by: person,
      edits: z.boolean().optional().describe('Changes in the CMDB alone, of any CI'),
      time_range,
    }),
    ['ci', 'time_range'],
  ),
  event: toolInput(z.strictObject({ event })),
  path: toolInput(z.strictObject({ from: ci, to: ci })),
} as const;
