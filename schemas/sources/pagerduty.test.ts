import { describe, expect, test } from '@jest/globals';
import { actionOf, draftOf, pagerdutyTrigger, readAs } from './samples-for-tests.ts';

describe('PagerDuty Events API', () => {
  test('a trigger', () => {
    expect(actionOf('pagerduty', pagerdutyTrigger)).toMatchObject({
      action: 'open',
      conditionId: 'pagerduty:backup/nightly',
      draft: {
        sourceId: 'backup/nightly',
        severity: 'major',
        title: 'Nightly backup failed',
        hostname: 'backup-1',
        service: 'backup',
        category: 'backup',
      },
    });
  });

  test('the integration key is not kept', () => {
    expect(JSON.stringify(draftOf('pagerduty', pagerdutyTrigger))).not.toContain('RRRR');
  });

  test.each([
    ['critical', 'critical'],
    ['error', 'major'],
    ['warning', 'warning'],
    ['info', 'info'],
    ['weird', 'warning'],
  ])('severity %s is %s', (severity, ours) => {
    expect(
      draftOf('pagerduty', { ...pagerdutyTrigger, payload: { ...pagerdutyTrigger.payload, severity } }).severity,
    ).toBe(ours);
  });

  test.each([['acknowledge'], ['resolve']])('%s by key', (event_action) => {
    expect(actionOf('pagerduty', { event_action, dedup_key: 'k' })).toEqual({
      action: event_action,
      source: 'pagerduty',
      sourceId: 'k',
      conditionId: 'pagerduty:k',
    });
  });

  test('a trigger without a key gets one that stays the same', () => {
    const keyOf = (payload: Record<string, unknown>, routing_key = 'a') =>
      draftOf('pagerduty', {
        event_action: 'trigger',
        routing_key,
        payload: { ...pagerdutyTrigger.payload, ...payload },
      }).sourceId;
    expect(keyOf({})).toMatch(/^[0-9a-f]{16}$/);
    expect(keyOf({ timestamp: '2026-11-21T06:00:00Z', severity: 'info' }, 'b')).toBe(keyOf({}));
    expect(keyOf({ source: 'backup-2' })).not.toBe(keyOf({}));
  });

  test('version 1 is read too', () => {
    const body = {
      service_key: 's',
      event_type: 'trigger',
      incident_key: 'srv01/HTTP',
      description: 'FAILURE on srv01',
      details: { host: 'srv01' },
    };
    expect(draftOf('pagerduty', body)).toMatchObject({
      sourceId: 'srv01/HTTP',
      title: 'FAILURE on srv01',
      hostname: 'srv01',
      severity: 'warning',
    });
  });

  test.each([
    ['no action', { payload: pagerdutyTrigger.payload }],
    ['another action', { ...pagerdutyTrigger, event_action: 'explode' }],
    ['a resolve without a key', { event_action: 'resolve' }],
    ['a trigger without summary', { ...pagerdutyTrigger, payload: { source: 'a', severity: 'info' } }],
    ['a trigger without severity', { ...pagerdutyTrigger, payload: { source: 'a', summary: 'b' } }],
  ])('%s is an error', (_what, body) => {
    expect(readAs('pagerduty', body).items[0]?.ok).toBe(false);
  });
});
