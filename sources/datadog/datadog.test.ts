import { describe, expect, test } from '@jest/globals';
import { actionOf, datadogAlert, draftOf, readAs } from '../samples-for-tests.ts';

describe('Datadog', () => {
  test('our template', () => {
    expect(actionOf('datadog', datadogAlert)).toMatchObject({
      action: 'open',
      conditionId: 'datadog:1795242100999',
      draft: {
        severity: 'minor',
        title: 'Redis memory high',
        description: 'Use more shards',
        hostname: 'cache-1',
        service: 'cache',
        environment: 'prod',
        timestamp: 1795242100000,
      },
    });
  });

  test.each([
    ['Triggered', 'open'],
    ['Re-Triggered', 'open'],
    ['Warn', 'open'],
    ['Re-Warn', 'open'],
    ['No Data', 'open'],
    ['Renotify', 'open'],
    ['Recovered', 'resolve'],
    ['Warn Recovered', 'resolve'],
    ['No Data Recovered', 'resolve'],
  ])('transition %s asks to %s', (alert_transition, asked) => {
    expect(actionOf('datadog', { ...datadogAlert, alert_transition }).action).toBe(asked);
  });

  test.each([
    ['P1', 'error', 'critical'],
    ['P2', 'warning', 'major'],
    ['P4', 'error', 'warning'],
    ['P5', 'error', 'info'],
    ['', 'error', 'major'],
    ['$ALERT_PRIORITY', 'warning', 'warning'],
    ['normal', 'error', 'major'],
    [undefined, 'info', 'info'],
    [undefined, undefined, 'warning'],
  ])('priority %p and type %p are %s', (alert_priority, alert_type, severity) => {
    expect(draftOf('datadog', { ...datadogAlert, alert_priority, alert_type }).severity).toBe(severity);
  });

  test.each([
    ['P1', 'Triggered', 'critical'],
    ['P1', 'Warn', 'major'],
    ['P2', 'Re-Warn', 'minor'],
    ['P3', 'warn', 'warning'],
    ['P4', 'Warn', 'warning'],
    ['P5', 'Warn', 'info'],
    ['P2', 'No Data', 'major'],
  ])('priority %s in transition %s is %s', (alert_priority, alert_transition, severity) => {
    expect(draftOf('datadog', { ...datadogAlert, alert_priority, alert_transition }).severity).toBe(severity);
  });

  test('the default body is understood by its title', () => {
    const body = {
      id: '1',
      last_updated: '1795242100000',
      event_type: 'query_alert_monitor',
      title: '[Triggered on {host:a}] Disk',
      body: 'x',
    };
    const opened = actionOf('datadog', body);
    const closed = actionOf('datadog', { ...body, id: '2', title: '[Recovered on {host:a}] Disk' });
    const other = actionOf('datadog', { ...body, title: '[Triggered on {host:b}] Disk' });
    expect([opened.action, closed.action, other.action]).toEqual(['open', 'resolve', 'open']);
    const idOf = (action: typeof opened) => ('conditionId' in action ? action.conditionId : null);
    expect(idOf(opened)).toBe(idOf(closed));
    expect(idOf(opened)).not.toBe(idOf(other));
    expect(draftOf('datadog', body)).toMatchObject({ title: 'Disk', hostname: 'a', tags: ['host:a'] });
  });

  test('variables that were not expanded count as absent', () => {
    const draft = draftOf('datadog', {
      ...datadogAlert,
      title: 'Redis memory high',
      alert_cycle_key: '$ALERT_CYCLE_KEY',
      aggreg_key: 'agg',
      hostname: '$HOSTNAME',
      tags: '$TAGS',
      alert_scope: '',
    });
    expect(draft.sourceId).toBe('agg');
    expect(draft.hostname).toBeUndefined();
    expect(draft.tags).toBeUndefined();
  });

  test('a body without any id is an error', () => {
    expect(readAs('datadog', { title: 'x' }).items).toEqual([
      { ok: false, error: expect.stringContaining('$ALERT_CYCLE_KEY'), problems: expect.any(Array) },
    ]);
  });
});
