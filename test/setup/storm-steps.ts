import fc from 'fast-check';
import type { Ask, Incoming } from '#domain/event/incoming.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { ciOf, dependsOn, NOON, occurs, ulidOf } from './runner-kit.ts';

const MINUTE = 60_000;
/** Distance of the event times of each tenant behind the clock: a tenant may replay its past. */
const BEHIND: Readonly<Record<string, number>> = { now: 0, past: 30 * 60 * MINUTE };
const CIS = ['c0', 'c1', 'c2', 'c3', 'c4'].map(ulidOf);
const TITLES = ['Disk full', 'Link down', 'Queries blocked', 'HTTP 503', 'Latency high', 'Out of memory'];

const nat = (max: number) => fc.nat({ max });
export const step = fc.record({
  tenant: fc.constantFrom('now', 'now', 'past'),
  kind: fc.constantFrom(
    'occurs',
    'occurs',
    'occurs',
    'occurs',
    'occurs',
    'occurs',
    'recovers',
    'resolves',
    'redelivers',
    'suppresses',
    'reopens',
    'binds',
    'rewires',
  ),
  host: nat(6),
  title: nat(TITLES.length - 1),
  severity: fc.constantFrom('critical' as const, 'major' as const, 'warning' as const),
  service: fc.option(fc.constantFrom('shop', 'mail'), { nil: undefined, freq: 3 }),
  condition: fc.option(nat(3), { nil: undefined }),
  /** Seconds since the step before; now and then a long pause. */
  pause: fc.oneof(
    { weight: 12, arbitrary: nat(90) },
    { weight: 3, arbitrary: nat(900) },
    { weight: 1, arbitrary: nat(9_000) },
  ),
  /** Seconds by which the event is older than its arrival. */
  delay: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: nat(400) },
    { weight: 1, arbitrary: nat(7_000) },
  ),
});
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
export interface Sent {
  readonly tenant: string;
  readonly record: Incoming;
}

/** Returns records in the order of arrival. Each has a delivery id, so that refused ones may be sent again. */
export const recordsOf = (steps: readonly Step[]): Sent[] => {
  let now = NOON;
  return steps.map(({ tenant, kind, host, title, severity, service, condition, pause, delay }, n) => {
    now += pause * 1_000;
    const at = now - (BEHIND[tenant] as number) - delay * 1_000;
    const conditionId = condition === undefined ? null : `${tenant}/${host}/${condition}`;
    const delivery = kind === 'redelivers' && n > 0 ? `d${n - 1}` : `d${n}`;
    const base = { receivedAt: now, deliveryId: delivery };
    const ask = (value: Ask): Sent => ({ tenant, record: { ask: value, ...base } });
    if (kind === 'recovers')
      return ask({ kind: 'recovered', source: 's', sourceId: `e${n}`, conditionId: conditionId ?? 'none', at });
    const by = { id: 'u', username: 'u', name: 'U' };
    const earlier = ulidOf(`e${Math.floor(n / 2)}`);
    const trail = { id: ulidOf(`t${n}`), address: '::1', department: null, expiresAt: now + MINUTE };
    const changed = { kind: 'status-set', eventId: earlier, by, trail } as const;
    if (kind === 'resolves') return ask({ ...changed, status: 'resolved' });
    if (kind === 'suppresses') return ask({ ...changed, status: 'suppressed' });
    if (kind === 'reopens') return ask({ ...changed, status: 'acknowledged' });
    if (kind === 'rewires') return ask({ kind: 'rewired', eventId: earlier });
    const found = CIS[host % CIS.length] as string;
    if (kind === 'binds')
      return ask({ kind: 'bound', eventId: earlier, ci: { id: found, name: found, type: 'server' } });
    const bound = CIS[host];
    const record = occurs({
      id: `e${n}`,
      // One problem of one host under one id: with another severity it supersedes the earlier one.
      sourceId: `${host}/${title}`,
      timestamp: at,
      hostname: `host-${host}`,
      title: TITLES[title] as string,
      severity,
      receivedAt: now,
      delivery,
      ...(service !== undefined && { service }),
      ...(conditionId !== null && { condition: conditionId }),
      ...(bound !== undefined && { ci: { id: bound, name: bound, type: 'server' } }),
    });
    return { tenant, record };
  });
};

/** A small tree of CIs for each tenant of the records. */
export const prepareTopology = async ({ cis, relationships }: TopologyPorts): Promise<void> => {
  for (const tenant of Object.keys(BEHIND)) {
    await cis.put(
      tenant,
      CIS.map((id) => ciOf(tenant, id)),
    );
    const edges = [
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 3],
    ].map(([a, b]) => dependsOn(tenant, CIS[a as number] as string, CIS[b as number] as string));
    await relationships.put(tenant, edges);
  }
};
