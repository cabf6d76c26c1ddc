import { expect, test } from '@jest/globals';
import { openClient } from '#cli/client/client.ts';
import { printWhereToLook } from './demo.ts';

const access = { url: 'http://127.0.0.1:8080', token: 'flt_platform' };
const tenants = (['calibrated', 'specified'] as const).map((profile) => {
  const token = `flt_${profile}`;
  return { id: `demo-1-${profile}`, profile, token, client: openClient({ url: access.url, token }) };
});
const printed = (goesOn: boolean | null): string => {
  const lines: string[] = [];
  printWhereToLook({ print: (text) => lines.push(text), isTerminal: false }, access, goesOn, tenants);
  return lines.join('\n');
};

test('a server that was running before keeps the tenants, which are named, and is not stopped with Ctrl-C', () => {
  const text = printed(null);
  expect(text).toContain(
    'The server at http://127.0.0.1:8080 has tenants demo-1-calibrated and demo-1-specified. Their tokens expire in 24h.',
  );
  expect(text).toContain('DELETE /api/admin/tenants/{id}');
  expect(text).not.toContain('Ctrl-C');
  expect(text).toContain('npx faultline groups --url http://127.0.0.1:8080 --token flt_calibrated');
});

test('a server of its own goes on until Ctrl-C when it was asked to, else nothing is left to look at', () => {
  expect(printed(true)).toContain('Server still running at http://127.0.0.1:8080');
  expect(printed(true)).toContain('stop it with Ctrl-C');
  expect(printed(true)).not.toContain('DELETE');
  expect(printed(false)).toBe('');
});
