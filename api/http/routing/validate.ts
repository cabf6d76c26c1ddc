import type { z } from 'zod';
import { Fault, type Problem } from '#domain/fault.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import type { Route } from './routes.ts';

const describe = (problems: readonly Problem[]): string => {
  const [first] = problems as readonly [Problem];
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return `${first.field}: ${first.reason}${more}`;
};

/** A request with these problems. */
const invalidRequest = (problems: readonly Problem[]): Fault => new Fault('invalid', describe(problems), problems);

/** The parsed value; throws Fault `invalid` with every problem. Without a schema the value is taken as it is. */
export function parsed(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(problemsOf(result.error, value));
}

/** A malformed id answers like an unknown one. Throws Fault `not-found`. */
export function parsedParams(route: Route, params: Readonly<Record<string, string>>): unknown {
  if (route.params === undefined) return params;
  const result = route.params.safeParse(params);
  if (result.success) return result.data;
  const wrong = result.error.issues[0]?.path[0];
  throw new Fault('not-found', `${String(wrong)} ${params[String(wrong)] ?? ''} was not found`);
}

function refuseUnknown(route: Route, query: Readonly<Record<string, string>>): void {
  const known = route.queryNames;
  if (known === null) return;
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const reason = `unknown query parameter; known: ${known.length === 0 ? 'none' : known.join(', ')}`;
  throw invalidRequest(unknown.map((field) => ({ field, reason })));
}

/** Throws Fault `invalid`; an unknown parameter is answered with the known ones. */
export function parsedQuery(route: Route, query: Readonly<Record<string, string>>): unknown {
  refuseUnknown(route, query);
  return parsed(route.query, query);
}
