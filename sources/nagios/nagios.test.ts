import { describe, expect, test } from '@jest/globals';
import { actionOf, draftOf, icingaProblem, nagiosProblem, readAs } from '../samples-for-tests.ts';

const host = {
  notification_type: 'PROBLEM',
  hostname: 'mail-02',
  service: '',
  state: 'DOWN',
  output: 'PING CRITICAL',
  timestamp: 1795200000,
};

describe('Nagios', () => {
  test.each([
    ['CRITICAL', 'critical'],
    ['critical', 'critical'],
    ['UNKNOWN', 'minor'],
    ['WARNING', 'warning'],
    [1, 'warning'],
    ['2', 'critical'],
    [3, 'minor'],
  ])('a service in state %p is %s', (state, severity) => {
    const action = actionOf('nagios', { ...nagiosProblem, state });
    expect(action).toMatchObject({
      action: 'open',
      conditionId: 'nagios:mail-02/SMTP',
      draft: { severity, sourceId: 'mail-02/SMTP' },
    });
  });

  test.each([
    ['DOWN', 'critical'],
    ['UNREACHABLE', 'major'],
    ['2', 'major'],
    [1, 'critical'],
  ])('a host in state %p is %s', (state, severity) => {
    expect(draftOf('naemon', { ...host, state })).toMatchObject({
      severity,
      sourceId: 'mail-02/_HOST_',
      source: 'nagios',
    });
  });

  test('a service: what is shown', () => {
    expect(draftOf('nagios', nagiosProblem)).toMatchObject({
      title: 'SMTP: SMTP CRITICAL - 12.4 sec. response time',
      description: 'SMTP CRITICAL - 12.4 sec. response time',
      hostname: 'mail-02',
      service: 'SMTP',
      timestamp: 1795200000000,
    });
    expect(draftOf('nagios', host).title).toBe('Host DOWN: PING CRITICAL');
    expect(draftOf('nagios', { ...nagiosProblem, output: '' }).title).toBe('SMTP is CRITICAL');
  });

  const spellings: [string, Record<string, unknown>][] = [
    [
      'macros',
      {
        NOTIFICATIONTYPE: 'PROBLEM',
        HOSTNAME: 'mail-02',
        HOSTADDRESS: '10.1.1.2',
        HOSTSTATE: 'UP',
        HOSTSTATETYPE: 'HARD',
        SERVICEDESC: 'SMTP',
        SERVICESTATE: 'WARNING',
        SERVICESTATETYPE: 'HARD',
        SERVICEOUTPUT: 'slow',
        LONGSERVICEOUTPUT: 'a\\nb',
        TIMET: '1795200000',
        SERVICEPROBLEMID: '99',
      },
    ],
    [
      'snake case',
      {
        notification_type: 'PROBLEM',
        host_name: 'mail-02',
        host_address: '10.1.1.2',
        host_state: 'UP',
        service_description: 'SMTP',
        service_state: 'WARNING',
        service_output: 'slow',
        long_service_output: 'a\\nb',
        timestamp: '1795200000',
      },
    ],
    [
      'environment',
      {
        NAGIOS_NOTIFICATIONTYPE: 'PROBLEM',
        NAGIOS_HOSTNAME: 'mail-02',
        NAGIOS_HOSTADDRESS: '10.1.1.2',
        NAGIOS_SERVICEDESC: 'SMTP',
        NAGIOS_SERVICESTATE: 'WARNING',
        NAGIOS_SERVICEOUTPUT: 'slow',
        NAGIOS_LONGSERVICEOUTPUT: 'a\\nb',
        NAGIOS_TIMET: 1795200000,
      },
    ],
    [
      'runtime macros of Icinga 2',
      {
        'notification.type': 'PROBLEM',
        'host.name': 'mail-02',
        'host.address': '10.1.1.2',
        'service.name': 'SMTP',
        'service.state': 'WARNING',
        'service.output': 'slow',
        long_output: 'a\\nb',
        'icinga.timet': '1795200000',
      },
    ],
  ];
  test.each(spellings)('reads the spelling %s', (_name, body) => {
    expect(draftOf('nagios', body)).toMatchObject({
      sourceId: 'mail-02/SMTP',
      severity: 'warning',
      hostname: 'mail-02',
      ipAddress: '10.1.1.2',
      description: 'slow\na\nb',
      timestamp: 1795200000000,
    });
  });

  test.each([
    ['RECOVERY', 'OK', 'resolve'],
    ['RECOVERY', '$SERVICESTATE$', 'resolve'],
    ['PROBLEM', 'OK', 'resolve'],
    ['ACKNOWLEDGEMENT', 'CRITICAL', 'acknowledge'],
    ['DOWNTIMESTART', 'CRITICAL', 'suppress'],
    ['DOWNTIMESTART', 'OK', 'suppress'],
    ['DOWNTIMEEND', 'CRITICAL', 'unsuppress'],
    ['DOWNTIMECANCELLED', 'OK', 'resolve'],
    ['DOWNTIMEREMOVED', 'WARNING', 'unsuppress'],
    ['FLAPPINGSTART', 'WARNING', 'open'],
    ['FLAPPINGSTART', 'OK', 'open'],
    ['FLAPPINGSTOP', 'OK', 'resolve'],
    ['FLAPPINGEND', 'CRITICAL', 'unsuppress'],
    ['FLAPPINGDISABLED', 'CRITICAL', 'ignore'],
    ['CUSTOM', 'CRITICAL', 'ignore'],
    ['DowntimeStart', 'CRITICAL', 'suppress'],
    [64, 'OK', 'resolve'],
    ['', 'WARNING', 'open'],
    ['', 'OK', 'resolve'],
  ])('%p in state %s asks to %s', (notification_type, state, asked) => {
    const action = actionOf('nagios', { ...nagiosProblem, notification_type, state });
    expect(action.action).toBe(asked);
    if ('sourceId' in action) expect(action.sourceId).toBe('mail-02/SMTP');
  });

  test.each([
    ['ACKNOWLEDGEMENT', 'CRITICAL', true],
    ['DOWNTIMEEND', 'CRITICAL', true],
    ['DowntimeRemoved', 'WARNING', true],
    ['FLAPPINGSTOP', 'UNKNOWN', true],
    ['DOWNTIMESTART', 'CRITICAL', true],
    ['DOWNTIMESTART', 'OK', false],
    ['DOWNTIMEEND', undefined, false],
  ])('%s in state %s tells of the problem itself: %p', (notification_type, state, told) => {
    const action = actionOf('nagios', { ...nagiosProblem, notification_type, state });
    expect('draft' in action && action.draft?.title).toBe(
      told ? 'SMTP: SMTP CRITICAL - 12.4 sec. response time' : false,
    );
    const soft = actionOf('nagios', { ...nagiosProblem, notification_type, state, service_state_type: 'SOFT' });
    expect(soft).not.toHaveProperty('draft');
  });

  test('a recovery has the condition of its problem, whatever the problem id', () => {
    const recovery = actionOf('nagios', {
      ...nagiosProblem,
      notification_type: 'RECOVERY',
      state: 'OK',
      SERVICEPROBLEMID: '0',
    });
    expect(recovery).toEqual({
      action: 'resolve',
      source: 'nagios',
      sourceId: 'mail-02/SMTP',
      conditionId: 'nagios:mail-02/SMTP',
      at: 1795200000000,
      notes: nagiosProblem.output,
    });
  });

  test('an acknowledgement keeps who and why', () => {
    const action = actionOf('nagios', {
      ...nagiosProblem,
      notification_type: 'ACKNOWLEDGEMENT',
      SERVICEACKAUTHOR: 'ann',
      SERVICEACKCOMMENT: 'on it',
    });
    expect(action).toMatchObject({ action: 'acknowledge', author: 'ann', notes: 'on it' });
  });

  test('soft state, not a problem yet', () => {
    expect(actionOf('nagios', { ...nagiosProblem, SERVICESTATETYPE: 'SOFT' }).action).toBe('ignore');
    expect(actionOf('nagios', { ...nagiosProblem, HOSTSTATETYPE: 'SOFT' }).action).toBe('open');
  });

  test.each([
    ['no host', { ...nagiosProblem, hostname: undefined }],
    ['a host that was not expanded', { ...nagiosProblem, hostname: '$HOSTNAME$' }],
    ['an unknown state', { ...nagiosProblem, state: 'BROKEN' }],
    ['no state', { ...nagiosProblem, state: undefined }],
    ['number 4', { ...nagiosProblem, state: 4 }],
    ['an unknown type', { ...nagiosProblem, notification_type: 'PARTY' }],
  ])('%s is an error', (_what, body) => {
    expect(readAs('nagios', body).items).toEqual([
      { ok: false, error: expect.any(String), problems: expect.any(Array) },
    ]);
  });

  test('a host known by its address has no host name', () => {
    const draft = draftOf('nagios', { ...host, hostname: '10.1.1.2' });
    expect(draft.ipAddress).toBe('10.1.1.2');
    expect(draft.hostname).toBeUndefined();
    expect(draft.sourceId).toBe('10.1.1.2/_HOST_');
  });
});

