import { describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import { CorrelationPatch, CorrelationSettingsView, InboundPatch } from './settings.ts';

const HOUR = 3_600_000;
const at = (path: string, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
const accepts = (path: string, value: unknown): boolean => CorrelationPatch.safeParse(at(path, value)).success;

describe('correlation settings', () => {
  test('the defaults are within the ranges', () => {
    expect(CorrelationSettingsView.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  });

  test.each([
    ['threshold', 0.5, 0.99, 0.01],
    ['strategies.dependency.windowMs', 10_000, HOUR, 1],
    ['strategies.temporal.windowMs', 10_000, HOUR, 1],
    ['strategies.topology.windowMs', 10_000, HOUR, 1],
    ['strategies.topology.hops', 1, 3, 1],
    ['strategies.pattern.windowMs', 10_000, HOUR, 1],
    ['strategies.service.windowMs', 10_000, HOUR, 1],
    ['candidates.perKey', 1, 100, 1],
    ['candidates.perCi', 1, 20, 1],
    ['candidates.structure', 1, 300, 1],
    ['guards.maxSpanMs', 60_000, 168 * HOUR, 1],
    ['guards.maxSize', 2, 10_000, 1],
    ['latenessMs', 0, HOUR, 1],
    ['dedupWindowMs', 60_000, 720 * HOUR, 1],
    ['rootCause.coverage', 0, 10, 0.1],
    ['rootCause.earliness', 0, 10, 0.1],
    ['rootCause.severity', 0, 10, 0.1],
    ['rootCause.knownPattern', 0, 10, 0.1],
  ])('%s goes from %d to %d', (path, min, max, step) => {
    expect([min, max, null].map((value) => accepts(path, value))).toEqual([true, true, true]);
    expect([min - step, max + step, 'x', `${min}`].map((value) => accepts(path, value))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test.each([
    ['profile', 'calibrated', true],
    ['profile', 'strict', false],
    ['strategies.temporal.windowMs', 'auto', true],
    ['strategies.pattern.windowMs', 'auto', false],
    ['strategies.pattern.enabled', false, true],
    ['strategies.pattern', null, true],
    ['strategies.pattern.hops', 2, false],
    ['strategies.topology.hops', 1.5, false],
    ['dedupScope', 'signature', true],
    ['dedupScope', 'source', false],
    ['rootCause.knownPatterns', ['host_down', 'dns'], true],
    ['rootCause.knownPatterns', ['sunspots'], false],
    ['heartbeats', ['Watchdog'], true],
    ['heartbeats', [''], false],
    ['unknown', 1, false],
  ])('%s: %p is accepted: %p', (path, value, accepted) => expect(accepts(path, value)).toBe(accepted));
});

describe('inbound settings', () => {
  test('words are compared in lower case', () => {
    const parsed = InboundPatch.parse({ severities: { Zabbix: { Disaster: 'critical', high: null } } });
    expect(parsed).toEqual({ severities: { zabbix: { disaster: 'critical', high: null } } });
  });

  test.each([
    [{ snsTopics: ['arn:aws:sns:eu-west-1:123456789012:alarms'] }, true],
    [{ snsTopics: null }, true],
    [{ snsTopics: ['alarms'] }, false],
    [{ severities: { zabbix: { disaster: 'fatal' } } }, false],
    [{ severities: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`s${i}`, {}])) }, false],
    [{ checks: [{ source: 'Zabbix', problem: 'disk <n>% full', severity: 'info', grouped: false }] }, true],
    [{ checks: [{ source: 'zabbix', problem: 'disk full', severity: 'fatal' }] }, false],
    [{ checks: [1, 2].map(() => ({ source: 'zabbix', problem: 'disk full' })) }, false],
    [{ other: 1 }, false],
  ])('%p is accepted: %p', (patch, accepted) => expect(InboundPatch.safeParse(patch).success).toBe(accepted));
});
