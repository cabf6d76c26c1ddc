import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { PROTOCOL_STATUSES } from '#api/http/replies/reply.ts';
import { takesIdempotencyKey } from '#api/http/routing/idempotency.ts';
import { PER_MINUTE, perMinuteOf } from '#api/http/routing/limits.ts';
import type { Route } from '#api/http/routing/routes.ts';
import { isOpen } from '#api/surfaces/endpoint.ts';
import type { Surface } from '#api/surfaces/surface.ts';
import { v1Error } from '#api/surfaces/v1-error.ts';
import { FAULT_KINDS, type FaultKind } from '#domain/fault.ts';
import { isAlias } from '#schemas/http/common.ts';
import { V1Error } from '#schemas/http/errors.ts';
import { addExamples } from './examples.ts';
import { errorHeaders, headersOfAll, references, successHeaders } from './headers.ts';

const JSON_TYPE = 'application/json';

/** Faults that this route can answer with. */
function faultsOf(route: Route): FaultKind[] {
  const open = route.isPublic;
  const no = new Set<FaultKind>(['method', 'model']);
  if (open) for (const kind of ['unauthenticated', 'tenant', 'forbidden'] as const) no.add(kind);
  if (route.endpoint.limit === 'none') no.add('rate-limited');
  if (route.bodyKind === 'none') no.add('too-large');
  if (route.names.length === 0) no.add('not-found');
  if (route.mount.method === 'get')
    for (const kind of ['conflict', 'precondition', 'unprocessable'] as const) no.add(kind);
  if (route.endpoint.limit === 'ai' || route.endpoint.limit === 'ai-platform') no.delete('model');
  for (const kind of route.endpoint.alsoFaults ?? []) no.delete(kind);
  return FAULT_KINDS.filter((kind) => !no.has(kind));
}

const REQUEST_ID = '01M7YYCSX1W0SAZZRHKVPG78N3';
const RETRY_AT = Date.UTC(2026, 10, 21, 11, 39);
/** A field is wrong in a bad request only. */
const problemsAt = (status: number) =>
  status === 400 ? [{ field: 'limit', reason: 'expected a whole number from 1 to 100' }] : [];
const errorView = (status: number, code: string) => ({
  status,
  code,
  message: status === 400 ? 'limit: expected a whole number from 1 to 100' : (STATUS_CODES[status] ?? ''),
  problems: problemsAt(status),
  data: {},
  requestId: REQUEST_ID,
  retryAt: status === 429 || status === 503 ? RETRY_AT : null,
  documentationUrl: '/docs',
});

type Component = ZodOpenApiResponseObject;
function errorComponent(components: Map<string, Component>, surface: Surface, kind: FaultKind): Component {
  const { status, code } = surface.faults[kind];
  const id = `${surface.name}Error${status}`;
  const known = components.get(id);
  if (known !== undefined) return known;
  const example = surface.error(errorView(status, code));
  const made: Component = {
    id,
    description: STATUS_CODES[status] ?? '',
    headers: references(errorHeaders(status)),
    content: { [JSON_TYPE]: { schema: surface.errorSchema, example } },
  };
  components.set(id, made);
  return made;
}

const errorResponses = (components: Map<string, Component>, route: Route) =>
  Object.fromEntries(
    faultsOf(route).map((kind) => [
      String(route.surface.faults[kind].status),
      errorComponent(components, route.surface, kind),
    ]),
  );

/** The HTTP parser refuses these before the path is known, so in one dialect for all. */
const protocolResponses = Object.fromEntries(
  PROTOCOL_STATUSES.map((status) => [
    String(status),
    {
      id: `Protocol${status}`,
      description: STATUS_CODES[status] ?? '',
      headers: references(['X-Request-ID']),
      content: { [JSON_TYPE]: { schema: V1Error, example: v1Error(errorView(status, 'VALIDATION_ERROR')) } },
    },
  ]),
);

const successResponses = (route: Route) => {
  const { mount } = route;
  const types = [mount.replyType ?? JSON_TYPE].flat();
  const content = Object.fromEntries(types.map((type) => [type, { schema: mount.reply }]));
  const headers = references(successHeaders(route));
  const statuses = [mount.status ?? 200, ...(mount.alsoStatus ?? [])];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: STATUS_CODES[status] ?? '', headers, ...(status !== 204 && { content }) },
    ]),
  );
};