describe('Icinga 2', () => {
  test('reads the nested form', () => {
    expect(draftOf('icinga2', icingaProblem)).toMatchObject({
      sourceId: 'edge-03.ams/ntp',
      severity: 'warning',
      hostname: 'edge-03.ams',
      ipAddress: '2001:db8::17',
      service: 'ntp',
      timestamp: 1795200011250,
    });
  });

  const nestedService = {
    host: { name: 'edge-03', state: 'UP', output: 'PING OK' },
    service: { description: 'ntp', state: 'CRITICAL', output: 'offset 3 s' },
  };
  test('a nested service is known by its description and has its own state and output', () => {
    expect(draftOf('icinga2', { notification_type: 'PROBLEM', ...nestedService })).toMatchObject({
      sourceId: 'edge-03/ntp',
      severity: 'critical',
      title: 'ntp: offset 3 s',
    });
  });

  test.each([
    ['ACKNOWLEDGEMENT', 'acknowledge'],
    ['DOWNTIMESTART', 'suppress'],
    ['RECOVERY', 'resolve'],
  ])('a nested notification of type %s asks to %s', (type, asked) => {
    const notification = { type, author: 'ann', comment: 'on it' };
    expect(actionOf('icinga2', { notification, ...nestedService })).toMatchObject({
      action: asked,
      sourceId: 'edge-03/ntp',
      author: 'ann',
      notes: 'on it',
    });
  });

  test('the event stream has the comment as text', () => {
    const acknowledged = { ...icingaProblem, notification_type: 'ACKNOWLEDGEMENT', author: 'ann', text: 'on it' };
    expect(actionOf('icinga2', acknowledged)).toMatchObject({ action: 'acknowledge', author: 'ann', notes: 'on it' });
  });

  const { service: _service, ...hostOnly } = icingaProblem;
  test.each([
    [0, 'resolve'],
    [1, 'resolve'],
    ['OK', 'resolve'],
    ['WARNING', 'resolve'],
    [2, 'open'],
    [3, 'open'],
    ['CRITICAL', 'open'],
    ['UNKNOWN', 'open'],
    ['DOWN', 'open'],
  ])('counts a host check with state %p as %s', (state, asked) => {
    const action = actionOf('icinga', { ...hostOnly, check_result: { state } });
    expect(action.action).toBe(asked);
    if (action.action === 'open') expect(action.draft).toMatchObject({ title: 'Host DOWN', severity: 'critical' });
  });

  test.each([[1], ['WARNING']])('a host in state %p is well when its downtime is removed', (state) => {
    const removed = { ...hostOnly, notification_type: 'DOWNTIMEREMOVED', check_result: { state } };
    expect(actionOf('icinga', removed).action).toBe('resolve');
  });

  test('the name of an object is not its `__name`', () => {
    const body = {
      ...icingaProblem,
      host: { __name: 'in-1', name: 'in-1' },
      service: { __name: 'in-1!disk', name: 'disk' },
    };
    expect(draftOf('icinga2', body).sourceId).toBe('in-1/disk');
  });

  test('a soft check is not yet a problem', () => {
    expect(actionOf('icinga2', { ...icingaProblem, check_result: { state: 2, state_type: 0 } }).action).toBe('ignore');
  });
});
