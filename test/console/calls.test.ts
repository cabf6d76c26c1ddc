import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { routes } from '#api/http/routing/routes.ts';
import { ROOT } from '#test/conventions/planted.ts';
import { endpoints } from '#whole';

/** `'GET /api/events/{eventId}'`, and in the sign-in, which has no token yet, `ask('POST', 'api/auth/console'`. */
const CALL = /'(GET|POST|PUT|PATCH|DELETE) (\/[^'\s]+)'|\bask\('(GET|POST|PUT|PATCH|DELETE)', '(api\/[^']+)'/g;
const STREAM = /addressOf\([^,()]+, '(\/[^']+)'/g;

interface CallSite {
  readonly file: string;
  readonly method: string;
  readonly path: string;
}

const callsIn = (file: string, text: string): CallSite[] => [
  ...[...text.matchAll(CALL)].map(([, method, path, early, below]) => ({
    file,
    method: (method ?? early)!,
    path: path ?? `/${below}`,
  })),
  ...[...text.matchAll(STREAM)].map(([, path]) => ({ file, method: 'GET', path: path! })),
];

const files = globSync('{console,features/*/console}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['console/dist*'] }).filter(
  (file) => !file.endsWith('.test.ts'),
);
const calls = files.flatMap((file) => callsIn(file, readFileSync(join(ROOT, file), 'utf8')));
const known = new Set(routes(endpoints).all.map(({ mount, template }) => `${mount.method.toUpperCase()} ${template}`));
const unknown = (sites: readonly CallSite[]): string[] =>
  sites
    .filter(({ method, path }) => !known.has(`${method} ${path}`))
    .map(({ file, method, path }) => `${file}: ${method} ${path}`);

test('the server has every endpoint that the console calls, under the names of its parameters', () => {
  expect(unknown(calls)).toEqual([]);
});

test('a call that leads nowhere is found', () => {
  const text = `call('GET /api/events/{id}/nothing'); ask('POST', 'api/auth/nobody', {}); addressOf(root, '/sse/none');
    call<Me>('GET /api/me', {}); addressOf(root, '/sse/changes')`;
  expect(unknown(callsIn('x', text))).toEqual([
    'x: GET /api/events/{id}/nothing',
    'x: POST /api/auth/nobody',
    'x: GET /sse/none',
  ]);
});

test('the console asks in one place: nothing else opens connections', () => {
  const asking = files.filter((file) =>
    /\b(?:fetch\(|XMLHttpRequest|EventSource\(|WebSocket\(|sendBeacon)/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(asking.filter((file) => !file.startsWith('console/api/') && file !== 'console/main.tsx')).toEqual([]);
});
