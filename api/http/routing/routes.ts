import { z } from 'zod';
import { DEFAULT_MAX_BYTES, ITEM_DEPTH } from '#api/http/input/body.ts';
import { type AnyEndpoint, type AnyMount, type BodyKind, isOpen, type Method } from '#api/surfaces/endpoint.ts';
import type { Surface } from '#api/surfaces/surface.ts';
import { SURFACES } from '#api/surfaces/surfaces.ts';

/** A previous version is supported for 12 months (docs/specification.md §16). */
const SUPPORTED_MONTHS = 12;

/** Headers of a mount that is being retired: those of docs/specification.md §16 and the standard ones (RFC 9745, RFC 8594). `date` is ISO 8601. */
function deprecationHeaders(deprecated: { readonly date: string; readonly info: string }): Record<string, string> {
  const sunset = new Date(deprecated.date);
  const since = Math.floor(sunset.getTime() / 1000);
  sunset.setUTCMonth(sunset.getUTCMonth() + SUPPORTED_MONTHS);
  return {
    'X-API-Deprecation-Date': deprecated.date,
    'X-API-Deprecation-Info': deprecated.info,
    Deprecation: `@${since}`,
    Sunset: sunset.toUTCString(),
  };
}

/** One mount, prepared: everything that does not depend on the request is worked out once. */
export interface Route {
  readonly endpoint: AnyEndpoint;
  readonly mount: AnyMount;
  readonly surface: Surface;
  /** It needs no credential. */
  readonly isPublic: boolean;
  /** Full path with `{name}`; the metrics label. */
  readonly template: string;
  readonly names: readonly string[];
  readonly bodyKind: BodyKind;
  readonly maxBytes: number;
  readonly itemDepth: number;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  /** Names in the query schema; null when unknown. */
  readonly queryNames: readonly string[] | null;
  readonly body: z.ZodType | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export type Match =
  | { readonly found: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** `isPublic`: no endpoint at this path needs a credential. */
  | { readonly found: 'method'; readonly surface: Surface; readonly allow: string; readonly isPublic: boolean }
  | { readonly found: 'nothing' };

interface Node {
  readonly fixed: Map<string, Node>;
  any: Node | null;
  readonly byMethod: Map<Method, Route>;
}
const node = (): Node => ({ fixed: new Map(), any: null, byMethod: new Map() });
const nothing: Match = { found: 'nothing' };

export const pathOf = (mount: AnyMount): string =>
  `${SURFACES[mount.on].prefix}${mount.path === '/' ? '' : mount.path}` || '/';

/** Compiled at its first use, so that no start waits for all of them. */
const compiled = (schema: z.ZodType | undefined): (() => z.ZodType | undefined) => {
  let made: z.ZodType | undefined;
  return () => {
    if (schema !== undefined) made ??= z.compile(schema);
    return made;
  };
};

/** Field names of an object schema, through pipes and defaults; null: other names are allowed, too. */
function namesOf(schema: z.ZodType | undefined): readonly string[] | null {
  if (schema === undefined) return [];
  if (schema instanceof z.ZodObject)
    return schema.def.catchall instanceof z.ZodUnknown ? null : Object.keys(schema.shape);
  return schema instanceof z.ZodPipe ? namesOf(schema.in as z.ZodType) : null;
}

const routeOf = (endpoint: AnyEndpoint, mount: AnyMount): Route => {
  const [params, query, body] = [compiled(mount.params), compiled(mount.query), compiled(mount.body)];
  return {
    endpoint,
    mount,
    surface: SURFACES[mount.on],
    isPublic: isOpen(endpoint),
    template: pathOf(mount),
    names: [...pathOf(mount).matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string),
    bodyKind: mount.bodyKind ?? (mount.body === undefined ? 'none' : 'json'),
    maxBytes: mount.maxBytes ?? DEFAULT_MAX_BYTES,
    itemDepth: mount.itemDepth ?? ITEM_DEPTH,
    get params() {
      return params();
    },
    get query() {
      return query();
    },
    queryNames: namesOf(mount.query),
    get body() {
      return body();
    },
    headers: mount.deprecated === undefined ? {} : deprecationHeaders(mount.deprecated),
  };
};

const segmentsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .filter((part, i, all) => part !== '' || i < all.length - 1);

function place(root: Node, route: Route): void {
  let at = root;
  for (const segment of segmentsOf(route.template)) {
    let next = segment.startsWith('{') ? at.any : at.fixed.get(segment);
    if (!next) {
      next = node();
      if (segment.startsWith('{')) at.any = next;
      else at.fixed.set(segment, next);
    }
    at = next;
  }
  if (at.byMethod.has(route.mount.method))
    throw new Error(`${route.mount.method} ${route.template} is mounted twice: ${route.endpoint.id}`);
  at.byMethod.set(route.mount.method, route);
}

/** The node of a path; a fixed segment beats a parameter, and is left again when it leads nowhere. */
function walk(at: Node, segments: readonly string[], i: number, values: string[]): Node | null {
  if (i === segments.length) return at.byMethod.size > 0 ? at : null;
  const segment = segments[i] as string;
  const fixed = at.fixed.get(segment);
  const found = fixed === undefined ? null : walk(fixed, segments, i + 1, values);
  if (found !== null || at.any === null || segment === '') return found;
  values.push(segment);
  const below = walk(at.any, segments, i + 1, values);
  if (below === null) values.pop();
  return below;
}

/** Values by name, or null when one is not valid percent-encoding. */
function decodeParams(names: readonly string[], values: readonly string[]): Record<string, string> | null {
  try {
    const params: Record<string, string> = {};
    for (let i = 0; i < names.length; i++) params[names[i] as string] = decodeURIComponent(values[i] as string);
    return params;
  } catch {
    return null;
  }
}

function otherMethod(at: Node): Match {
  const routes = [...at.byMethod.values()];
  const methods = routes.map((route) => route.mount.method.toUpperCase());
  const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).sort().join(', ');
  const isPublic = routes.every((route) => route.isPublic);
  return { found: 'method', surface: (routes[0] as Route).surface, allow, isPublic };
}

export interface Routes {
  readonly all: readonly Route[];
  /** `path` without query, as sent. HEAD is read as GET; one slash at the end is ignored. */
  match(method: string, path: string): Match;
}

/** A tree of path segments; the cost of a match does not grow with the number of endpoints. Throws when two mounts collide. */
export function routes(endpoints: readonly AnyEndpoint[]): Routes {
  const all = endpoints.flatMap((endpoint) => endpoint.mounts.map((mount) => routeOf(endpoint, mount)));
  const root = node();
  for (const route of all) place(root, route);
  return {
    all,
    match(method, path) {
      const values: string[] = [];
      const at = walk(root, segmentsOf(path), 0, values);
      if (at === null) return nothing;
      const route = at.byMethod.get((method === 'HEAD' ? 'get' : method.toLowerCase()) as Method);
      if (route === undefined) return otherMethod(at);
      const params = decodeParams(route.names, values);
      return params === null ? nothing : { found: 'route', route, params };
    },
  };
}
