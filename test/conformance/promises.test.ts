import { expect, test } from '@jest/globals';
import { openapiDocument } from '#api/http/openapi/document.ts';
import { type Route, routes } from '#api/http/routing/routes.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import type { Reply } from '#test/setup/test-app.ts';
import { endpoints } from '#whole';
import { promises, type Schema } from './promised.ts';

/* Requests allowed by the document are not refused for a reason that the document could have contained. */

const SEED = 1;
/** Headers whose values depend on earlier requests. */
const OF_STATE: readonly string[] = ['If-Match', 'Idempotency-Key'];
/** Requests of each operation. */
const ROUNDS = 8;

/** Kinds that JSON Schema, or the parameters of OpenAPI, cannot express: their messages, and the reason. */
const BEYOND: readonly (readonly [kind: string, told: RegExp, why: string])[] = [
  [
    'a record that is there',
    /: (no (unique )?(CI|service|group or event|user|team|configuration item|catalog software)\b|several CIs are named)/,
    'which records there are, the store alone knows; ids are opaque',
  ],
  [
    'one part of a request against another',
    / (page: page × limit|ids: can't be combined|timeRange: can't be combined|limit: .*view=row|offset: expected at most \d+ with limit|items: .* matches nothing)|sources\/\{name\} (?:url: required|auth: expected type)|page: include=single|: (.* is already a component|already exists|must differ from|expected a CI other than)/,
    'parameters of a query are described one by one, and no keyword compares two values',
  ],
  [
    'a time against another one',
    /: (expected (a|no) time|history starts|must not be (?:after|before|in the future)|expected at most \d+ days)/,
    'no keyword compares two values, or one with the time that it is',
  ],
  ['a cursor', / cursor: /, 'it is opaque: what an earlier reply gave, and nothing else'],
  [
    'the body of a monitoring system',
    /^post \/api\/events\/webhook\//,
    'its shape depends on the path, and an operation has one body',
  ],
  [
    'the dialect of Alertmanager',
    /^\w+ \/api\/v2\//,
    'its errors are one text, and its documents say less than its checks',
  ],
  [
    'a file',
    /\/cmdb\/(?:import\/\w+|sync\/\{source\}) (Content-Type|body|columns):/,
    'its lines have no schema, and its format is said by the media type or a parameter',
  ],
  [
    'an address outside',
    / url: expected a public address or one in FAULTLINE_OUTBOUND_ALLOW/,
    'which addresses may be called, the server is told',
  ],
  [
    'words of people',
    /(range: expected a range such|timeRange: expected (?:a time range, )?for example|time zone|country: expected an ISO|title: expected at least one word|invalid regular expression| \/v2\/alerts query:)/,
    'a grammar, a list that others keep, or classes of letters that not every reader of the document knows',
  ],
];

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

const app = appOfTests();

const { all } = routes(endpoints);
const document = openapiDocument(all, { version: '0.0.0', baseUrl: '' });
const { make, fits, chance, pick } = promises(
  (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>,
  SEED,
);

const operationOf = ({ template, mount }: Route): Operation =>
  (document.paths?.[template]?.[mount.method] ?? {}) as Operation;

/**
 * Streams that last, files of the console, messages of another protocol, and endpoints that need seconds for each
 * request.
 */
const LEFT_OUT = /^\/(sse|docs|ui|openapi|asyncapi|metrics|mcp)|demo|\/auth\/(login|own-password)/;

const bodyOf = ({ requestBody }: Operation): { readonly type: string; readonly text: string } | null => {
  if (requestBody === undefined || (requestBody.required !== true && chance(0.3))) return null;
  const [type, { schema, example }] = pick(Object.entries(requestBody.content));
  return { type, text: type === 'application/json' ? JSON.stringify(make(schema)) : String(example) };
};

const requestOf = (route: Route) => {
  const operation = operationOf(route);
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let path = route.template;
  for (const { in: place, name, required, schema } of operation.parameters ?? []) {
    if (place !== 'path' && required !== true && !chance(0.3)) continue;
    const value = String(make(schema));
    // Clients interpret these segments as steps in the path.
    if (place === 'path') path = path.replace(`{${name}}`, /^\.{0,2}$/.test(value) ? 'x' : encodeURIComponent(value));
    if (place === 'query') query.set(name, value);
    if (place === 'header' && /^[ -~]*$/.test(value) && !OF_STATE.includes(name)) headers[name] = value;
  }
  const body = bodyOf(operation);
  if (body !== null) headers['content-type'] = body.type;
  return { path: query.size === 0 ? path : `${path}?${query}`, headers, body: body?.text };
};

interface Told {
  readonly field?: string;
  readonly reason?: string;
  readonly error?: string;
  readonly message?: string;
}
/** Every problem of a refusal, as `field: reason`, in any dialect. */
const problemsOf = ({ body }: Reply): string[] => {
  if (body.took !== undefined) return Object.entries(body.errors ?? {}).map((named) => named.join(': '));
  const told: readonly Told[] = body.error?.errors ?? body.error?.details ?? body.details ?? [body];
  return [told].flat().map(({ field, reason, error, message }) => `${field}: ${reason ?? error ?? message}`);
};

test('what the document allows is refused for nothing that it could have told', async () => {
  const untold = new Map<string, unknown>();
  const met = new Set<string>();
  for (const route of all.filter(({ template }) => !LEFT_OUT.test(template)))
    for (let i = 0; i < ROUNDS; i++) {
      const { path, headers, body } = requestOf(route);
      const reply = await app.send(route.mount.method.toUpperCase(), path, body, { headers });
      if (reply.status !== route.surface.faults.invalid.status) continue;
      for (const problem of problemsOf(reply)) {
        const named = `${route.mount.method} ${route.template} ${problem}`;
        const kind = BEYOND.find(([, told]) => told.test(named));
        if (kind === undefined) untold.set(named.replaceAll(/\[\d+\]/g, '[]'), { path, body });
        else met.add(kind[0]);
      }
    }
  expect(Object.fromEntries(untold)).toEqual({});
  // A kind that is met no longer is no reason any more.
  expect([...met].sort()).toEqual(BEYOND.map(([kind]) => kind).sort());
}, 120_000);

test('what the document shows, it allows', () => {
  const unfit = all.flatMap((route) => {
    const { parameters = [], requestBody } = operationOf(route);
    const shown = [...parameters, ...Object.values(requestBody?.content ?? {})];
    return shown
      .filter(({ schema, example }) => example !== undefined && !fits(example, schema))
      .map(({ example }) => `${route.mount.method} ${route.template}: ${JSON.stringify(example)}`);
  });
  expect(unfit).toEqual([]);
});
