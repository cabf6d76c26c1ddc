import { expect, test } from '@jest/globals';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

/* Two administrators and one setting: the slower one is informed. */

const app = appOfTests();

const SETTINGS = [
  ['settings/correlation', { threshold: 0.7 }, { threshold: 0.8 }],
  ['settings/inbound', { snsTopics: ['arn:aws:sns:eu-west-1:1:a'] }, { snsTopics: [] }],
  ['settings/lifecycle', { resolveAfterMs: 3_600_000 }, { resolveAfterMs: 7_200_000 }],
  ...(isThere('admin.settings.ai.put')
    ? ([['settings/ai', { dailyTokens: 1_001 }, { dailyTokens: 1_002 }]] as const)
    : []),
  ['limits', { ingest: 5_001 }, { ingest: 5_002 }],
] as const;

test.each(SETTINGS)('%s is changed on the version that was read, and on no other', async (name, one, other) => {
  const path = `/api/admin/${name}`;
  const read = await app.send('GET', path);
  const tag = read.headers.get('etag')!;
  const put = (body: object, ifMatch?: string) =>
    app.send('PUT', path, body, { headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
  const first = await put(one, tag);
  expect([first.status, first.headers.get('etag') === tag]).toEqual([200, false]);
  const late = await put(other, tag);
  expect(late.status).toBe(412);
  expect((await app.send('GET', path)).body).toEqual(first.body);
  expect((await put(other, first.headers.get('etag')!)).status).toBe(200);
  expect((await put(one)).status).toBe(200);
});
