import { describe, expect, test } from '@jest/globals';
import type { Criticality } from '#domain/event/business-impact.ts';
import type { Dependence } from '#domain/services/spread.ts';
import { dependencyOn, reachedDownstream, reachedUpstream, servicesByCi } from './dependencies.ts';
import type { Component, Service } from './service.ts';

const part = (ciId: string, group?: string): Component => ({
  ciId,
  role: 'node',
  redundancy: group === undefined ? null : { group, required: 1 },
});
const service = (name: string, components: Component[], criticality: Criticality = 'high'): Service => ({
  id: name,
  name,
  description: '',
  criticality,
  components,
  sla: { availability: null, responseTime: null },
  createdAt: 0,
  updatedAt: 0,
  createdBy: 'u',
  updatedBy: 'u',
});
const edge = (source: string, target: string, attributes: Record<string, unknown> = {}): Dependence => ({
  source,
  target,
  attributes,
});
const names = (services: readonly Service[]) => services.map(({ name }) => name);

const shop = service('shop', [part('web')]);
const stock = service('stock', [part('db')]);
const net = service('net', [part('switch')]);
const byCi = servicesByCi([shop, stock, net]);

describe('which services are reached', () => {
  const edges = [edge('web', 'vm'), edge('vm', 'db'), edge('db', 'switch')];

  test('upstream, over CIs of no other service', () => {
    expect(names(reachedUpstream(shop, edges, byCi))).toEqual(['stock']);
    expect(names(reachedUpstream(stock, edges, byCi))).toEqual(['net']);
  });

  test('downstream, the same ways back', () => {
    expect(names(reachedDownstream(net, edges, byCi))).toEqual(['stock']);
    expect(names(reachedDownstream(stock, edges, byCi))).toEqual(['shop']);
    expect(names(reachedDownstream(shop, edges, byCi))).toEqual([]);
  });

  test.each([
    [6, ['stock']],
    [7, []],
  ])('a way of %d relationships', (length, expected) => {
    const stops = ['web', ...Array.from({ length: length - 1 }, (_, i) => `c${i}`), 'db'];
    const way = stops.slice(1).map((to, i) => edge(stops[i]!, to));
    expect(names(reachedUpstream(shop, way, byCi))).toEqual(expected);
  });

  test('a component that two services share reaches neither by itself', () => {
    const twin = service('twin', [part('web')]);
    expect(reachedUpstream(shop, [], servicesByCi([shop, twin]))).toEqual([]);
  });
});

describe('whether it is required', () => {
  const required = { type: 'required', impact: 'full_outage' };
  const optional = { type: 'optional', impact: 'degraded_functionality' };

  test.each([
    ['a plain way', [edge('web', 'vm'), edge('vm', 'db')], required],
    ['a way of low criticality', [edge('web', 'vm', { criticality: 'low' }), edge('vm', 'db')], optional],
    ['a low and a plain way', [edge('web', 'db', { criticality: 'low' }), edge('web', 'db')], required],
    [
      'something stands in for it',
      [edge('web', 'db', { redundancy_group: 'g' }), edge('web', 'other', { redundancy_group: 'g' })],
      optional,
    ],
    [
      'all that stands in leads to it',
      [
        edge('web', 'a', { redundancy_group: 'g' }),
        edge('web', 'b', { redundancy_group: 'g' }),
        edge('a', 'db'),
        edge('b', 'db'),
      ],
      required,
    ],
    ['a way through a third service is not its own', [edge('web', 'switch'), edge('switch', 'db')], optional],
  ])('%s', (_name, edges, expected) => {
    expect(dependencyOn(shop, stock, edges, byCi)).toEqual(expected);
  });

  test('a service of low criticality is never required', () => {
    const low = { ...stock, criticality: 'low' as const };
    expect(dependencyOn(shop, low, [edge('web', 'db')], servicesByCi([shop, low]))).toEqual(optional);
  });

  test('a component that others stand in for', () => {
    const pair = service('pair', [part('web', 'w'), part('web2', 'w')]);
    const known = servicesByCi([pair, stock]);
    expect(dependencyOn(pair, stock, [edge('web', 'db')], known)).toEqual(optional);
    expect(dependencyOn(pair, stock, [edge('web', 'db'), edge('web2', 'db')], known)).toEqual(required);
  });
});
