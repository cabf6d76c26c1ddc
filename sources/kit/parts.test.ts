import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fnv64, labelFingerprint } from '#domain/texts/fnv.ts';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { hostAddress } from './hosts.ts';
import { plainText } from './html.ts';
import { change, unknownState } from './items.ts';
import { belongingOf, labelsOf } from './labels.ts';
import { isUnexpanded } from './text.ts';
import { timeOf } from './time.ts';

const MOMENT = Date.UTC(2026, 10, 20, 10, 0, 10);

describe('timestamps', () => {
  test.each([
    [1795168810],
    ['1795168810'],
    [1795168810000],
    ['1795168810000'],
    ['1795168810000000'],
    ['1795168810000000000'],
    ['1795168810.000'],
    ['2026-11-20T10:00:10Z'],
    ['2026-11-20T10:00:10.000+0000'],
    ['2026-11-20T12:00:10+02:00'],
    ['2026-11-20T05:00:10-0500'],
    ['2026-11-20T10:00:10'],
    ['2026-11-20 10:00:10'],
    ['2026-11-20 10:00:10 +0000 UTC'],
    ['2026.11.20 10:00:10'],
    ['2026/11/20 10:00:10'],
    ['2026-11-20T10:00:10.000000001Z'],
    ['Fri Nov 20 10:00:10 UTC 2026'],
    ['Fri Nov 20 11:00:10 CET 2026'],
    ['2026-11-20 11:00:10 CET'],
    ['2026-11-20 05:00:10 EST'],
    ['Fri, 20 Nov 2026 10:00:10 GMT'],
    ['11-20-2026 10:00:10'],
    ['20-11-2026 10:00:10'],
    ['20.11.2026 10:00:10'],
    ['20.11.2026, 11:00:10 MEZ'],
    ['11/20/2026 10:00:10 AM'],
    ['20/11/2026 10:00:10'],
    ['11/20/2026 5:00:10 AM EST'],
    ['11-20-2026 12:00:10 +0200'],
    ['2026-11-20 20:00:10 AEST'],
    [' 1795168810 '],
  ])('%p', (value) => {
    expect(timeOf(value)).toBe(MOMENT);
  });

  test.each([
    ['28.11.2026 10:00', Date.UTC(2026, 10, 28, 10)],
    ['2.12.2026 7:05', Date.UTC(2026, 11, 2, 7, 5)],
    ['12/12/2026 12:00:00 AM', Date.UTC(2026, 11, 12)],
    ['12/13/2026 12:30:00 PM', Date.UTC(2026, 11, 13, 12, 30)],
    ['28-11-2026', Date.UTC(2026, 10, 28)],
  ])('%p is read where it has one meaning', (value, at) => {
    expect(timeOf(value)).toBe(at);
  });

  test.each([
    ['0001-01-01T00:00:00Z'],
    [0],
    ['0'],
    [''],
    ['soon'],
    [null],
    [-5],
    [Number.NaN],
    [1e30],
    ['2026-02-31T00:00:00Z'],
    ['2026-13-01'],
    [true],
    ['12:57:53'],
    ['{EVENT.TIMESTAMP}'],
    ['2/12/2026 4:51:23 AM'],
    ['02-12-2026 10:00:00'],
    ['31.02.2026 10:00'],
    ['13/13/2026'],
    ['2026-11-20 10:00:10 IST'],
    ['Fri Nov 20 10:00:10 XYZ 2026'],
  ])('%p is no time', (value) => {
    expect(timeOf(value)).toBeUndefined();
  });
});

describe('hosts', () => {
  test.each([
    ['db-1:9100', { hostname: 'db-1' }],
    ['db-1.example.', { hostname: 'db-1.example' }],
    ['10.0.0.1:80', { ipAddress: '10.0.0.1' }],
    ['10.0.0.1', { ipAddress: '10.0.0.1' }],
    ['10.0.0.1/24', { ipAddress: '10.0.0.1' }],
    ['10.0.0.256', { hostname: '10.0.0.256' }],
    ['1.2.3', { hostname: '1.2.3' }],
    ['[2001:DB8::1]:443', { ipAddress: '2001:db8::1' }],
    ['2001:db8::1', { ipAddress: '2001:db8::1' }],
    ['fe80::1%eth0', { ipAddress: 'fe80::1' }],
    ['::ffff:10.0.0.1', { ipAddress: '::ffff:10.0.0.1' }],
    ['00:1a:2b:3c:4d:5e', { hostname: '00:1a:2b:3c:4d:5e' }],
    ['https://user:pw@shop.example:8443/a?b#c', { hostname: 'shop.example' }],
    ['http://[2001:db8::2]:80/x', { ipAddress: '2001:db8::2' }],
    ['tcp://10.0.0.9:22', { ipAddress: '10.0.0.9' }],
    ['shop.example:443/health', { hostname: 'shop.example' }],
    ['Zabbix server', { hostname: 'Zabbix server' }],
    ['', {}],
    [undefined, {}],
  ])('%p', (text, place) => {
    expect(hostAddress(text)).toEqual(place);
  });
});

