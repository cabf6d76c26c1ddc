import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ci } from '#domain/topology/topology.ts';
import type { Host } from './host.ts';
import { type Authority, absorbed, DEFAULT_AUTHORITY, isUnclaimed, MAX_CLAIMS, type Provenance } from './provenance.ts';
import { found, reconcile } from './reconcile.ts';

const HOUR = 3_600_000;
const ciOf = (attributes: Record<string, unknown>, parts: Partial<Ci> = {}): Ci => ({
  tenant: 't',
  id: 'ci-1',
  name: 'web-01',
  type: 'server',
  status: 'active',
  attributes,
  customFields: {},
  createdAt: HOUR,
  updatedAt: HOUR,
  createdBy: 'ann',
  updatedBy: 'ann',
  revision: 1,
  ...parts,
});

interface Standing {
  readonly ci: Ci;
  readonly provenance: Provenance;
}
const scan = (
  { ci, provenance }: Standing,
  host: Host,
  {
    scanner = 'nmap',
    seenAt = 2 * HOUR,
    authority = DEFAULT_AUTHORITY,
  }: { scanner?: string; seenAt?: number; authority?: Authority } = {},
) => reconcile({ ci, claims: provenance, changes: [] }, { host, scanner, seenAt, at: 10 * HOUR }, authority);

const byHand = (attributes: Record<string, unknown>): Standing => ({ ci: ciOf(attributes), provenance: {} });
/** A person changes attributes, as PUT does. */
const edited = ({ ci, provenance }: Standing, attributes: Record<string, unknown>, at: number): Standing => ({
  ci: { ...ci, attributes, updatedAt: at, updatedBy: 'bob', revision: ci.revision + 1 },
  provenance,
});

describe('Who wins an attribute', () => {
  test('a scan adds what is not there and does not overrule what a person wrote', () => {
    const after = scan(byHand({ os: 'Debian' }), { os: 'Linux 5', ipAddress: '10.0.0.1' });
    expect(after.action).toBe('updated');
    expect(after.ci.attributes).toEqual({ os: 'Debian', ip_address: '10.0.0.1' });
    expect(after.ci).toMatchObject({ revision: 2, updatedBy: 'discovery:nmap', updatedAt: 10 * HOUR });
    expect(after.provenance.os).toEqual([
      { source: 'manual', by: 'ann', value: 'Debian', seenAt: HOUR },
      { source: 'discovery', by: 'nmap', value: 'Linux 5', seenAt: 2 * HOUR },
    ]);
  });

  test('each attribute was written by whoever changed it last, and not by whoever changed another one', () => {
    const versions = [
      ciOf({ os: 'Debian', rack: 'r1' }, { updatedBy: 'ann', updatedAt: HOUR, revision: 1 }),
      ciOf({ os: 'Ubuntu', rack: 'r1' }, { updatedBy: 'bob', updatedAt: 2 * HOUR, revision: 2 }),
      ciOf({ os: 'Ubuntu', rack: 'r1', model: 'X' }, { updatedBy: 'import:eve', updatedAt: 3 * HOUR, revision: 3 }),
    ] as const;
    const changes = versions
      .map((after, i) => ({ at: after.updatedAt, by: after.updatedBy, before: versions[i - 1] ?? null, after }))
      .reverse();
    const ci = versions[2];
    const tell = (known: readonly (typeof changes)[number][]) =>
      Object.entries(absorbed({ ci, claims: {}, changes: known }, DEFAULT_AUTHORITY)).map(
        ([name, [claim]]) => `${name} ${claim!.source} ${claim!.by} ${claim!.seenAt / HOUR}`,
      );
    expect(tell(changes)).toEqual(['os manual bob 2', 'rack manual ann 1', 'model import eve 3']);
    // What was changed longer ago than anybody remembers is left to whoever made the CI.
    expect(tell(changes.slice(0, 1))).toEqual(['os manual ann 1', 'rack manual ann 1', 'model import eve 3']);
    expect(tell([])).toEqual(['os import eve 3', 'rack import eve 3', 'model import eve 3']);
    expect([isUnclaimed({ ci, claims: {} }), isUnclaimed({ ci: versions[0], claims: {} })]).toEqual([true, false]);
  });

  test('the tenant may trust scanners more', () => {
    const authority = ['discovery', 'import', 'manual'] as const;
    expect(scan(byHand({ os: 'Debian' }), { os: 'Linux 5' }, { authority }).ci.attributes).toEqual({ os: 'Linux 5' });
  });

  test.each([
    ['an import', 'import:ann', 'Debian'],
    ['a scanner', 'discovery:other', 'Linux 5'],
  ])('what %s wrote', (_, updatedBy, os) => {
    const ci = ciOf({ os: 'Debian' }, { updatedBy });
    expect(scan({ ci, provenance: {} }, { os: 'Linux 5' }).ci.attributes.os).toBe(os);
  });

  test('between scanners the newer sighting wins, whichever comes first', () => {
    const first = scan(byHand({}), { os: 'old' }, { scanner: 'a', seenAt: 3 * HOUR });
    expect(scan(first, { os: 'new' }, { scanner: 'b', seenAt: 4 * HOUR }).ci.attributes.os).toBe('new');
    const late = scan(first, { os: 'older' }, { scanner: 'b', seenAt: 2 * HOUR });
    expect([late.action, late.ci.attributes.os]).toEqual(['unchanged', 'old']);
    expect(late.provenance.os).toHaveLength(2);
  });

  test('an older scan of the same scanner changes nothing at all', () => {
    const first = scan(byHand({}), { os: 'new' }, { seenAt: 3 * HOUR });
    const again = scan(first, { os: 'old' }, { seenAt: 2 * HOUR });
    expect(again).toEqual({ ...first, action: 'unchanged' });
    expect(again.provenance).toBe(first.provenance);
  });

  test('what a person changes later is his', () => {
    const discovered = scan(byHand({}), { os: 'Linux 5' });
    const after = scan(edited(discovered, { os: 'Debian 12' }, 5 * HOUR), { os: 'Linux 6' }, { seenAt: 6 * HOUR });
    expect([after.action, after.ci.attributes.os]).toEqual(['unchanged', 'Debian 12']);
    expect(after.provenance.os!.map(({ source, value }) => [source, value])).toEqual([
      ['manual', 'Debian 12'],
      ['discovery', 'Linux 6'],
    ]);
    const again = scan(edited(after, { os: 'Debian 13' }, 7 * HOUR), {}, { seenAt: 8 * HOUR });
    expect(again.provenance.os!.filter(({ source }) => source === 'manual')).toHaveLength(1);
  });

  test('what a person takes away is forgotten, and may be found again', () => {
    const taken = edited(scan(byHand({}), { os: 'Linux 5' }), {}, 5 * HOUR);
    expect(absorbed({ claims: taken.provenance, ci: taken.ci, changes: [] }, DEFAULT_AUTHORITY)).toEqual({});
    expect(scan(taken, { os: 'Linux 6' }, { seenAt: 6 * HOUR }).ci.attributes.os).toBe('Linux 6');
  });

  test('an external key is given once', () => {
    const given = scan(byHand({}), { externalKey: 'i-1' });
    expect([given.action, given.ci.externalKey]).toEqual(['updated', 'i-1']);
    expect(scan(given, { externalKey: 'i-2' }).ci.externalKey).toBe('i-1');
  });

  test('at most so many claims are kept, the weakest give way', () => {
    let standing: Standing = byHand({ os: 'Debian' });
    for (let i = 0; i < 2 * MAX_CLAIMS; i++)
      standing = scan(standing, { os: `v${i}` }, { scanner: `s${i}`, seenAt: i * HOUR });
    expect(standing.provenance.os).toHaveLength(MAX_CLAIMS);
    expect(standing.provenance.os![0]!.source).toBe('manual');
    expect(standing.provenance.os![1]!.by).toBe(`s${2 * MAX_CLAIMS - 1}`);
  });
});