/** Everything that a route may answer, for the routes of one document: they share one component per dialect and status. */
const openResponses = () => {
  const components = new Map<string, Component>();
  return (route: Route) => ({ ...protocolResponses, ...errorResponses(components, route), ...successResponses(route) });
};

/** Generated clients send the last of several schemes with a value; so the other two are in the description. */
const CREDENTIALS = [{ bearer: [] }];

/** Description of the document as a whole. */
interface About {
  readonly version: string;
  readonly baseUrl: string;
}

const limitText = ({ endpoint: { limit }, mount: { on } }: Route): string => {
  if (limit === 'none') return 'not limited';
  const isAi = limit === 'ai' || limit === 'ai-platform';
  const ofUsers = perMinuteOf('jwt', limit);
  const more = ofUsers === PER_MINUTE[limit] ? '' : ` (users: ${ofUsers})`;
  const byClass = `${limit}, ${PER_MINUTE[limit]} per minute${more}${isAi ? ' and tenant' : ''}`;
  if (on !== 'v1') return byClass;
  return isAi ? `per credential type; ${byClass}` : 'per credential type';
};

const permissionText = ({ endpoint }: Route): string =>
  endpoint.permission ?? (isOpen(endpoint) ? 'none, no credential needed' : 'none (any valid credential)');

const descriptionOf = (route: Route): string =>
  [
    ...(route.endpoint.description === undefined ? [] : [route.endpoint.description]),
    `Permission: ${permissionText(route)}. Limit: ${limitText(route)}.`,
  ].join('\n\n');

/** Returns the schema of path parameters, strings by default. */
const pathSchema = (route: Route): z.ZodObject =>
  route.mount.params instanceof z.ZodObject
    ? route.mount.params
    : z.object(Object.fromEntries(route.names.map((name) => [name, z.string()])));

const IdempotencyKey = { 'Idempotency-Key': z.string().max(255).optional().meta({ pattern: '^[ -~]*[!-~][ -~]*$' }) };
const IfMatch = {
  'If-Match': z
    .string()
    .optional()
    .meta({ description: 'ETag from an earlier response; returns 412 if the resource changed' }),
};

const headersOf = ({ endpoint, mount }: Route) => ({
  ...(takesIdempotencyKey(endpoint, mount.method.toUpperCase()) && IdempotencyKey),
  ...(endpoint.conditional === true && IfMatch),
  ...endpoint.headers,
});

const parametersOf = (route: Route) => {
  const headers = headersOf(route);
  return {
    ...(route.names.length > 0 && { path: pathSchema(route) }),
    ...(route.mount.query instanceof z.ZodObject && { query: route.mount.query }),
    ...(Object.keys(headers).length > 0 && { header: z.object(headers) }),
  };
};

const bodyOf = ({ mount, bodyKind }: Route) =>
  bodyKind === 'none' && mount.bodyTypes === undefined
    ? undefined
    : {
        required: mount.body === undefined || !mount.body.safeParse(undefined).success,
        content: Object.fromEntries(
          Object.entries(mount.bodyTypes ?? { [JSON_TYPE]: mount.body ?? z.unknown() }).map(([type, schema]) => [
            type,
            { schema },
          ]),
        ),
      };

function operation(route: Route, responsesOf: ReturnType<typeof openResponses>): ZodOpenApiOperationObject {
  const { endpoint, mount } = route;
  const requestBody = bodyOf(route);
  return {
    operationId: `${mount.on}.${endpoint.id}${endpoint.mounts.filter((other) => other.on === mount.on).indexOf(mount) || ''}`,
    summary: endpoint.summary,
    description: descriptionOf(route),
    tags: [endpoint.tag],
    security: isOpen(endpoint) ? [] : CREDENTIALS,
    ...(mount.deprecated !== undefined && { deprecated: true }),
    requestParams: parametersOf(route),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(route),
  };
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  const responsesOf = openResponses();
  for (const route of routes) {
    const methods = paths[route.template] ?? {};
    paths[route.template] = methods;
    methods[route.mount.method] = operation(route, responsesOf);
  }
  return paths;
}

