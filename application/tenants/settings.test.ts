import { describe, expect, test } from '@jest/globals';
import { correlationSettings, inboundSettings } from '#application/records/tenant-settings.ts';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import { adminEndpoint, BOOTSTRAP_TOKEN } from '#test/setup/access.ts';
import { accessOfTests } from '#test/setup/of-tests.ts';

const world = accessOfTests('all');

const call = (id: string, input?: object) => world.call(BOOTSTRAP_TOKEN, adminEndpoint(id), input);
const shown = (id: string, found: unknown) => adminEndpoint(id).mounts[0]!.present(found, undefined as never).body;

describe('correlation settings', () => {
  test('are the defaults until something is changed', async () => {
    const body = shown('admin.settings.correlation.get', await call('admin.settings.correlation.get'));
    expect(body).toEqual({ effective: DEFAULT_SETTINGS, overrides: {}, defaults: DEFAULT_SETTINGS });
  });

  test('patches add up, null gives back the default, and what events are read with agrees', async () => {
    await call('admin.settings.correlation.put', { profile: 'specified', strategies: { topology: { hops: 3 } } });
    await call('admin.settings.correlation.put', { profile: null, strategies: { temporal: { windowMs: 60_000 } } });
    const { strategies } = DEFAULT_SETTINGS;
    const effective = {
      ...DEFAULT_SETTINGS,
      strategies: {
        ...strategies,
        topology: { ...strategies.topology, hops: 3 },
        temporal: { ...strategies.temporal, windowMs: 60_000 },
      },
    };
    const found = await call('admin.settings.correlation.get');
    expect(shown('admin.settings.correlation.get', found)).toMatchObject({
      effective,
      overrides: { strategies: { topology: { hops: 3 }, temporal: { windowMs: 60_000 } } },
    });
    expect(await correlationSettings(world.ports.records, 'default')).toEqual(effective);
    await call('admin.settings.correlation.put', { strategies: null });
    expect(await call('admin.settings.correlation.get')).toEqual({ overrides: {}, revision: 3 });
  });
});

test('inbound settings reach the reading of webhooks', async () => {
  await call('admin.settings.inbound.put', { severities: { zabbix: { disaster: 'critical', high: 'major' } } });
  const topic = 'arn:aws:sns:eu-west-1:123456789012:alarms';
  await call('admin.settings.inbound.put', { severities: { zabbix: { high: null } }, snsTopics: [topic] });
  const settings = { severities: { zabbix: { disaster: 'critical' } }, snsTopics: [topic] };
  await call('admin.settings.lifecycle.put', { replicaLabels: ['dc'] });
  expect(await inboundSettings(world.ports.records, 'default')).toEqual({
    ...settings,
    replicaLabels: ['dc'],
    alerts: [],
    checks: [],
    durations: new Map(),
  });
  expect(shown('admin.settings.inbound.get', await call('admin.settings.inbound.get'))).toEqual({
    ...settings,
    alerts: [],
    checks: [],
  });
});

test('limits are kept per tenant', async () => {
  await call('admin.limits.put', { ingest: 60_000, bulk: 1_000 });
  await call('admin.limits.put', { bulk: null });
  expect(await call('admin.limits.get')).toEqual({ overrides: { ingest: 60_000 }, revision: 2 });
});

describe('versions of settings', () => {
  interface Version {
    readonly revision: number;
    readonly by: { readonly username: string } | null;
    readonly overrides: Readonly<Record<string, unknown>>;
  }
  const put = (ingest: number) => call('admin.limits.put', { ingest });

  test('are listed newest first, with the settings before the first, and at most fifty changes', async () => {
    expect(await call('admin.settings.inbound.history')).toHaveLength(3);
    await call('admin.settings.lifecycle.put', { loneFrom: 'major' });
    await call('admin.settings.lifecycle.put', { loneFrom: 'critical', worseReopens: false });
    const listed = (await call('admin.settings.lifecycle.history')) as readonly Version[];
    expect(listed.map(({ overrides }) => overrides)).toEqual([
      { loneFrom: 'critical', worseReopens: false },
      { loneFrom: 'major' },
      { replicaLabels: ['dc'] },
      {},
    ]);
    expect(listed.map(({ by }) => by?.username)).toEqual(['bootstrap', 'bootstrap', 'bootstrap', undefined]);
    for (let n = 1; n <= 60; n += 1) await put(1_000 + n);
    const limits = (await call('admin.limits.history')) as readonly Version[];
    expect([limits.length, limits[0]?.overrides.ingest, limits.at(-1)?.overrides.ingest]).toEqual([51, 1_060, 1_010]);
    expect((await world.ports.records.list('default', 'version-of-limits-tenant', { limit: 100 })).length).toBe(50);
  });

  test('are restored as a whole, as one more audited change', async () => {
    await call('admin.settings.lifecycle.put', { loneFrom: 'major', maintenanceBelow: false });
    await call('admin.settings.lifecycle.put', { worseReopens: false });
    const [, earlier] = (await call('admin.settings.lifecycle.history')) as readonly Version[];
    await call('admin.settings.lifecycle.restore', earlier?.revision as never);
    const restored = { loneFrom: 'major', maintenanceBelow: false };
    expect(await call('admin.settings.lifecycle.get')).toMatchObject({ overrides: restored });
    const [newest] = (await call('admin.settings.lifecycle.history')) as readonly Version[];
    expect(newest?.overrides).toEqual(restored);
    const audit = (await call('admin.audit.list', { limit: 1 })) as { found: { items: readonly object[] } };
    expect(audit.found.items).toMatchObject([{ action: 'settings.lifecycle.updated', after: restored }]);
    await expect(call('admin.settings.lifecycle.restore', 999 as never)).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('that exceed the bounds of today are not restored', async () => {
    await call('admin.settings.correlation.put', { threshold: 0.8 });
    const { records, ids } = world.ports;
    const by = { id: 'x', username: 'x', name: 'x' };
    const body = { revision: 77, at: 0, by, before: {}, after: { threshold: 7 } };
    await records.put('default', 'version-of-settings-correlation', ids.ulid(), body);
    await expect(call('admin.settings.correlation.restore', 77 as never)).rejects.toMatchObject({
      kind: 'unprocessable',
    });
  });
});