describe('HTML', () => {
  test.each([
    ['<p>CPU <b>high</b> &gt; 90&#37;</p>', 'CPU high > 90%'],
    ['free < 10% and > 5% of <unknown>', 'free < 10% and > 5% of <unknown>'],
    ['a<br/>b', 'a\nb'],
    ['<script>alert(1)</script>safe<!-- x -->', 'safe'],
    ['<a href="https://x.example/?a=1&amp;b=2" onclick=\'y\'>link</a>', 'link'],
    ['AT&T &unknown; &amp;lt; &#x1F525; &#0;', 'AT&T &unknown; &lt; 🔥 &#0;'],
    ['<TABLE><TR><TD>1</TD><TD>2</TD></TR></TABLE>', '1 2'],
  ])('%p', (html, plain) => {
    expect(plainText(html)).toBe(plain);
  });

  const HOSTILE = ['<script', '<script>', '<!--', '<a ', '<', '&', '&#', '<br', '\n ', '<p>\n'];
  test.each(HOSTILE)('a text of many %j takes linear time', (piece) => {
    expect(growth((times) => plainText(piece.repeat(times)), 5_000)).toBeLessThan(LINEAR);
  });
});

test.each([
  ['{EVENT.ID}', true],
  ['{$MACRO}', true],
  ['{$MACRO:"x"}', true],
  ['{#IFNAME}', true],
  ['{HOST.NAME1}', true],
  ['{ITEM.LASTVALUE<1>}', true],
  ['{{ITEM.VALUE}.regsub("a", b)}', true],
  ['$HOSTNAME$', true],
  ['$host.name$', true],
  ['$ALERT_ID', true],
  ['*UNKNOWN*', true],
  ['{"a":1}', false],
  ['UNKNOWN', false],
  ['costs $5', false],
  ['db-01', false],
  ['{lower}', false],
  ['**bold**', false],
])('%p is an unexpanded macro: %p', (text, unexpanded) => {
  expect(isUnexpanded(text)).toBe(unexpanded);
});

describe('hashes', () => {
  test('are FNV-1a, as Prometheus computes fingerprints', () => {
    expect(labelFingerprint([])).toBe('cbf29ce484222325');
    const reference = (bytes: Iterable<number>) => {
      let hash = 0xcbf29ce484222325n;
      for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      return hash.toString(16).padStart(16, '0');
    };
    expect(reference(Buffer.from('foobar'))).toBe('85944171f73967e8');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), (parts) => {
        expect(fnv64(parts)).toBe(reference(parts.flatMap((part) => [...Buffer.from(part), 0xff])));
      }),
    );
  });
});

describe('labels', () => {
  test('names of service, application and environment', () => {
    expect(belongingOf(labelsOf({ svc: 'a', app: 'b', env: 'c', job: 'd' }))).toEqual({
      service: 'a',
      application: 'b',
      environment: 'c',
    });
    expect(belongingOf(labelsOf({ job: 'd', namespace: 'kube-system' }))).toEqual({});
    expect(belongingOf(labelsOf([{ Key: 'Service', Value: 'x' }, 'environment:prod', 'bare']))).toEqual({
      service: 'x',
      environment: 'prod',
    });
  });

  test('names of the prototype are only names', () => {
    expect(labelsOf(JSON.parse('{"__proto__":"x","constructor":"y"}')).tags).toEqual(['__proto__:x', 'constructor:y']);
    expect(belongingOf(labelsOf({}))).toEqual({});
  });
});

describe('what is told of a complaint without a further occurrence', () => {
  const about = { source: 'zabbix', sourceId: '7' };
  const said = {
    ...about,
    title: 'Disk is full',
    time: MOMENT,
    tags: ['team:a'],
    raw: {},
    rated: { severity: 'major', word: '4', unknown: false },
  } as const;

  test('a state that nobody knows is shown by a tag', () => {
    expect(unknownState(said, ' waiting\nfor Godot ', MOMENT)).toMatchObject({
      action: 'update',
      conditionId: 'zabbix:7',
      draft: {
        title: 'Disk is full',
        tags: ['unknown-state', 'team:a'],
        details: { unknownState: 'waiting for Godot' },
      },
    });
  });

  test('a change of status brings the complaint where the message has it', () => {
    const bare = change('unacknowledge', about, { author: 'joe' }, MOMENT);
    expect(bare).toEqual({ ...about, action: 'unacknowledge', conditionId: 'zabbix:7', author: 'joe' });
    expect(change('acknowledge', about, {}, MOMENT, said)).toMatchObject({
      ...about,
      action: 'acknowledge',
      draft: { ...about, title: 'Disk is full', timestamp: MOMENT },
    });
  });
});