/** Replies may gain fields in any version, so their objects are open. */
const openReplies: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  if (io === 'output' && zodSchema instanceof z.ZodObject && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
};

/** zod omits defaults where a text is transformed on input; a plain one is the same in both. */
const plainDefaults: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  if (io !== 'input' || !(zodSchema instanceof z.ZodDefault)) return;
  const value: unknown = zodSchema.def.defaultValue;
  if (typeof value !== 'object') jsonSchema.default = value;
};

/** A record whose keys are known is an object with these fields: generators of clients make nothing of `propertyNames`. */
const namedKeys: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  const { required, additionalProperties } = jsonSchema;
  if (!(zodSchema instanceof z.ZodRecord) || required === undefined || typeof additionalProperties !== 'object') return;
  jsonSchema.properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
  delete jsonSchema.propertyNames;
  delete jsonSchema.additionalProperties;
};

/** OpenAPI requires the discriminator field in each of the shapes; where one may omit it, any shape may match. */
const optionalDiscriminators: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  if (!(zodSchema instanceof z.ZodDiscriminatedUnion) || jsonSchema.oneOf === undefined) return;
  const isOptional = zodSchema.options.some((option) => {
    const field = option instanceof z.ZodObject ? option.shape[zodSchema.def.discriminator] : undefined;
    return field instanceof z.ZodType && field.safeParse(undefined).success;
  });
  if (!isOptional) return;
  jsonSchema.anyOf = jsonSchema.oneOf;
  delete jsonSchema.oneOf;
  delete jsonSchema.discriminator;
};

/** A field that has two names is documented under one of them. */
const oneName: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  if (!(zodSchema instanceof z.ZodObject) || jsonSchema.properties === undefined) return;
  const aliases = Object.keys(zodSchema.shape).filter((name) => isAlias(zodSchema.shape[name]));
  for (const name of aliases) delete jsonSchema.properties[name];
  if (jsonSchema.required !== undefined)
    jsonSchema.required = jsonSchema.required.filter((name) => !aliases.includes(name));
};

const cutsBlanks = ({ def }: z.ZodString): boolean =>
  def.checks?.some((check) => check._zod.def.check === 'overwrite') === true;
/** Blanks alone do not count in trimmed texts. */
const filledTexts: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  if (!(zodSchema instanceof z.ZodString) || jsonSchema.pattern !== undefined) return;
  if (!(Number(jsonSchema.minLength) >= 1) || !cutsBlanks(zodSchema)) return;
  if (!zodSchema.safeParse(' '.repeat(Number(jsonSchema.minLength))).success) jsonSchema.pattern = '\\S';
};

const OVERRIDES = [oneName, filledTexts, openReplies, plainDefaults, namedKeys, optionalDiscriminators];

/** OpenAPI 3.1 of all routes, from the same values that the server reads. */
export const openapiDocument = (routes: readonly Route[], about: About) =>
  addExamples(withTextParameters(documentOf(routes, about)));

interface ParameterSchema {
  anyOf?: { readonly type?: unknown }[];
}
/** A query has only texts: where a text is allowed, a number is a text of digits. Changes `document`. */
function withTextParameters(document: ReturnType<typeof createDocument>) {
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}));
  for (const { parameters = [] } of operations as { parameters?: { schema?: ParameterSchema }[] }[])
    for (const { schema } of parameters) {
      const [text, ...others] = schema?.anyOf?.filter(({ type }) => type !== 'number') ?? [];
      if (schema === undefined || text?.type !== 'string' || others.length > 0) continue;
      delete schema.anyOf;
      Object.assign(schema, text);
    }
  return document;
}

const documentOf = (routes: readonly Route[], { version, baseUrl }: About) =>
  createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Faultline',
        version,
        description: 'Event correlation, root-cause analysis and CMDB. Every response includes X-Request-ID.',
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
      paths: pathsOf(routes),
      components: {
        headers: headersOfAll(routes),
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'JWT from a login, or an API token' },
        },
      },
    },
    {
      override: (context) => {
        for (const override of OVERRIDES) override(context);
      },
    },
  );
