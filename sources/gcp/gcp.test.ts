import { describe, expect, test } from '@jest/globals';
import { actionOf, draftOf, gcpIncident, readAs } from '../samples-for-tests.ts';

const incident = (fields: Record<string, unknown>) => ({
  ...gcpIncident,
  incident: { ...gcpIncident.incident, ...fields },
});

describe('Google Cloud Monitoring', () => {
  test('an open incident', () => {
    expect(actionOf('gcp', gcpIncident)).toMatchObject({
      action: 'open',
      conditionId: 'gcp:0.abc',
      draft: {
        severity: 'major',
        title: 'Uptime: Failure of shop',
        hostname: 'shop.example',
        service: 'shop',
        timestamp: 1795242000000,
      },
    });
  });

  test.each([
    ['Critical', 'critical'],
    ['Error', 'major'],
    ['Warning', 'warning'],
    [undefined, 'warning'],
    ['No severity', 'warning'],
    ['Huge', 'warning'],
  ])('severity %s is %s', (severity, ours) => {
    expect(draftOf('gcp', incident({ severity })).severity).toBe(ours);
  });

  test('a closed incident ends when it says', () => {
    expect(actionOf('gcp', incident({ state: 'CLOSED', ended_at: 1795242600 }))).toMatchObject({
      action: 'resolve',
      conditionId: 'gcp:0.abc',
      at: 1795242600000,
    });
  });

  test('the machine of an instance is its display name', () => {
    const resource = { type: 'gce_instance', labels: { instance_id: '99' } };
    const draft = draftOf('gcp', incident({ resource, resource_display_name: 'vm-1' }));
    expect(draft).toMatchObject({ hostname: 'vm-1', ciHints: ['99'] });
  });

  test('versions before 1.2 name the machine only, and document in plain text', () => {
    const { resource: _resource, ...rest } = gcpIncident.incident;
    const old = { ...rest, resource_id: 'i-4a26', resource_name: 'webserver-85', documentation: 'Restart it' };
    expect(draftOf('gcp', { version: 1.1, incident: old })).toMatchObject({
      hostname: 'webserver-85',
      ciHints: ['i-4a26'],
      description: 'Uptime check failed\nRestart it',
    });
    const later = { ...old, resource_name: 'acme-prod webserver-85' };
    expect(draftOf('gcp', { version: '1.2', incident: later }).hostname).toBeUndefined();
  });

  test('the first name of a pod is its own', () => {
    const resource = { type: 'k8s_pod', labels: { pod_name: 'cart-7d9f', cluster_name: 'shop' } };
    const { ciHints } = draftOf('gcp', incident({ resource, resource_display_name: 'cart' }));
    expect(ciHints).toEqual(['cart-7d9f', 'cart', 'shop']);
  });

  test('Pub/Sub wraps the same body', () => {
    const data = Buffer.from(JSON.stringify(incident({ summary: 'größer' }))).toString('base64');
    expect(draftOf('gcp', { message: { data, messageId: '1' }, subscription: 's' }).description).toBe('größer');
  });

  test('a test of the channel opens nothing; what is no incident is an error', () => {
    expect(actionOf('gcp', { ...gcpIncident, version: 'test' }).action).toBe('ignore');
    expect(
      readAs('gcp', [gcpIncident, { a: 1 }, incident({ incident_id: null })]).items.map((item) => item.ok),
    ).toEqual([true, false, false]);
    expect(actionOf('gcp', incident({ state: 'x' }))).toMatchObject({
      action: 'update',
      draft: { details: { unknownState: 'x' } },
    });
    expect(actionOf('gcp', incident({ state: 'acknowledged' }))).toMatchObject({
      action: 'acknowledge',
      draft: { title: expect.stringContaining('Uptime') },
    });
  });
});
