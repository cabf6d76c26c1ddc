import { describe, expect, test } from '@jest/globals';
import type { MonitorAction } from '#domain/event/draft.ts';
import { RECEIVED } from '#sources/samples-for-tests.ts';
import { genericSource, missingFields } from './generic-source.ts';
import { SourceMapping } from './mapping.ts';
import { parsePath, valuesAt } from './path.ts';

const SETTINGS = { severities: {}, snsTopics: [], replicaLabels: [] };
const read = (mapping: unknown, body: unknown) =>
  genericSource('ours', SourceMapping.parse(mapping)).read({ body, headers: {}, receivedAt: RECEIVED }, SETTINGS).items;
const actions = (mapping: unknown, body: unknown): MonitorAction[] =>
  read(mapping, body).flatMap((item) => (item.ok ? [item.action] : []));

describe('paths', () => {
  const body = {
    a: {
      'b c': [
        { n: 'x', v: 1 },
        { n: 'y', v: [2, 3] },
      ],
      'd-e': null,
      größe: 5,
    },
    list: [1, 2, 3],
  };
  test.each([
    ['$', [body]],
    ["$.a['b c'][0].v", [1]],
    ['$.a["b c"][-1].n', ['y']],
    ["$.a['b c'][*].n", ['x', 'y']],
    ["$.a['b c'][?@.n=='y'].v[*]", [2, 3]],
    ['$.a[\'b c\'][?@.n == "x"].v', [1]],
    ['$.list.*', [1, 2, 3]],
    ['$.a.d-e', [null]],
    ['$.a.größe', [5]],
    ['$.a.x.y', []],
    ['$.list[9]', []],
    ['$.constructor', []],
    ['$.list.length', []],
  ])('%s', (written, found) => {
    const path = parsePath(written);
    expect(typeof path === 'string' ? path : valuesAt(path, body)).toEqual(found);
  });

  test.each(['a.b', '$..a', '$.', '$[', '$[1', "$['a", '$[?@.a>1]', '$[(@.length-1)]', '$.a b', "$[?@.a=='x' && 1]"])(
    '%s is refused',
    (written) => {
      expect(parsePath(written)).toEqual(expect.stringMatching(/^(?:expected|can't be parsed from character \d)/));
    },
  );

  test('a path finds no more than can be read', () => {
    const wide = Array.from({ length: 2_000 }, () => Array.from({ length: 50 }, () => 1));
    const path = parsePath('$[*][*]');
    expect(typeof path === 'string' ? 0 : valuesAt(path, wide).length).toBe(1_000);
  });
});

const SITE24X7 = {
  title: 'Site24x7',
  fields: {
    key: '$.MONITOR_ID',
    title: '{$.MONITORNAME} is {$.STATUS}',
    state: '$.STATUS',
    severity: '$.STATUS',
    description: '$.INCIDENT_REASON',
    hostname: '$.MONITORURL',
    time: '$.INCIDENT_TIME_ISO',
    tags: '$.TAGS',
  },
  severities: { down: 'critical', trouble: 'warning' },
};
const down = {
  MONITORNAME: 'Website',
  MONITORURL: 'https://shop.example.org',
  STATUS: 'DOWN',
  INCIDENT_REASON: 'The name has no address',
  INCIDENT_TIME_ISO: '2026-11-21T07:00:00Z',
  TAGS: 'env:prod',
  MONITOR_ID: 1001,
};

describe('a mapped source', () => {
  test('a problem and its end', () => {
    expect(actions(SITE24X7, down)).toMatchObject([
      {
        action: 'open',
        conditionId: 'ours:1001',
        draft: {
          source: 'ours',
          sourceId: '1001',
          title: 'Website is DOWN',
          severity: 'critical',
          description: 'The name has no address',
          hostname: 'shop.example.org',
          timestamp: Date.UTC(2026, 10, 21, 7),
          tags: ['env:prod'],
          details: { raw: down },
        },
      },
    ]);
    expect(actions(SITE24X7, { ...down, STATUS: 'UP' })).toMatchObject([
      { action: 'resolve', conditionId: 'ours:1001', at: Date.UTC(2026, 10, 21, 7) },
    ]);
  });

  const fields = { key: ['$.host', '$.service'], title: ['$.text', '$.service'], state: '$.state' };
  test.each([
    ['CRIT', 'open'],
    ['OK', 'resolve'],
    ['acked', 'acknowledge'],
    ['unacked', 'unacknowledge'],
    ['PEND', 'ignore'],
    ['in work', 'update'],
    ['Downtime', 'suppress'],
    [undefined, 'open'],
  ])('state %s asks to %s', (state, asked) => {
    const mapping = { fields, states: { crit: 'problem', PEND: 'ignored' } };
    expect(actions(mapping, { host: 'db-1', service: 'Disk', state })).toMatchObject([
      { action: asked, ...(asked !== 'ignore' && { conditionId: 'ours:db-1/Disk' }) },
    ]);
  });

  test('entries of a list are read one by one, each with its own error', () => {
    const mapping = { items: '$.events[*]', fields: { key: '$.id', title: '$.text', tags: ['$.labels', '$.zone'] } };
    const events = [{ id: 1, text: 'a', labels: { team: 'x' }, zone: 'b' }, { text: 'no id' }, { id: 3 }, 7];
    expect(read(mapping, { events })).toMatchObject([
      { ok: true, action: { action: 'open', draft: { sourceId: '1', title: 'a', tags: ['team:x', 'b'] } } },
      { ok: false, error: expect.stringContaining('fields.key: $.id matches nothing') },
      { ok: false, error: expect.stringContaining('fields.title: $.text matches nothing') },
      { ok: false },
    ]);
    expect(() => read(mapping, { other: 1 })).toThrow('items: $.events[*] matches nothing');
    expect(missingFields('ours', SourceMapping.parse(mapping), { events })).toMatchObject([
      [],
      ['fields.key: $.id matches nothing', 'fields.tags: $.labels, $.zone matches nothing'],
      ['fields.title: $.text matches nothing', 'fields.tags: $.labels, $.zone matches nothing'],
      expect.any(Array),
    ]);
  });

  test('the first field that says something counts, and what stands for no value says nothing', () => {
    const mapping = { fields: { key: '$.id', title: 'Alert', hostname: ['$.host', '$.node'], service: '$.service' } };
    expect(actions(mapping, { id: 1, host: 'n/a', node: 'db-1:9100', service: '<no value>' })).toMatchObject([
      { draft: { title: 'Alert', hostname: 'db-1' } },
    ]);
    expect(read(mapping, { id: '{{ id }}' })[0]?.ok).toBe(false);
  });

  test('common severities are known, the tenant and the mapping say more', () => {
    const of = (severity: unknown, more = {}) =>
      actions({ fields: { key: 'k', title: 't', severity: '$.s' }, ...more }, { s: severity })[0];
    expect(of('High')).toMatchObject({ draft: { severity: 'major' } });
    expect(of(undefined, { severity: 'minor' })).toMatchObject({ draft: { severity: 'minor' } });
    expect(of('purple')).toMatchObject({ draft: { severity: 'warning', tags: ['severity:purple'] } });
    expect(of('Purple', { severities: { PURPLE: 'critical' } })).toMatchObject({ draft: { severity: 'critical' } });
  });

  test.each([
    [{ fields: { title: 'x' } }, 'fields.key'],
    [{ fields: { key: '$..a', title: 'x' } }, 'fields.key'],
    [{ fields: { key: '$.a', title: '{$.a[} is down' } }, 'fields.title'],
    [{ fields: { key: '$.a', title: 'x' }, items: 'events' }, 'items'],
    [{ fields: { key: '$.a', title: 'x', colour: '$.b' } }, 'fields'],
    [{ fields: { key: '$.a', title: 'x' }, states: { down: 'dead' } }, 'states.down'],
  ])('%j is refused at %s', (mapping, at) => {
    const { error } = SourceMapping.safeParse(mapping);
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(at);
  });
});
