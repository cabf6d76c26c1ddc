/** One large tenant: switches, hosts with two uplinks, virtual machines on shared storage, and applications that need each other. */
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { seeded } from './storm.ts';

export const TENANT = 'cmdb';

/** Share of each kind of CI; the order is that of their numbers. */
const KINDS = [
  ['core', 0.0002, 'switch'],
  ['access', 0.01, 'switch'],
  ['storage', 0.002, 'storage'],
  ['host', 0.19, 'server'],
  ['vm', 0.4, 'virtual_machine'],
] as const;
const APPLICATION = 'application';
type Kind = (typeof KINDS)[number][0] | 'app';
/** Applications of one system need each other, and little else. */
const SYSTEM = 50;
const DEPENDENCIES = 4;
const DAY_MS = 24 * 3_600_000;

/** First number and count of every kind. */
export function placesOf(cis: number): ReadonlyMap<Kind, { readonly from: number; readonly count: number }> {
  const places = new Map<Kind, { from: number; count: number }>();
  let from = 0;
  for (const [kind, share] of KINDS) {
    const count = Math.max(2, Math.round(cis * share));
    places.set(kind, { from, count });
    from += count;
  }
  return places.set('app', { from, count: cis - from });
}

const idOf = (prefix: string, n: number): string => `${prefix}${String(n).padStart(25 - prefix.length, '0')}`;
export const ciIdOf = (n: number): string => idOf('01CI', n);

const kindOf = (places: ReturnType<typeof placesOf>, n: number): Kind =>
  [...places].find(([, { from, count }]) => n >= from && n < from + count)?.[0] ?? 'app';

export function* infrastructureCis(cis: number, now: number): Generator<Ci> {
  const places = placesOf(cis);
  const random = seeded(7);
  for (let n = 0; n < cis; n++) {
    const kind = kindOf(places, n);
    const type = KINDS.find(([name]) => name === kind)?.[2] ?? APPLICATION;
    const at = now - DAY_MS - Math.floor(random() * 100 * DAY_MS);
    const name = `${kind}-${n}.example.net`;
    const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    yield {
      tenant: TENANT,
      id: ciIdOf(n),
      name,
      type,
      status: random() < 0.95 ? 'active' : 'maintenance',
      description: `${type} ${n} of system ${Math.floor(n / SYSTEM)}, looked after by team ${n % 40}`,
      externalKey: `asset-${n}`,
      attributes: {
        hostname: name,
        os: 'linux',
        cpu_cores: 8,
        memory_gb: 32,
        ip_address: address,
        location: `dc-${n % 20}`,
      },
      customFields: { department: `department ${n % 30}`, environment: 'production' },
      createdAt: at,
      updatedAt: at,
      createdBy: 'bench',
      updatedBy: 'bench',
      revision: 1,
    };
  }
}

interface Draft {
  readonly type: string;
  readonly source: number;
  readonly target: number;
  readonly attributes?: Record<string, unknown>;
}

function* drafts(cis: number): Generator<Draft> {
  const places = placesOf(cis);
  const random = seeded(11);
  const one = (kind: Kind): number => {
    const { from, count } = places.get(kind)!;
    return from + Math.floor(random() * count);
  };
  const each = function* (kind: Kind): Generator<number> {
    const { from, count } = places.get(kind)!;
    for (let n = from; n < from + count; n++) yield n;
  };
  const uplinks = function* (source: number, to: Kind): Generator<Draft> {
    const attributes = { redundancy_group: 'uplink', criticality: 'high' };
    for (let i = 0; i < 2; i++) yield { type: 'network_connection', source, target: one(to), attributes };
  };
  for (const access of each('access')) yield* uplinks(access, 'core');
  for (const host of each('host')) yield* uplinks(host, 'access');
  for (const vm of each('vm')) {
    yield { type: 'runs_on', source: vm, target: one('host') };
    yield { type: 'uses', source: vm, target: one('storage') };
  }
  const apps = places.get('app')!;
  for (const app of each('app')) {
    yield { type: 'runs_on', source: app, target: one('vm') };
    const system = apps.from + Math.floor((app - apps.from) / SYSTEM) * SYSTEM;
    const size = Math.min(SYSTEM, apps.from + apps.count - system);
    for (let i = 0; i < DEPENDENCIES; i++)
      yield {
        type: 'depends_on',
        source: app,
        target: random() < 0.998 ? system + Math.floor(random() * size) : one('app'),
        attributes: { port: 8080, protocol: 'tcp' },
      };
  }
}

/** About three per CI; those that come twice or lead to themselves are left out. */
export function* estateRelationships(cis: number, now: number): Generator<Relationship> {
  const seen = new Set<string>();
  let n = 0;
  for (const { type, source, target, attributes = {} } of drafts(cis)) {
    const key = `${source} ${target} ${type}`;
    if (source === target || seen.has(key)) continue;
    seen.add(key);
    yield {
      tenant: TENANT,
      id: idOf('01RE', n++),
      type,
      source: ciIdOf(source),
      target: ciIdOf(target),
      attributes,
      discoveredBy: 'bench',
      confidence: 1,
      createdAt: now - DAY_MS,
      updatedAt: now - DAY_MS,
      revision: 1,
    };
  }
}
