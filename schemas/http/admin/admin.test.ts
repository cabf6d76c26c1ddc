import { describe, expect, test } from '@jest/globals';
import { problemsOf } from '#schemas/http/problems.ts';
import { LimitsPatch, NewTenant, NewToken, NewUser } from './admin.ts';
import { LoginRequest, RefreshRequest } from './auth.ts';

const fieldsOf = (schema: typeof NewToken | typeof NewUser | typeof NewTenant | typeof LimitsPatch, body: unknown) => {
  const { error } = schema.safeParse(body);
  return error === undefined ? [] : problemsOf(error, body).map(({ field }) => field);
};

describe('requests of the administration', () => {
  test('a token has defaults', () => {
    expect(NewToken.parse({ name: 'feed', role: 'ingest' })).toMatchObject({ kind: 'api_key', limits: {} });
  });

  test.each<[object, string[]]>([
    [{ name: 'feed', role: 'ingest' }, []],
    [{ name: 'feed', scopes: ['events.webhook'] }, []],
    [{ name: 'feed' }, ['role']],
    [{ name: 'feed', role: 'viewer', scopes: ['events.read'] }, ['role']],
    [{ name: 'feed', scopes: [] }, ['scopes']],
    [{ name: 'feed', scopes: ['events.everything'] }, ['scopes[0]']],
    [{ name: ' ', role: 'viewer' }, ['name']],
    [{ name: 'feed', role: 'root' }, ['role']],
    [{ name: 'feed', role: 'viewer', kind: 'discovery' }, ['kind']],
    [{ name: 'feed', role: 'viewer', limits: { none: 1 } }, ['limits.none']],
    [{ name: 'feed', role: 'viewer', limits: { ingest: 0 } }, ['limits.ingest']],
    [{ name: 'feed', role: 'viewer', secret: 'x' }, ['secret']],
  ])('token %p: %p', (body, fields) => expect(fieldsOf(NewToken, body)).toEqual(fields));

  test.each([
    [NewUser, { username: 'eva', role: 'viewer', password: 'hunter2' }, 'hunter2', 'password'],
    [NewUser, { username: 'eva', role: 'viewer', password: 7_311_905 }, '7311905', 'password'],
    [LoginRequest, { username: 'eva', password: 7_311_905 }, '7311905', 'password'],
    [RefreshRequest, { refreshToken: 'x'.repeat(257) }, 'xxx', 'refreshToken'],
  ])('a refused secret is not repeated (%#)', (schema, body, secret, field) => {
    const { error } = schema.safeParse(body);
    const problems = problemsOf(error!, body);
    expect(problems).toEqual([{ field, reason: expect.stringMatching(/^must/) }]);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });

  test.each<[object, string[]]>([
    [{ id: 'acme' }, []],
    [{ id: '_system' }, ['id']],
    [{ id: 'a'.repeat(64) }, ['id']],
  ])('tenant %p: %p', (body, fields) => expect(fieldsOf(NewTenant, body)).toEqual(fields));

  test.each<[object, string[]]>([
    [{ ingest: 1, bulk: null }, []],
    [{ ingest: 1.5 }, ['ingest']],
    [{ standardd: 1 }, ['standardd']],
  ])('limits %p: %p', (body, fields) => expect(fieldsOf(LimitsPatch, body)).toEqual(fields));
});
