import { describe, expect, test } from '@jest/globals';
import { actionOf, cloudEvent, draftOf, readAs } from '../samples-for-tests.ts';

const typed = (type: string, data: unknown = cloudEvent.data) => ({ ...cloudEvent, type, data });

describe('CloudEvents', () => {
  test('structured: what is shown', () => {
    expect(actionOf('cloudevents', cloudEvent)).toMatchObject({
      action: 'open',
      conditionId: 'cloudevents:/robots/7#arm',
      deliveryId: 'cloudevents:/robots/7#e-1',
      draft: {
        sourceId: '/robots/7#e-1',
        severity: 'major',
        title: 'Arm is stuck',
        hostname: 'robot-7',
        tags: ['team:plant'],
        timestamp: Date.UTC(2026, 10, 21, 6, 30),
      },
    });
  });

  test.each([
    ['com.example.alert.firing', undefined, 'open'],
    ['com.example.alert.resolved', undefined, 'resolve'],
    ['com.example.alert.resolved.v2', undefined, 'resolve'],
    ['alert-acknowledged', undefined, 'acknowledge'],
    ['com.example.alert', 'resolved', 'resolve'],
    ['com.example.alert', 'firing', 'open'],
    ['com.example.deployed', undefined, 'open'],
    ['com.acme.monitoring.AlertResolved', undefined, 'resolve'],
    ['com.acme.SLAResolved.v2', undefined, 'resolve'],
    ['AlertAcknowledged', undefined, 'acknowledge'],
    ['com.acme.AlertUnresolved', undefined, 'open'],
    ['com.acme.AlertUnResolved', undefined, 'open'],
    ['com.acme.alert.not-resolved', undefined, 'open'],
    ['com.acme.AlertUnSuppressed', undefined, 'unsuppress'],
    ['com.acme.AlertUnacknowledged', undefined, 'unacknowledge'],
    ['com.example.alert', 'unacknowledged', 'unacknowledge'],
    ['com.example.check.healthy', undefined, 'resolve'],
    ['com.example.problem', 'CLOSED', 'resolve'],
    ['com.example.backup.completed', undefined, 'resolve'],
    ['com.example.service.deployed', 'succeeded', 'open'],
    ['com.example.deployment.completed', undefined, 'open'],
    ['com.example.alert', 'investigating', 'update'],
    ['com.example.alert', 'back to normal', 'resolve'],
  ])('type %s with status %s asks to %s', (type, status, asked) => {
    expect(actionOf('cloudevents', typed(type, { status })).action).toBe(asked);
  });

  test.each([
    ['com.example.delivery.change.opened', 'Deployment of pricing 4.17.0 started', 'change'],
    ['com.example.config.changed', 'Configuration of lb-1 changed', 'change'],
    ['com.example.vm.state.changed', 'vm-7 is off', undefined],
    ['dev.cdevents.service.deployed.0.1.1', 'pricing', 'deployment'],
    ['com.example.DeploymentFinished', 'pricing 4.17.0', 'deployment'],
    ['com.example.DeploymentFailed', 'pricing 4.17.0', undefined],
    ['com.example.rollout', 'Rollout of pricing is stuck', undefined],
    ['com.example.alert.firing', 'DaemonSet rollout is slow', undefined],
  ])('%s with title %s is of category %s', (type, title, category) => {
    expect(draftOf('cloudevents', typed(type, { title })).category).toBe(category);
  });

  test.each(
    'ok up healthy inactive cleared CLEAR normal closed completed recovered resolved green online running succeeded success ended fixed done restored deactivated cancelled expired'.split(
      ' ',
    ),
  )('%s is good news, in whatever field of the state', (word) => {
    for (const field of ['status', 'state', 'State', 'STATUS'])
      expect(actionOf('cloudevents', typed('com.example.monitor.alert', { title: 'x', [field]: word }))).toMatchObject({
        action: 'resolve',
        conditionId: 'cloudevents:/robots/7#arm',
      });
  });

  test('a state that nobody knows is told, and is no further problem', () => {
    const data = { ...cloudEvent.data, state: 'Quarantined' };
    expect(actionOf('cloudevents', typed('com.example.alert', data))).toMatchObject({
      action: 'update',
      draft: { tags: ['unknown-state', 'team:plant'], details: { unknownState: 'Quarantined' } },
    });
  });

  test('an acknowledgement that tells of its problem carries it along', () => {
    expect(actionOf('cloudevents', typed('x.acknowledged'))).toMatchObject({
      action: 'acknowledge',
      draft: { title: 'Arm is stuck', severity: 'major' },
    });
    expect(actionOf('cloudevents', typed('x.acknowledged', {}))).not.toHaveProperty('draft');
  });

  test('fire and recovery share the condition that the subject names; without one there is none', () => {
    expect(actionOf('cloudevents', { ...typed('x.resolved'), id: 'e-2' })).toMatchObject({
      conditionId: 'cloudevents:/robots/7#arm',
      sourceId: '/robots/7#e-2',
    });
    expect(actionOf('cloudevents', { ...cloudEvent, subject: undefined })).toMatchObject({ conditionId: null });
  });

  test('a batch', () => {
    const { items } = readAs('cloudevents', [
      cloudEvent,
      { ...cloudEvent, id: undefined },
      { ...cloudEvent, id: 'e-3' },
    ]);
    expect(items.map((item) => item.ok)).toEqual([true, false, true]);
  });

  test('an empty batch is valid', () => {
    expect(readAs('cloudevents', []).items).toEqual([]);
  });

  test('binary mode: attributes in headers', () => {
    const headers = {
      'ce-id': 'b-1',
      'ce-source': '/s',
      'ce-type': 'a.firing',
      'ce-specversion': '1.0',
      'ce-subject': 'K%C3%BChlung%201',
      'content-type': 'application/json',
    };
    expect(actionOf('cloudevents', { severity: 'critical', title: 'Warm' }, { headers })).toMatchObject({
      conditionId: 'cloudevents:/s#Kühlung 1',
      draft: { title: 'Warm', severity: 'critical' },
    });
    expect(draftOf('cloudevents', 'just words', { headers }).title).toBe('just words');
  });

  test('data in base64 and as text', () => {
    const data_base64 = Buffer.from('{"title":"Größe"}').toString('base64');
    expect(draftOf('cloudevents', { ...cloudEvent, data: undefined, data_base64 }).title).toBe('Größe');
    expect(draftOf('cloudevents', typed('x.firing', 'first\nsecond'))).toMatchObject({
      title: 'first',
      description: 'first\nsecond',
    });
    expect(draftOf('cloudevents', { ...cloudEvent, data: undefined }).title).toBe('arm');
  });

  test.each([['id'], ['source'], ['type'], ['specversion']])('without %s it is an error', (name) => {
    expect(readAs('cloudevents', { ...cloudEvent, [name]: undefined }).items).toEqual([
      { ok: false, error: expect.stringContaining(name), problems: expect.any(Array) },
    ]);
  });
});
