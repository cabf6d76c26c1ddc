import { beforeEach, expect, test } from '@jest/globals';
import type { Part } from '#domain/page.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

/** More than any store hands over at once. */
const CIS = 450;
const LINKS = 850;

export function infrastructureContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join } = topologyUnderTest(() => ports);

  async function all<T>(read: (cursor?: string) => Promise<Part<T>>): Promise<T[]> {
    const found: T[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const part: Part<T> = await read(cursor);
      // An empty part would be requested without end.
      if (part.items.length === 0 && part.nextCursor !== null) throw new Error('An empty part that is not the last');
      found.push(...part.items);
      cursor = part.nextCursor;
    }
    return found;
  }
  const allCis = (tenant = TENANT) => all((cursor) => ports.estate.cis(tenant, cursor));
  const allLinks = (tenant = TENANT) => all((cursor) => ports.estate.links(tenant, cursor));

  test('an empty estate has nothing', async () => {
    expect(await ports.estate.cis(TENANT)).toEqual({ items: [], nextCursor: null });
    expect(await ports.estate.links(TENANT)).toEqual({ items: [], nextCursor: null });
  });

  test('CIs come with their addresses, the oldest first, of one tenant', async () => {
    await cis(
      aCi('late', { name: 'Web', type: 'vm', createdAt: 300 }),
      aCi('b', { attributes: { ip_address: '10.0.0.7', interfaces: [{ ip: '2001:DB8::1' }, { ip: '127.0.0.1' }] } }),
      aCi('a', { customFields: { ip_address: '10.0.0.8' } }),
    );
    await ports.cis.put('other', [aCi('z', { tenant: 'other' })]);
    expect(await allCis()).toEqual([
      ['a', 'a', 'server', ['10.0.0.8']],
      ['b', 'b', 'server', ['10.0.0.7', '2001:db8::1']],
      ['late', 'Web', 'vm', []],
    ]);
    expect(await allCis('other')).toEqual([['z', 'z', 'server', []]]);
  });

  test('links have ports where they are ports; what AI has only proposed is none', async () => {
    await cis(...['a', 'b', 'c', 'd'].map((id) => aCi(id)));
    await join(
      aRelationship('r4', 'a', 'b', { createdAt: 400, attributes: { port: 5_432 } }),
      aRelationship('r1', 'b', 'c', { type: 'uses', attributes: { port: '443' } }),
      aRelationship('r2', 'c', 'd', { attributes: { port: 70_000 } }),
      aRelationship('r3', 'a', 'c', { discoveredBy: 'ai' }),
      aRelationship('r5', 'a', 'd', { createdAt: 500, discoveredBy: 'ai-accepted', attributes: { port: 'https' } }),
    );
    expect(await allLinks()).toEqual([
      ['b', 'c', 'uses', 443],
      ['c', 'd', 'depends_on', null],
      ['a', 'b', 'depends_on', 5_432],
      ['a', 'd', 'depends_on', null],
    ]);
    expect(await allLinks('other')).toEqual([]);
  });

  const SITE = { bag: 'attributes', name: 'site' } as const;
  const OWNER = { bag: 'customFields', name: 'owner' } as const;
  const placed = () =>
    cis(
      aCi('a', { type: 'vm', attributes: { site: 'ber', rack: 1 } }),
      aCi('b', { type: 'vm', attributes: { site: 'ber' }, customFields: { owner: ['zoe', 'ann'] } }),
      aCi('c', { type: 'switch', attributes: { site: 'muc' } }),
      aCi('d', { type: 'switch', attributes: { site_code: 'ber', site: { room: 'x' } } }),
    );
  const ranks = new Map([
    ['a', 2],
    ['b', 5],
    ['unknown', 5],
  ]);

  test('places have the CIs with the same values, the highest ranks first, then the largest', async () => {
    await placed();
    await ports.cis.put('other', [aCi('z', { tenant: 'other', attributes: { site: 'ber' } })]);
    expect(await ports.estate.places(TENANT, { filter: {}, by: [SITE, 'type'], ranks })).toEqual([
      { values: ['ber', 'vm'], cis: 2, ranked: 2, highest: 5 },
      expect.objectContaining({ cis: 1, ranked: 0, highest: 0 }),
      expect.objectContaining({ cis: 1, ranked: 0, highest: 0 }),
    ]);
    const places = await ports.estate.places(TENANT, { filter: {}, by: ['type', OWNER, SITE], ranks: new Map() });
    expect(places.map(({ values }) => values)).toEqual(
      expect.arrayContaining([
        ['vm', null, 'ber'],
        ['vm', 'ann', 'ber'],
        ['switch', null, 'muc'],
        ['switch', null, null],
      ]),
    );
    expect(places).toHaveLength(4);
  });

  test('places of a filter; by CI each is one, and without keys all are one', async () => {
    await placed();
    const filter = { types: ['vm'], fields: [{ ...SITE, value: 'ber' }] };
    expect(await ports.estate.places(TENANT, { filter, by: ['ci'], ranks })).toEqual([
      { values: ['b'], cis: 1, ranked: 1, highest: 5 },
      { values: ['a'], cis: 1, ranked: 1, highest: 2 },
    ]);
    expect(await ports.estate.places(TENANT, { filter: {}, by: [], ranks })).toEqual([
      { values: [], cis: 4, ranked: 2, highest: 5 },
    ]);
    expect(await ports.estate.places('nobody', { filter: {}, by: [], ranks })).toEqual([]);
    const without = await ports.estate.places(TENANT, { filter: { without: [SITE] }, by: ['ci'], ranks });
    expect(without.map(({ values }) => values)).toEqual([['d']]);
    const page = { sort: 'name', order: 'asc', limit: 10 } as const;
    const listed = await ports.topology.findCis(TENANT, { without: [OWNER], types: ['vm'] }, page);
    expect(listed).toMatchObject({ total: 1, items: [{ id: 'a' }] });
  });

  test('fields in use, those with most values first', async () => {
    await placed();
    expect(await ports.estate.fields(TENANT)).toEqual([
      { ...SITE, values: 2, count: 3 },
      { ...OWNER, values: 2, count: 2 },
      { bag: 'attributes', name: 'rack', values: 1, count: 1 },
      { bag: 'attributes', name: 'site_code', values: 1, count: 1 },
    ]);
    expect(await ports.estate.fields('other')).toEqual([]);
  });

  test('links among some CIs lead to no other', async () => {
    await cis(...['a', 'b', 'c'].map((id) => aCi(id)));
    await join(
      aRelationship('r1', 'a', 'b'),
      aRelationship('r2', 'b', 'c'),
      aRelationship('r3', 'b', 'a', { discoveredBy: 'ai' }),
    );
    const among = await ports.estate.linksAmong(TENANT, ['a', 'b']);
    expect(among.map(({ id, source, target }) => [id, source, target])).toEqual([['r1', 'a', 'b']]);
    expect(await ports.estate.linksAmong('other', ['a', 'b'])).toEqual([]);
  });

  test('a large estate comes in parts, each row once', async () => {
    const id = (n: number): string => `ci-${String(n).padStart(4, '0')}`;
    await cis(...Array.from({ length: CIS }, (_, n) => aCi(id(n), { createdAt: 100 + (n % 3) })));
    const ends = Array.from({ length: LINKS }, (_, n): [string, string] => [id(n % CIS), id((n * 7 + 1) % CIS)]);
    const links = ends.map(([source, target], n) =>
      aRelationship(`r-${String(n).padStart(4, '0')}`, source, target, { type: n < CIS ? 'uses' : 'hosts' }),
    );
    await join(...links.filter(({ source, target }) => source !== target));
    const found = await allCis();
    const inOrder = [0, 1, 2].flatMap((rest) => Array.from({ length: CIS / 3 }, (_, n) => id(n * 3 + rest)));
    expect(found.map(([ci]) => ci)).toEqual(inOrder);
    const read = await allLinks();
    expect(read.map(([source, target, type]) => `${source} ${target} ${type}`)).toEqual(
      links
        .filter(({ source, target }) => source !== target)
        .map(({ source, target, type }) => `${source} ${target} ${type}`),
    );
    expect((await ports.estate.cis(TENANT)).items.length).toBeLessThan(CIS);
    expect((await ports.estate.links(TENANT)).items.length).toBeLessThan(read.length);
  });
}
