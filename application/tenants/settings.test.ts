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
    durations: new Map(),
  });
  expect(shown('admin.settings.inbound.get', await call('admin.settings.inbound.get'))).toEqual({
    ...settings,
    alerts: [],
  });
});

test('limits are kept per tenant', async () => {
  await call('admin.limits.put', { ingest: 60_000, bulk: 1_000 });
  await call('admin.limits.put', { bulk: null });
  expect(await call('admin.limits.get')).toEqual({ overrides: { ingest: 60_000 }, revision: 2 });
});
