import { expect, test } from '@jest/globals';
import { openTestApp } from '#test/setup/test-app.ts';

const PUBLIC = 'https://ops.example';
test.each([
  [{ FAULTLINE_PUBLIC_URL: PUBLIC }, 'max-age=31536000'],
  [{ FAULTLINE_PUBLIC_URL: PUBLIC, FAULTLINE_HSTS: '0' }, null],
  [{ FAULTLINE_PUBLIC_URL: 'http://ops.example' }, null],
  [{ FAULTLINE_HSTS: '600' }, 'max-age=600'],
])('with %j browsers are told to use https alone: %s', async (env, expected) => {
  const it = await openTestApp(env);
  const replies = await Promise.all(['/livez', '/nowhere', '/api/events'].map((path) => it.send('GET', path)));
  expect(new Set(replies.map(({ headers }) => headers.get('strict-transport-security')))).toEqual(new Set([expected]));
  await it.stop();
});
