import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fault } from '#domain/fault.ts';
import type { SourceReading } from './kit/source.ts';
import { actionOf, draftOf, nagiosProblem, RECEIVED, readAs, SAMPLES } from './samples-for-tests.ts';
import { canonicalSource, sourceNamed, sourceNames, sources, storedSources } from './sources.ts';

describe('names of sources', () => {
  test.each([
    ['Icinga2', 'nagios'],
    ['naemon', 'nagios'],
    ['ZABBIX', 'zabbix'],
    ['alertmanager', 'prometheus'],
    ['aws', 'cloudwatch'],
    ['aws-cloudwatch', 'cloudwatch'],
    ['azuremonitor', 'azure'],
    ['azure-monitor', 'azure'],
  ])('%s is %s', (name, canonical) => {
    expect(sourceNamed(name)?.name).toBe(canonical);
    expect(canonicalSource(name)).toBe(canonical);
  });

  test('an unknown name is nobody, and stays as it is in filters', () => {
    expect(sourceNamed('nagiosx')).toBeUndefined();
    expect(sourceNamed('constructor')).toBeUndefined();
    expect(canonicalSource('My-Script')).toBe('My-Script');
    expect(storedSources(['Prometheus', 'prometheus', 'My-Script'])).toEqual(['Prometheus', 'prometheus', 'My-Script']);
    expect(storedSources(['aws'])).toEqual(['aws', 'cloudwatch']);
    expect(new Set(sourceNames()).size).toBe(sources.length + sources.flatMap((source) => source.aliases).length);
  });
});

/** Reads, and allows a Fault of the caller's making but no other error. */
function attempt(source: string, body: unknown, headers = {}): SourceReading | null {
  try {
    return readAs(source, body, { headers });
  } catch (error) {
    if (error instanceof Fault && (error.kind === 'invalid' || error.kind === 'forbidden')) return null;
    throw error;
  }
}

function expectBounded({ items }: SourceReading): void {
  for (const item of items) {
    if (!item.ok) {
      expect(item.error.length).toBeLessThanOrEqual(1024);
      continue;
    }
    const { action } = item;
    const { draft, ...said } = { draft: undefined, ...action };
    if (action.action !== 'confirm') expect(JSON.stringify(said).length).toBeLessThan(16_384);
    if (draft === undefined) continue;
    expect(draft.title.length).toBeGreaterThan(0);
    expect(draft.title.length).toBeLessThanOrEqual(1024);
    expect(draft.sourceId.length).toBeLessThanOrEqual(512);
    expect(draft.tags?.length ?? 0).toBeLessThanOrEqual(100);
    expect(Buffer.byteLength(JSON.stringify(draft.details))).toBeLessThanOrEqual(64 * 1024);
    expect(draft.timestamp ?? 0).toBeLessThanOrEqual(RECEIVED + 300_000);
  }
}

const NUMBERED = SAMPLES.map(([name, body], index) => [`${name} ${index}`, name, body] as const);

describe('no body upsets a source', () => {
  test.each(sources.map((source) => source.name))('%s reads any JSON or refuses it', (name) => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 5 }),
      fc.anything({ withNullPrototype: false, maxDepth: 3 }).map(plain),
      fc.string(),
    );
    const ce = { 'ce-id': '1', 'ce-source': 's', 'ce-type': 't', 'ce-specversion': '1.0', 'x-amz-sns-message-id': 'm' };
    fc.assert(
      fc.property(anything, fc.boolean(), (body, withHeaders) => {
        const reading = attempt(name, body, withHeaders ? ce : {});
        if (reading) expectBounded(reading);
      }),
      { numRuns: 300 },
    );
  });

  test.each(NUMBERED)('%s survives fields that are missing or of another type', (_title, name, body) => {
    const paths = pathsOf(body);
    const strange = fc.oneof(
      fc.constantFrom(
        undefined,
        null,
        '',
        '   ',
        0,
        -1,
        1e300,
        true,
        [],
        {},
        [[]],
        '{EVENT.ID}',
        '$X$',
        '*UNKNOWN*',
        '<b>',
        'x'.repeat(70_000),
      ),
      fc.jsonValue({ maxDepth: 2 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), strange), { minLength: 1, maxLength: 4 }), (changes) => {
        const reading = attempt(
          name,
          changes.reduce((changed, [path, value]) => replaced(changed, path, value), body),
        );
        if (reading) expectBounded(reading);
      }),
      { numRuns: 200 },
    );
  });

  test.each(NUMBERED)(
    '%s survives an object that cannot be made a text or number, wherever it stands',
    (_title, name, body) => {
      for (const path of pathsOf(body)) {
        const reading = attempt(name, replaced(body, path, { toString: '', toJSON: '', length: 1 }));
        if (reading) expectBounded(reading);
      }
    },
  );

  test.each(NUMBERED)('%s is read as it stands', (_title, name, body) => {
    const { items } = readAs(name, body);
    expect(items.length).toBeGreaterThan(0);
    expect(items.every((item) => item.ok)).toBe(true);
  });
});

