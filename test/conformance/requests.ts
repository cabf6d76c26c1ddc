import { pathOf } from '#api/http/routing/routes.ts';
import type { AnyEndpoint, AnyMount, SurfaceName } from '#api/surfaces/endpoint.ts';

/** One method and path of one endpoint. */
export interface Case {
  readonly endpoint: AnyEndpoint;
  readonly mount: AnyMount;
  readonly title: string;
  /** Path with a value for every parameter. */
  readonly path: string;
}

export const casesOf = (endpoints: readonly AnyEndpoint[]): Case[] =>
  endpoints.flatMap((endpoint) =>
    endpoint.mounts.map((mount) => ({
      endpoint,
      mount,
      title: `${mount.method.toUpperCase()} ${pathOf(mount)} (${endpoint.id}, ${mount.on})`,
      path: pathOf(mount).replaceAll(/\{\w+\}/g, '1'),
    })),
  );

/** Returns the request id in an error body of a dialect; null: it has none. */
export const requestIdIn: Readonly<Record<SurfaceName, ((body: ErrorBody) => string | undefined) | null>> = {
  ai: ({ error }) => error.requestId,
  platform: ({ error }) => error.requestId,
  v1: ({ error }) => error.request_id,
  ops: ({ error }) => error.request_id,
  events: ({ requestId }) => requestId,
  alertmanager: null,
  pagerduty: null,
  opsgenie: ({ requestId }) => requestId,
};
interface ErrorBody {
  readonly error: { readonly requestId?: string; readonly request_id?: string };
  readonly requestId?: string;
}

const hasBody = ({ mount }: Case): boolean => mount.body !== undefined || (mount.bodyKind ?? 'none') !== 'none';

/**
 * Returns a request that reading must refuse: not JSON, or an unknown query parameter. Null when everything is
 * accepted.
 */
export function badRequest(one: Case): { readonly path: string; readonly body: string | null } {
  const readsJson = hasBody(one) && (one.mount.bodyKind ?? 'json') === 'json';
  // The console has parameters of its own, with short names.
  const unknown = `no_such_parameter${'_'.repeat(100)}`;
  return readsJson ? { path: one.path, body: '{"broken":' } : { path: `${one.path}?${unknown}=1`, body: null };
}
