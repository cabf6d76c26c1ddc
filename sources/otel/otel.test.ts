import { describe, expect, test } from '@jest/globals';
import { actionOf, draftOf, otelLogs, readAs } from '../samples-for-tests.ts';

const record = (fields: Record<string, unknown>) => ({
  resourceLogs: [
    {
      resource: otelLogs.resourceLogs[0]?.resource,
      scopeLogs: [{ logRecords: [{ timeUnixNano: '1795242601000000000', body: { stringValue: 'boom' }, ...fields }] }],
    },
  ],
});

describe('OpenTelemetry logs', () => {
  test('errors are events, the rest is passed over', () => {
    const { items } = readAs('otel', otelLogs);
    expect(items.map((item) => item.ok && item.action.action)).toEqual(['ignore', 'open']);
    expect(items[1]).toMatchObject({
      action: {
        conditionId: null,
        draft: {
          severity: 'critical',
          title: 'out of memory',
          description: 'out of memory\nat heap',
          hostname: 'app-9',
          service: 'cart',
          ciHints: ['i-0aa'],
          timestamp: 1795242601000,
        },
      },
    });
  });

  test.each([
    [17, 'minor'],
    [18, 'minor'],
    [19, 'major'],
    [20, 'major'],
    [21, 'critical'],
    [24, 'critical'],
    ['17', 'minor'],
    ['SEVERITY_NUMBER_ERROR3', 'major'],
  ])('severityNumber %p is %s, whatever its text', (severityNumber, severity) => {
    expect(draftOf('otel', record({ severityNumber, severityText: 'ERROR' })).severity).toBe(severity);
  });

  test.each([[16], [13], [0], [undefined], ['SEVERITY_NUMBER_WARN4']])(
    'severityNumber %p is passed over',
    (severityNumber) => {
      expect(actionOf('otel', record({ severityNumber })).action).toBe('ignore');
    },
  );

  test('without a number the text decides', () => {
    expect(draftOf('otel', record({ severityText: 'Critical' })).severity).toBe('critical');
    expect(actionOf('otel', record({ severityText: 'warning' })).action).toBe('ignore');
  });

  test.each([
    ['emerg', 'critical'],
    ['Emergency', 'critical'],
    ['panic', 'critical'],
    ['alert', 'critical'],
    ['SEVERE', 'minor'],
    ['err', 'minor'],
  ])('severityText %s without a number is %s', (severityText, severity) => {
    expect(draftOf('otel', record({ severityNumber: 0, severityText })).severity).toBe(severity);
  });

  test.each([
    [{ eventName: 'db.down' }, 'db.down'],
    [{ attributes: [{ key: 'event.name', value: { stringValue: 'disk.full' } }] }, 'disk.full'],
  ])('without a body the name of the event is the title: %p', (fields, title) => {
    const draft = draftOf('otel', record({ severityNumber: 17, body: undefined, ...fields }));
    expect(draft).toMatchObject({ title, category: title, details: { eventName: title } });
  });

  test('an instance of a service, another one after each restart, names no system', () => {
    const attributes = ['service.name', 'service.instance.id', 'container.id', 'k8s.pod.name'].map((key) => ({
      key,
      value: { stringValue: `a ${key}` },
    }));
    const scopeLogs = [{ logRecords: [{ severityNumber: 17, body: { stringValue: 'boom' } }] }];
    const draft = draftOf('otel', { resourceLogs: [{ resource: { attributes }, scopeLogs }] });
    expect(draft).toMatchObject({ service: 'a service.name', ciHints: ['a k8s.pod.name', 'a container.id'] });
    expect(draft.hostname).toBeUndefined();
  });

  test('takes the text from a structured body or an exception', () => {
    const body = { kvlistValue: { values: [{ key: 'msg', value: { stringValue: 'nested' } }] } };
    expect(draftOf('otel', record({ severityNumber: 17, body })).title).toBe('nested');
    const attributes = [
      { key: 'exception.type', value: { stringValue: 'Refused' } },
      { key: 'exception.message', value: { stringValue: 'by peer' } },
    ];
    expect(draftOf('otel', record({ severityNumber: 17, body: undefined, attributes })).title).toBe('Refused: by peer');
  });

  test('a body of fields has the text of journald or of a log collector, else it is the text itself', () => {
    const fields = (key: string, stringValue: string) => ({
      kvlistValue: { values: [{ key, value: { stringValue } }] },
    });
    const titled = (body: unknown) => draftOf('otel', record({ severityNumber: 17, body })).title;
    expect(titled(fields('MESSAGE', 'disk failed'))).toBe('disk failed');
    expect(titled(fields('log', 'OOM in checkout'))).toBe('OOM in checkout');
    expect(titled(fields('code', 'E42'))).toBe('{"code":"E42"}');
  });

  test('traces and metrics are refused', () => {
    expect(() => readAs('otel', { resourceSpans: [] })).toThrow(/resourceLogs/);
  });

  test('protobuf is refused with what to set', () => {
    const headers = { 'content-type': 'application/x-protobuf' };
    expect(() => readAs('otel', '\n\u0003abc', { headers })).toThrow(/set "encoding: json"/);
    expect(() => readAs('otel', {})).toThrow(/traces and metrics/);
  });
});
