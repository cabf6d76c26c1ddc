import { describe, expect, test } from '@jest/globals';
import { actionOf, alertmanagerPage, draftOf, pagerdutyTrigger, readAs } from '../samples-for-tests.ts';

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

  test('a change event is a change, and nothing ends it', () => {
    const change = {
      routing_key: 'R'.repeat(32),
      payload: {
        summary: 'Build 512 deployed',
        timestamp: '2026-11-21T06:00:00Z',
        source: 'ci-1',
        custom_details: { service: 'shop' },
      },
      links: [{ href: 'https://ci.example/512', text: 'Build' }],
    };
    expect(actionOf('pagerduty', change)).toMatchObject({
      action: 'open',
      conditionId: null,
      draft: {
        category: 'change',
        severity: 'info',
        title: 'Build 512 deployed',
        hostname: 'ci-1',
        service: 'shop',
        timestamp: Date.UTC(2026, 10, 21, 6),
        details: { links: change.links },
      },
    });
    expect(JSON.stringify(actionOf('pagerduty', change))).not.toContain('RRRR');
    expect(draftOf('pagerduty', change).sourceId).toBe(draftOf('pagerduty', change).sourceId);
  });

  test('a key that nobody has filled in is none', () => {
    const sent = { ...pagerdutyTrigger, dedup_key: '{{ alert.id }}' };
    expect(draftOf('pagerduty', sent).sourceId).toMatch(/^[0-9a-f]{16}$/);
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

  describe('from Alertmanager, whose source is its own name', () => {
    const up = { alertname: 'NodeDown', instance: '10.0.0.7:9100', job: 'node', severity: 'page' };
    const named = { ...up, nodename: 'web-7', service: 'shop', namespace: 'shop' };
    const drafted = (...alerts: Parameters<typeof alertmanagerPage>) =>
      draftOf('pagerduty', alertmanagerPage(...alerts));

    test('the labels of its alert name the system', () => {
      expect(drafted([named])).toMatchObject({ hostname: 'web-7', ipAddress: '10.0.0.7', service: 'shop' });
      const { hostname, ipAddress } = drafted([up]);
      expect([hostname, ipAddress]).toEqual([undefined, '10.0.0.7']);
    });

    test('newer versions send the alerts as JSON, in a text or not', () => {
      const alerts = [{ status: 'firing', labels: named, annotations: {} }];
      for (const firing of [alerts, JSON.stringify(alerts)]) {
        const page = alertmanagerPage([]);
        const details = { ...page.payload.custom_details, firing };
        const body = { ...page, payload: { ...page.payload, custom_details: details } };
        expect(draftOf('pagerduty', body).hostname).toBe('web-7');
      }
    });

    test('alerts of two machines are about neither, and two messages about such are two systems', () => {
      const other = { ...up, instance: '10.0.0.8:9100' };
      const first = drafted([up, other], 'group a');
      expect([first.hostname, first.ipAddress]).toEqual([undefined, undefined]);
      expect(first.ciHints).toEqual(['group a']);
      expect(drafted([up, other], 'group b').ciHints).toEqual(['group b']);
    });

    test('what the alerts have in common counts', () => {
      const pod = { alertname: 'CrashLoop', namespace: 'shop', pod: 'cart-1', service: 'cart' };
      const draft = drafted([pod, { ...pod, container: 'side' }]);
      expect(draft).toMatchObject({ service: 'cart', application: 'shop', ciHints: ['shop/cart-1', 'cart-1'] });
    });

    test('details that are set by hand name the system, too', () => {
      const page = alertmanagerPage([]);
      const body = { ...page, payload: { ...page.payload, custom_details: { instance: 'db-3:9104' } } };
      expect(draftOf('pagerduty', body).hostname).toBe('db-3');
    });

    test('a source of its own is one when no label says more', () => {
      const page = alertmanagerPage([{ alertname: 'Full' }]);
      const body = { ...page, payload: { ...page.payload, source: 'san-1' } };
      expect(draftOf('pagerduty', body).hostname).toBe('san-1');
      expect(draftOf('pagerduty', { ...body, client: 'san-1' }).hostname).toBeUndefined();
    });

    test('the text of an alert is no label', () => {
      const firing = 'Labels:\n - alertname = Full\nAnnotations:\n - host = evil\nSource: x\n - host = evil\n';
      const page = alertmanagerPage([]);
      const body = { ...page, payload: { ...page.payload, custom_details: { firing } } };
      expect(draftOf('pagerduty', body).hostname).toBeUndefined();
    });
  });
});
