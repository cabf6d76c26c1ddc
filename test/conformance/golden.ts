import { createHash } from 'node:crypto';
import type { createDocument } from 'zod-openapi';

type Json = unknown;
interface Operation {
  readonly operationId?: string;
  readonly parameters?: Json;
  readonly requestBody?: Json;
  readonly responses?: Readonly<Record<string, Json>>;
}

/** Texts and examples may change freely: no client depends on them. A property may be called `description`, too. */
const kept = (key: string, value: Json): Json =>
  key === 'example' || key === 'examples' || (key === 'description' && typeof value === 'string') ? undefined : value;
const digest = (value: Json): string =>
  value === undefined ? '-' : createHash('sha256').update(JSON.stringify(value, kept)).digest('base64url').slice(0, 10);

/** Returns the interface in short: a line per operation with a hash of its inputs and outputs, and one per schema. */
export const goldenOf = ({ paths = {}, components = {} }: ReturnType<typeof createDocument>): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>).map(
      ([method, { operationId, parameters, requestBody, responses = {} }]) => {
        const replies = Object.entries(responses);
        const answers = replies
          .filter(([status]) => status < '400')
          .map(([status, reply]) => `${status}:${digest(reply)}`);
        const errors = digest(replies.filter(([status]) => status >= '400'));
        const takes = `parameters:${digest(parameters)} body:${digest(requestBody)}`;
        return `${method.toUpperCase()} ${path} ${operationId} ${takes} ${answers.join(' ')} errors:${errors}`;
      },
    ),
  );
  const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => `schema ${name} ${digest(schema)}`);
  return `${[...operations, ...schemas.sort()].join('\n')}\n`;
};
