import { describe, expect, test } from '@jest/globals';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { CATALOGUE } from './catalogue.ts';
import { canCause, complaintKindOf } from './kind.ts';

const kind = (title: string) => complaintKindOf({ title });

describe('The catalogue', () => {
  test.each(CATALOGUE.flatMap(({ name, examples }) => examples.map((title) => [title, name] as const)))(
    'knows %s as %s',
    (title, name) => {
      const found = kind(title).name;
      const isKnownCause = ['out_of_memory', 'space_short', 'dns', 'link_down', 'host_down', 'power'].includes(
        found ?? '',
      );
      expect(isKnownCause ? name : found).toBe(name);
    },
  );

  test.each(CATALOGUE.flatMap(({ name, unlike = [] }) => unlike.map((title) => [title, name] as const)))(
    'does not take %s for %s',
    (title, name) => expect(kind(title).name).not.toBe(name),
  );

  test('has each name once', () => {
    const names = CATALOGUE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(['a ', 'disk ', 'certificate x ', 'node a '])('of many %j takes linear time', (piece) => {
    expect(growth((times) => kind(piece.repeat(times)), 400)).toBeLessThan(LINEAR);
  });
});

describe('A complaint can cause another', () => {
  test.each([
    ['Controller B failed', 'High I/O wait 71 %', true],
    ['TLS certificate has expired', 'Card authorisation failure rate 38 %', true],
    ['Interface Ethernet1/14 err-disabled', 'ORA-29740: instance evicted from cluster', true],
    ['Out of memory: killed process slapd', 'LDAP bind failed', true],
    ['Volume /vol/eod is 97 % full', 'Job EOD_POSTING aborted', true],
    ['Something that nobody knows', 'HTTP 502 from upstream', true],
    ['Something that nobody knows', 'Cash cassette 2 low', false],
    ['Host authorisation time-outs', 'Cash cassette 2 low', false],
    ['Receipt printer paper low', 'HTTP 502 from upstream', false],
    ['HA synchronisation lost with peer', 'HTTP 502 from upstream', false],
    ['Volume /vol/eod is 97 % full', 'CPU load is high', false],
    ['Backup job runs longer than 6 h', 'Response time above 5 s', false],
    ['HTTP 502 from upstream', 'Checkout behaves strangely', true],
  ])('%s → %s: %s', (cause, effect, expected) => expect(canCause(kind(cause), kind(effect))).toBe(expected));
});
