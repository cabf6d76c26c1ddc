import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { METRICS } from '#features/questions/rules/query.ts';

/** What a tool takes: its JSON schema for a model, and a reader that names what is wrong. All values are texts. */
export interface ToolInput<P> {
  readonly json: Readonly<Record<string, unknown>>;
  read(value: unknown): { readonly params: P } | { readonly problem: string };
}

/** Lengths are checked here, and would cost tokens there. */
const withoutLengths = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutLengths);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'minLength' && key !== 'maxLength');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutLengths(inner)]));
};

export const toolInput = <S extends z.ZodObject>(schema: S): ToolInput<z.output<S>> => {
  const { $schema, additionalProperties, ...json } = z.toJSONSchema(schema, { io: 'input' });
  const known = Object.keys(schema.shape);
  return {
    json: withoutLengths(json) as Readonly<Record<string, unknown>>,
    read(value) {
      const checked = schema.safeParse(value);
      if (checked.success) return { params: checked.data };
      const field = known.find((one) => checked.error.issues[0]?.path[0] === one);
      return { problem: `${field ?? 'parameters'} cannot be that; there are ${known.join(', ') || 'none'}` };
    },
  };
};

const text = z.string().trim().min(1).max(255).optional();
const needed = z.string().trim().min(1).max(255);
const time = z.string().trim().min(1).max(200).optional();
const severity = z.enum(SEVERITIES).optional();

/** What each tool of this feature takes; names of the first six are those of the interface specification. */
export const INPUTS = {
  searchCis: toolInput(z.strictObject({ name: text, type: text, status: z.enum(CI_STATUSES).optional() })),
  details: toolInput(z.strictObject({ ciId: needed })),
  relationships: toolInput(z.strictObject({ sourceId: text, targetId: text, type: text })),
  query: toolInput(
    z.strictObject({
      metric: z.enum(METRICS),
      ciId: text,
      timeRange: time,
      question: z.string().max(2_000).optional(),
    }),
  ),
  events: toolInput(
    z.strictObject({ ciId: text, severity, timeRange: time, status: text, source: text, type: text, text, host: text }),
  ),
  none: toolInput(z.strictObject({})),
  incidents: toolInput(z.strictObject({ ciId: text, timeRange: time })),
  incident: toolInput(z.strictObject({ groupId: needed })),
  changes: toolInput(z.strictObject({ ciId: text, timeRange: time })),
  past: toolInput(z.strictObject({ eventId: needed })),
  impact: toolInput(z.strictObject({ ciId: needed })),
  path: toolInput(z.strictObject({ sourceId: needed, targetId: needed })),
} as const;