test('a machine that nobody knew becomes a server named by host name, else by address', () => {
  const sighting = { host: { hostname: 'web-01', ipAddress: '10.0.0.1', openPorts: [443, 22, 443] }, scanner: 'nmap' };
  const made = found('t', 'ci-9', { ...sighting, seenAt: HOUR, at: 2 * HOUR }, DEFAULT_AUTHORITY);
  expect(made.ci).toMatchObject({ name: 'web-01', type: 'server', revision: 1, createdBy: 'discovery:nmap' });
  expect(made.ci.attributes).toEqual({ hostname: 'web-01', ip_address: '10.0.0.1', open_ports: [22, 443] });
  const again = scan({ ci: made.ci, provenance: made.provenance }, sighting.host, { seenAt: HOUR });
  expect(again).toEqual({ action: 'unchanged', ci: made.ci, provenance: made.provenance });
  const unnamed = { host: { ipAddress: '10.0.0.1' }, scanner: 'nmap', seenAt: HOUR, at: HOUR };
  expect(found('t', 'ci-9', unnamed, DEFAULT_AUTHORITY).ci.name).toBe('10.0.0.1');
});

describe('Properties', () => {
  const value = fc.constantFrom('a', 'b', 'c');
  const report = fc.record({
    host: fc.record({ os: value, model: value, attributes: fc.constant({ rack: { row: 1 } }) }, { requiredKeys: [] }),
    scanner: fc.constantFrom('nmap', 'agent', 'cloud'),
    seenAt: fc.integer({ min: 1, max: 1_000 }),
  });
  const reports = fc.uniqueArray(report, { selector: ({ scanner, seenAt }) => `${scanner} ${seenAt}`, maxLength: 8 });
  type Reports = readonly { host: object; scanner: string; seenAt: number }[];
  const play = (all: Reports) =>
    all.reduce<Standing>((standing, one) => scan(standing, one.host, one), byHand({ model: 'by hand' }));

  test('the order in which scans arrive decides nothing', () => {
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (all, order) => {
        const shuffled = [...all].map((one) => ({ one, at: order.next().value as number }));
        const other = shuffled.sort((a, b) => a.at - b.at).map(({ one }) => one);
        expect(play(other as Reports).ci.attributes).toEqual(play(all as Reports).ci.attributes);
      }),
    );
  });

  test('the same scans twice change nothing', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const once = play(all as Reports);
        const last = (all as Reports).at(-1);
        if (last === undefined) return;
        const again = scan(once, last.host, last);
        expect([again.action, again.ci, again.provenance]).toEqual(['unchanged', once.ci, once.provenance]);
      }),
    );
  });

  test('what a person wrote stands, and no attribute disappears', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const { attributes } = play(all as Reports).ci;
        expect(attributes.model).toBe('by hand');
        for (const { host } of all as Reports)
          for (const name of Object.keys(host))
            expect(attributes).toHaveProperty(name === 'attributes' ? 'rack' : name);
      }),
    );
  });
});