const plain = (value: unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
};

type Path = readonly (string | number)[];
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return at.length === 0 ? inner : [at, ...inner];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as unknown as Record<number, unknown>)
    : { ...value };
  if (rest.length === 0 && by === undefined) Array.isArray(copy) ? copy.splice(Number(key), 1) : delete copy[key];
  else copy[key] = replaced(copy[key], rest, by);
  return copy;
}

describe('what holds for every source', () => {
  test('one bad item of a batch leaves the others alone', () => {
    const { items } = readAs('nagios', [
      nagiosProblem,
      { hostname: 'x', notification_type: 'PROBLEM', state: 'PURPLE' },
      7,
    ]);
    expect(items.map((item) => item.ok)).toEqual([true, false, false]);
    expect(items[1]).toMatchObject({ error: expect.stringContaining('state: expected OK') });
  });

  test.each([
    [300, undefined],
    [301, 301],
    [86_400, 86_400],
    [-3600, undefined],
  ])('a timestamp %d s ahead is kept, or absent with its skew', (ahead, skew) => {
    const timestamp = RECEIVED / 1000 + ahead;
    const draft = draftOf('nagios', { ...nagiosProblem, timestamp });
    expect(draft.timestamp).toBe(skew === undefined ? timestamp * 1000 : undefined);
    expect(draft.details?.clockSkewSeconds).toBe(skew);
  });

  test('a nonsense timestamp is absent, as is the time of a recovery from the future', () => {
    expect(draftOf('nagios', { ...nagiosProblem, timestamp: 'yesterday' }).timestamp).toBeUndefined();
    const recovery = {
      ...nagiosProblem,
      notification_type: 'RECOVERY',
      state: 'OK',
      timestamp: RECEIVED / 1000 + 1000,
    };
    expect(actionOf('nagios', recovery)).toMatchObject({ action: 'resolve' });
    expect(actionOf('nagios', recovery)).not.toHaveProperty('at');
  });

  test('texts over their limits are cut and named', () => {
    const draft = draftOf('nagios', { ...nagiosProblem, output: `${'é'.repeat(40_000)}`, service: 's'.repeat(5000) });
    expect(draft.title).toHaveLength(1024);
    expect(draft.description).toHaveLength(32 * 1024);
    expect(draft.service).toHaveLength(4096);
    expect(draft.details?.truncated).toEqual(
      expect.arrayContaining(['title', 'description', 'service', 'details.raw']),
    );
    expect(typeof draft.details?.raw).toBe('string');
    expect(Buffer.byteLength(JSON.stringify(draft.details?.raw))).toBeLessThanOrEqual(16 * 1024);
  });

  test('the item is kept untouched, with the word of its severity', () => {
    const draft = draftOf('nagios', nagiosProblem);
    expect(draft.details).toMatchObject({ raw: nagiosProblem, sourceSeverity: 'CRITICAL' });
    expect(draft.details).not.toHaveProperty('truncated');
  });

  test('ids that are too long stay apart when cut', () => {
    const idOf = (service: string) => draftOf('nagios', { ...nagiosProblem, service }).sourceId;
    expect(idOf('a'.repeat(3000))).toHaveLength(512);
    expect(idOf('a'.repeat(3000))).not.toBe(idOf(`${'a'.repeat(2999)}b`));
  });

  test("a tenant's severities replace ours, and unknown values in them do not", () => {
    const severities = { nagios: { critical: 'minor', warning: 'purple' }, zabbix: { critical: 'info' } };
    expect(draftOf('nagios', nagiosProblem, { severities }).severity).toBe('minor');
    expect(draftOf('nagios', { ...nagiosProblem, state: 'WARNING' }, { severities }).severity).toBe('warning');
  });

  const NOTHING = [
    '[no value]',
    '<no value>',
    '{{ $labels.instance }}',
    '\x24{HOST}',
    'null',
    '(null)',
    'unknown',
    'n/a',
    '-',
  ];
  test.each(NOTHING)('%p is no host, no service and no tag, whoever sends it', (none) => {
    const amended = (body: unknown, value: string) =>
      namesIn(body).reduce((changed, path) => replaced(changed, path, value), body);
    for (const [name, body] of SAMPLES) {
      const items = readAs(name, amended(body, none)).items.filter((item) => item.ok);
      for (const { action } of items) {
        if (action.action !== 'open') continue;
        const { hostname, ipAddress, service, ciHints = [], tags = [] } = action.draft;
        expect([hostname, ipAddress, service]).not.toContain(none);
        expect(ciHints).not.toContain(none);
        expect(tags.filter((tag) => tag.endsWith(`:${none}`) && !tag.startsWith('severity:'))).toEqual([]);
      }
    }
  });
});

/** Returns the paths of machines or services in bodies. */
const namesIn = (body: unknown): Path[] =>
  pathsOf(body).filter((path) =>
    /^(?:host|hostname|host_ip|instance|address|service|service\.name|computer)$/i.test(String(path.at(-1))),
  );
