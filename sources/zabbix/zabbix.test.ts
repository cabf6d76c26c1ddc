import { describe, expect, test } from '@jest/globals';
import { sign } from '#domain/event/identity/signature.ts';
import { actionOf, draftOf, readAs, zabbixProblem } from '../samples-for-tests.ts';

describe('Zabbix', () => {
  test('a problem: what is shown', () => {
    const action = actionOf('zabbix', zabbixProblem);
    expect(action).toMatchObject({
      action: 'open',
      conditionId: 'zabbix:88012',
      draft: {
        sourceId: '88012',
        severity: 'minor',
        title: 'Free disk space is less than 20% on volume /var',
        hostname: 'files-01',
        ipAddress: '10.4.0.8',
        service: 'files',
        environment: 'prod',
        timestamp: 1795200100000,
        tags: ['service:files', 'env:prod'],
      },
    });
  });

  test.each([
    ['0', 'info'],
    ['1', 'info'],
    ['2', 'warning'],
    ['3', 'minor'],
    ['4', 'major'],
    ['5', 'critical'],
    [5, 'critical'],
    ['5.0', 'critical'],
    ['Not classified', 'info'],
    ['information', 'info'],
    ['Warning', 'warning'],
    ['Average', 'minor'],
    ['HIGH', 'major'],
    ['Disaster', 'critical'],
  ])('severity %p is %s', (severity, ours) => {
    expect(draftOf('zabbix', { ...zabbixProblem, severity }).severity).toBe(ours);
  });

  test.each([['6'], ['-1'], [''], ['{EVENT.NSEVERITY}'], ['*UNKNOWN*'], [undefined], [4.5]])(
    'severity %p is an error',
    (severity) => {
      expect(readAs('zabbix', { ...zabbixProblem, severity }).items).toEqual([
        { ok: false, error: expect.stringMatching(/^severity: expected 0 to 5/), problems: expect.any(Array) },
      ]);
    },
  );

  test.each([[undefined], ['{EVENT.NSEVERITY}']])('an internal event with severity %p is a warning', (severity) => {
    const internal = { ...zabbixProblem, event_source: '3', event_severity: '{EVENT.SEVERITY}', severity };
    expect(draftOf('zabbix', internal)).toMatchObject({ severity: 'warning', tags: ['service:files', 'env:prod'] });
    expect(draftOf('zabbix', { ...internal, severity: '5' }).severity).toBe('critical');
    expect(readAs('zabbix', { ...internal, severity: '9' }).items[0]?.ok).toBe(false);
  });

  test.each([[undefined], ['{EVENT.NSEVERITY}'], ['*UNKNOWN*'], ['9']])(
    'a recovery with severity %p still resolves',
    (severity) => {
      expect(actionOf('zabbix', { ...zabbixProblem, event_value: 0, severity })).toMatchObject({
        action: 'resolve',
        conditionId: 'zabbix:88012',
      });
    },
  );

  test('a name stands in for a number that was not expanded', () => {
    expect(
      draftOf('zabbix', { ...zabbixProblem, severity: '{EVENT.NSEVERITY}', event_severity: 'High' }).severity,
    ).toBe('major');
  });

  test('a number stands in for a name that was changed in Zabbix', () => {
    const renamed = { ...zabbixProblem, severity: 'Katastrophe', event_nseverity: '5' };
    expect(draftOf('zabbix', renamed).severity).toBe('critical');
  });

  test('a name in another language is a warning that says so, or what the tenant says', () => {
    const named = { ...zabbixProblem, severity: 'Katastrophe' };
    expect(draftOf('zabbix', named)).toMatchObject({
      severity: 'warning',
      tags: ['severity:Katastrophe', 'service:files', 'env:prod'],
    });
    expect(draftOf('zabbix', { ...zabbixProblem, severity: '高' }).tags).toContain('severity:高');
    expect(draftOf('zabbix', named, { severities: { zabbix: { katastrophe: 'critical' } } }).severity).toBe('critical');
  });

  test.each([
    [{ event_value: '1', event_update_status: '0' }, 'open'],
    [{ event_value: '{EVENT.VALUE}' }, 'open'],
    [{ event_value: undefined, event_status: 'PROBLEM' }, 'open'],
    [{ event_value: undefined, event_status: 'RESOLVED' }, 'resolve'],
    [{ event_value: undefined, status: 'OK' }, 'resolve'],
    [{ event_value: '0', event_update_status: '1', event_ack_status: 'Yes' }, 'resolve'],
    [{ event_update_status: '1', event_ack_status: 'Yes' }, 'acknowledge'],
    [{ event_update_status: 1, event_ack_status: 'No' }, 'update'],
    [{ event_update_status: 1, event_ack_status: 'No', severity: undefined }, 'ignore'],
    [{ event_update_status: 1, event_ack_status: 'Yes', severity: undefined }, 'acknowledge'],
    [{ event_update_status: '1', event_update_action: 'unacknowledged', event_ack_status: 'No' }, 'unacknowledge'],
    [{ event_value: 'FLAPPING' }, 'update'],
    [{ event_update_status: '0', event_ack_status: 'Yes' }, 'open'],
    [{ event_update_status: '1', event_update_action: 'suppressed' }, 'suppress'],
    [{ event_update_status: '1', event_update_action: 'unsuppressed' }, 'unsuppress'],
    [{ event_update_status: '1', event_update_action: 'changed severity from Average to High' }, 'update'],
    [{ event_source: '1' }, 'ignore'],
  ])('%p asks to %s', (fields, asked) => {
    expect(actionOf('zabbix', { ...zabbixProblem, ...fields }).action).toBe(asked);
  });

  test('a changed severity of an acknowledged problem updates it and keeps it acknowledged', () => {
    const update = {
      event_update_status: '1',
      event_ack_status: 'Yes',
      event_update_action: 'changed severity from Average to High',
      severity: '4',
    };
    const { items } = readAs('zabbix', { ...zabbixProblem, ...update });
    expect(items.map((item) => item.ok && item.action)).toMatchObject([
      { action: 'acknowledge', draft: { severity: 'major' } },
    ]);
  });

  test.each(['acknowledged', 'unacknowledged', 'suppressed', 'unsuppressed'])(
    'an update that says %s tells of the problem, which may not be known',
    (event_update_action) => {
      const event_ack_status = event_update_action === 'acknowledged' ? 'Yes' : 'No';
      const update = { event_update_status: '1', event_update_action, event_ack_status, user_fullname: 'Ann' };
      expect(actionOf('zabbix', { ...zabbixProblem, ...update })).toMatchObject({
        conditionId: 'zabbix:88012',
        author: 'Ann',
        draft: { title: zabbixProblem.trigger_name, hostname: 'files-01', severity: 'minor' },
      });
    },
  );

  test('reads date and time macros as UTC, and the time of recovery', () => {
    const { timestamp: _timestamp, ...undated } = zabbixProblem;
    const dated = { ...undated, event_date: '2025.04.14', event_time: '12:57:53' };
    expect(draftOf('zabbix', dated)).toMatchObject({ timestamp: Date.UTC(2025, 3, 14, 12, 57, 53), ongoing: true });
    const recovery = { ...dated, event_value: '0', event_recovery_date: '2025.04.14', event_recovery_time: '13:00:00' };
    expect(actionOf('zabbix', recovery)).toMatchObject({ at: Date.UTC(2025, 3, 14, 13) });
  });

  test.each([
    [
      [{ tag: 'app', value: 'erp' }, { tag: 'scope' }],
      ['app:erp', 'scope'],
    ],
    [{ app: ['erp', 'crm'] }, ['app:erp', 'app:crm']],
    ['app:erp, scope:availability', ['app:erp', 'scope:availability']],
    ['{EVENT.TAGSJSON}', undefined],
  ])('reads tags %p', (event_tags, tags) => {
    expect(draftOf('zabbix', { ...zabbixProblem, event_tags }).tags).toEqual(tags);
  });

  test('macros that were not expanded count as absent', () => {
    const draft = draftOf('zabbix', {
      ...zabbixProblem,
      hostname: '{HOST.NAME}',
      host_host: 'files-01a',
      trigger_description: '*UNKNOWN*',
      host_ip: '{HOST.IP}',
      event_cause_id: '{EVENT.CAUSE.ID}',
    });
    expect(draft).toMatchObject({ hostname: 'files-01a' });
    expect(draft.description).toBeUndefined();
    expect(draft.ipAddress).toBeUndefined();
    expect(draft.details).not.toHaveProperty('causeEventId');
  });

  test('of two spellings the one that was expanded counts', () => {
    const { hostname: _, ...rest } = zabbixProblem;
    expect(draftOf('zabbix', { host_name: '{HOST.NAME}', hostname: 'files-02', ...rest }).hostname).toBe('files-02');
  });

  test('problems without a name are compared with no other', () => {
    const draft = draftOf('zabbix', { ...zabbixProblem, trigger_name: '{EVENT.NAME}' });
    expect(draft.title).toBe('#88012');
    expect(sign(draft, 'system')).toBeNull();
  });

  test('keeps the cause that Zabbix found', () => {
    expect(draftOf('zabbix', { ...zabbixProblem, event_cause_id: 88001 }).details?.causeEventId).toBe('88001');
  });

  test('without an event id the trigger names the condition; without both it is an error', () => {
    expect(draftOf('zabbix', { ...zabbixProblem, event_id: '{EVENT.ID}' }).sourceId).toBe('trigger-19033');
    expect(readAs('zabbix', { ...zabbixProblem, event_id: undefined, trigger_id: undefined }).items[0]?.ok).toBe(false);
  });
});
