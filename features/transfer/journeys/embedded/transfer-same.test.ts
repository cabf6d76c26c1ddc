import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

let tenants = 0;
const open = async () => {
  const token = await app.tenant(`same-${++tenants}`);
  return (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
};
type Send = Awaited<ReturnType<typeof open>>;

/** Texts that files are hard on, and any others. */
const TEXTS = [
  ' pad',
  'pad ',
  ' ',
  'null',
  "'null",
  '=1+1',
  "'=abc",
  "''=abc",
  "'-5",
  '-5',
  "'",
  '\uFF1D1',
  '+1',
  '@x',
  '\tx',
  '8',
  '007',
  'true',
  '"8"',
  '{"a":1}',
  '[broken',
  'a,b',
  'a;b',
  'a"b',
  'a\nb',
  'a\r\nb',
  'a\rb',
  '\uFEFFx',
];
const text = (least: number) =>
  fc.oneof(fc.constantFrom(...TEXTS), fc.string({ minLength: least, maxLength: 12, unit: 'grapheme' }));
const value = fc.oneof(text(0), fc.constantFrom(null, 0, -5, 1e21, true, [null], { a: null }, {}, []), fc.jsonValue());
const key = fc.oneof(fc.constantFrom('', ' ', 'a', ' a', 'a.b', '=a', 'null', 'attributes'), text(0));
/** Blank names, types and keys are refused. */
const told = text(1).filter((one) => one.trim() !== '');
const bag = fc.dictionary(key, value, { maxKeys: 4 });
const one = fc.record(
  {
    name: told,
    type: told,
    external_key: told,
    description: text(0),
    status: fc.constantFrom('active', 'inactive'),
    attributes: bag,
    custom_fields: bag,
  },
  { requiredKeys: ['name', 'type'] },
);
const lower = (given: string | undefined) => given?.trim().toLowerCase();
const estate = fc.uniqueArray(one, {
  minLength: 1,
  maxLength: 5,
  comparator: (a, b) =>
    lower(a.name) === lower(b.name) ||
    (a.external_key !== undefined && lower(a.external_key) === lower(b.external_key)),
});

const link = fc.record({
  type: told,
  attributes: fc.record(
    { redundancy_group: text(1), protocol: text(0), criticality: text(0), port: fc.integer(), x: value, ' y': value },
    { requiredKeys: [] },
  ),
});

const again = async (send: Send, kind: string, format: string) => {
  const file = await send('GET', `/v1/cmdb/export/${kind}?format=${format}`);
  return (await send('POST', `/v1/cmdb/import/${kind}?format=${format}`, file.body)).body;
};

describe.each(['csv', 'jsonl'])('an export as %s that is imported again', (format) => {
  test('changes no configuration item', async () => {
    await fc.assert(
      fc.asyncProperty(estate, async (cis) => {
        const send = await open();
        for (const ci of cis) expect((await send('POST', '/v1/cmdb/ci', ci)).status).toBe(201);
        const report = await again(send, 'ci', format);
        expect(report.rows.filter(({ action }: { action: string }) => action !== 'unchanged')).toEqual([]);
        expect(report.total).toBe(cis.length);
      }),
      { numRuns: 30 },
    );
  });

  test('changes no relationship', async () => {
    await fc.assert(
      fc.asyncProperty(link, async (given) => {
        const send = await open();
        const ci = async (name: string) => (await send('POST', '/v1/cmdb/ci', { name, type: 'server' })).body.id;
        const made = { ...given, source_ci: await ci('a'), target_ci: await ci('b') };
        expect((await send('POST', '/v1/cmdb/relationships', made)).status).toBe(201);
        const { rows } = await again(send, 'relationships', format);
        expect(rows).toEqual([expect.objectContaining({ action: 'unchanged' })]);
      }),
      { numRuns: 30 },
    );
  });
});
