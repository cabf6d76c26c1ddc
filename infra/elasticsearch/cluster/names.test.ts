import { expect, test } from '@jest/globals';
import { documentId, Names } from './names.ts';

test('an id decides its index', () => {
  const names = new Names('fl');
  expect(names.weekly('events', '01KAKZQ5VG0000000000000000')).toMatch(/^fl-events-\d{4}\.\d{2}\.\d{2}$/);
  expect(names.weekly('events', 'EVT-1')).toBeNull();
});

test.each(['', 'Upper', '-x', 'a_b', 'a*', 'a'.repeat(62)])('the prefix %j is refused', (prefix) => {
  expect(() => new Names(prefix)).toThrow('prefix');
});

test('ids that Elasticsearch would refuse are hashed, and stay apart', () => {
  const long = 'ä'.repeat(300);
  expect(documentId('acme', 'user', 'a/b')).toBe('acme/user/a/b');
  expect(documentId('acme', 'user', 'x'.repeat(400))).toHaveLength('acme/user/'.length + 400);
  const hashed = documentId('acme', 'user', long);
  expect(hashed).toMatch(/^acme\/user\/[\w-]{43}$/);
  expect(documentId('acme', 'user', `${long}!`)).not.toBe(hashed);
});
