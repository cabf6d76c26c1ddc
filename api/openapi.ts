import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { FAULT_KINDS, type FaultKind } from '#domain/fault.ts';
import { V1Error } from '#schemas/http/errors.ts';
import { isOpen } from './endpoint.ts';
import { takesIdempotencyKey } from './idempotency.ts';
import { PER_MINUTE } from './limits.ts';
import { PROTOCOL_STATUSES } from './protocol-errors.ts';
import type { Route } from './routes.ts';

const CREDENTIALS = [{ bearer: [] }];
const LENIENT_CREDENTIALS = [...CREDENTIALS, { basic: [] }, { queryToken: [] }];
const JSON_TYPE = 'application/json';

/** Said of the document as a whole. */
export interface About {
  readonly version: string;
  readonly baseUrl: string;
}

/** Faults that this route can answer with. */
function faultsOf(route: Route): FaultKind[] {
  const open = isOpen(route.endpoint);
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

const errorResponses = (route: Route) => {
  const { faults, errorSchema } = route.surface;
  const content = { [JSON_TYPE]: { schema: errorSchema } };
  return Object.fromEntries(
    faultsOf(route).map((kind) => {
      const { status } = faults[kind];
      return [String(status), { description: STATUS_CODES[status] ?? '', content }];
    }),
  );
};

/** What the parser refuses before anybody knows what was asked, so in one dialect for all. */
const protocolResponses = Object.fromEntries(
  PROTOCOL_STATUSES.map((status) => [
    String(status),
    {
      id: `Protocol${status}`,
      description: STATUS_CODES[status] ?? '',
      content: { [JSON_TYPE]: { schema: V1Error } },
    },
  ]),
);

const successResponses = ({ mount }: Route) => {
  const types = [mount.replyType ?? JSON_TYPE].flat();
  const content = Object.fromEntries(types.map((type) => [type, { schema: mount.reply }]));
  const statuses = [mount.status ?? 200, ...(mount.alsoStatus ?? [])];
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: STATUS_CODES[status] ?? '', ...(status !== 204 && { content }) },
    ]),
  );
};

const limitText = ({ endpoint: { limit }, mount: { on } }: Route): string => {
  if (limit === 'none') return 'not limited';
  const isAi = limit === 'ai' || limit === 'ai-platform';
  const byClass = `${limit}, ${PER_MINUTE[limit]} per minute${isAi ? ' and tenant' : ''}`;
  if (on !== 'v1') return byClass;
  return isAi ? `by kind of credential; ${byClass}` : 'by kind of credential';
};

const permissionText = ({ endpoint }: Route): string =>
  endpoint.permission ?? (isOpen(endpoint) ? 'none, no credential needed' : 'none, any valid credential will do');

const descriptionOf = (route: Route): string =>
  [
    ...(route.endpoint.description === undefined ? [] : [route.endpoint.description]),
    `Permission: ${permissionText(route)}. Limit: ${limitText(route)}.`,
  ].join('\n\n');

/** Path parameters: as their schema says, else strings. */
const pathSchema = (route: Route): z.ZodObject =>
  route.mount.params instanceof z.ZodObject
    ? route.mount.params
    : z.object(Object.fromEntries(route.names.map((name) => [name, z.string()])));

const IdempotencyKey = { 'Idempotency-Key': z.string().max(255).optional() };
const IfMatch = {
  'If-Match': z.string().optional().meta({ description: 'ETag of an earlier reply; 412 when it was changed since' }),
};

const headersOf = ({ endpoint, mount }: Route) => ({
  ...(takesIdempotencyKey(endpoint, mount.method.toUpperCase()) && IdempotencyKey),
  ...(endpoint.conditional === true && IfMatch),
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
  bodyKind === 'none'
    ? undefined
    : {
        required: mount.body === undefined || !mount.body.safeParse(undefined).success,
        content: {
          [bodyKind === 'json' ? JSON_TYPE : '*/*']: { schema: mount.body ?? z.unknown() },
        },
      };

function operation(route: Route): ZodOpenApiOperationObject {
  const { endpoint, mount } = route;
  const requestBody = bodyOf(route);
  return {
    operationId: `${mount.on}.${endpoint.id}${endpoint.mounts.filter((other) => other.on === mount.on).indexOf(mount) || ''}`,
    summary: endpoint.summary,
    description: descriptionOf(route),
    tags: [endpoint.tag],
    security: isOpen(endpoint) ? [] : endpoint.lenientCredentials ? LENIENT_CREDENTIALS : CREDENTIALS,
    ...(mount.deprecated !== undefined && { deprecated: true }),
    requestParams: parametersOf(route),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...protocolResponses, ...errorResponses(route), ...successResponses(route) },
  };
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    paths[route.template] ??= {};
    (paths[route.template] as Record<string, ZodOpenApiOperationObject>)[route.mount.method] = operation(route);
  }
  return paths;
}

/** Replies may gain fields in any version, so their objects are open. */
const openReplies: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  if (io === 'output' && zodSchema instanceof z.ZodObject && jsonSchema.additionalProperties === false)
    delete jsonSchema.additionalProperties;
};

/** zod leaves defaults out where a text becomes something else on its way in; a plain one is written alike in both. */
const plainDefaults: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  if (io !== 'input' || !(zodSchema instanceof z.ZodDefault)) return;
  const value: unknown = zodSchema.def.defaultValue;
  if (typeof value !== 'object') jsonSchema.default = value;
};

/** OpenAPI 3.1 of all routes, from the same values that the server reads. */
export const openapiDocument = (routes: readonly Route[], { version, baseUrl }: About) =>
  createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Faultline',
        version,
        description: 'Event correlation and CMDB. Every response carries X-Request-ID.',
      },
      servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
      paths: pathsOf(routes),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'JWT of a login, or an API token' },
          basic: { type: 'http', scheme: 'basic', description: 'The password is an API token' },
          queryToken: {
            type: 'apiKey',
            in: 'query',
            name: 'token',
            description: 'Token with the scope events.webhook only',
          },
        },
      },
    },
    {
      override: (context) => {
        openReplies(context);
        plainDefaults(context);
      },
    },
  );
