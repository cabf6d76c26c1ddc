import { STATUS_CODES } from 'node:http';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { PROTOCOL_STATUSES } from '#api/http/replies/reply.ts';
import type { Route } from '#api/http/routing/routes.ts';
import type { Surface } from '#api/surfaces/surface.ts';
import { v1Error } from '#api/surfaces/v1-error.ts';
import { FAULT_KINDS, type FaultKind } from '#domain/fault.ts';
import { V1Error } from '#schemas/http/errors.ts';
import { errorHeaders, references, successHeaders } from './headers.ts';

export const JSON_TYPE = 'application/json';

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
export const openResponses = () => {
  const components = new Map<string, Component>();
  return (route: Route) => ({
    ...protocolResponses,
    ...errorResponses(components, route),
    ...successResponses(route),
  });
};
