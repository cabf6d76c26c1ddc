import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { takesIdempotencyKey } from '#api/http/routing/idempotency.ts';
import { PER_MINUTE, perMinuteOf } from '#api/http/routing/limits.ts';
import type { Route } from '#api/http/routing/routes.ts';
import { isOpen } from '#api/surfaces/endpoint.ts';
import { isAlias } from '#schemas/http/common.ts';
import { addExamples } from './examples.ts';
import { headersOfAll } from './headers.ts';
import { JSON_TYPE, openResponses } from './responses.ts';

/** Of several schemes generated clients send the last one that they have a value for; so the other two are in the description. */
const CREDENTIALS = [{ bearer: [] }];

/** Said of the document as a whole. */
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

const IdempotencyKey = {
  'Idempotency-Key': z.string().max(255).optional().meta({ pattern: '^[ -~]*[!-~][ -~]*$' }),
};
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

/** zod leaves defaults out where a text becomes something else on its way in; a plain one is written alike in both. */
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

/** OpenAPI wants the field that tells shapes apart in each of them; where one may leave it out, any shape may fit. */
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
/** Of a text whose blanks are cut off before it is measured, blanks alone are none. */
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
/** A query has no numbers beside texts: where a text may stand, one of digits has to be as texts are. Changes `document`. */
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
        description: 'Event correlation and CMDB. Every response carries X-Request-ID.',
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl === '' ? '/' : baseUrl }],
      paths: pathsOf(routes),
      components: {
        headers: headersOfAll(routes),
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'JWT of a login, or an API token' },
        },
      },
    },
    {
      override: (context) => {
        for (const override of OVERRIDES) override(context);
      },
    },
  );
