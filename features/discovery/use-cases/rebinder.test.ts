import { describe, expect, test } from '@jest/globals';
import type { Ci } from '#domain/topology/topology.ts';
import { Rebinder, SWEEP_EVERY_MS } from './rebinder.ts';

const ci = (name: string, attributes: Record<string, unknown> = {}): Ci => ({
  tenant: 't',
  id: name,
  name,
  type: 'server',
  status: 'active',
  attributes,
  customFields: {},
  createdAt: 0,
  updatedAt: 0,
  createdBy: 'a',
  updatedBy: 'a',
  revision: 1,
});

describe('What CIs that came are known by', () => {
  test('names whole and by first label, and addresses, which may be written as names', () => {
    const rebinder = new Rebinder();
    rebinder.note('t', [ci('Web-1.example.org', { ip_address: '10.0.0.1' }), ci('db', { hostname: 'db-1' })]);
    const taken = rebinder.take();
    const names = ['ci:web-1.example.org', 'ci:db', 'ci:db-1'];
    expect([...taken!.due.hostnames]).toEqual(['web-1.example.org', 'web-1', 'db', 'db-1', '10.0.0.1', ...names]);
    expect([...taken!.due.addresses]).toEqual(['10.0.0.1', ...names]);
    expect([taken!.isSecond, rebinder.take()]).toEqual([false, null]);
  });

  test('is looked for a second time after a reminder, and not a third', () => {
    const rebinder = new Rebinder();
    rebinder.note('t', [ci('a')]);
    const first = rebinder.take()!;
    rebinder.putBack(first);
    expect(rebinder.take()).toBeNull();
    rebinder.remind(0);
    expect(rebinder.take()).toMatchObject({ tenant: 't', isSecond: true });
    rebinder.remind(1);
    expect(rebinder.take()).toBeNull();
  });

  test('of too many names every event of the tenant is looked at', () => {
    const rebinder = new Rebinder();
    for (let i = 0; i < 51_000; i += 100)
      rebinder.note(
        't',
        Array.from({ length: 100 }, (_, j) => ci(`ci-${i + j}`)),
      );
    expect(rebinder.take()!.due).toMatchObject({ all: true, hostnames: new Set() });
  });

  test('a sweep goes on where it was, behind the other tenants, and begins once', () => {
    const rebinder = new Rebinder();
    for (const tenant of ['a', 'b', 'a']) rebinder.noteAll(tenant);
    const first = rebinder.takeSweep()!;
    expect(first).toEqual({ tenant: 'a', cursor: null });
    rebinder.putBackSweep({ ...first, cursor: 'c' });
    rebinder.noteAll('a');
    expect([rebinder.takeSweep()!.tenant, rebinder.takeSweep(), rebinder.takeSweep()]).toEqual([
      'b',
      { tenant: 'a', cursor: 'c' },
      null,
    ]);
  });

  test('all tenants are due at the start and every ten minutes', () => {
    const rebinder = new Rebinder();
    const due = [0, 1, SWEEP_EVERY_MS - 1, SWEEP_EVERY_MS, SWEEP_EVERY_MS + 1].map((now) => rebinder.remind(now));
    expect(due).toEqual([true, false, false, true, false]);
  });
});
