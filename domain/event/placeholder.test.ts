import { expect, test } from '@jest/globals';
import { growth, LINEAR } from '#test/setup/processor-time.ts';
import { isPlaceholder } from './placeholder.ts';

test.each([
  '',
  '  ',
  '-',
  '--',
  '—',
  '?',
  '???',
  '*',
  '...',
  '_',

  'null',
  'NULL',
  '(null)',
  '<null>',
  '[null]',
  '"null"',
  'nil',
  '<nil>',
  'None',
  '(none)',
  'undefined',
  '(undefined)',

  'unknown',
  'UNKNOWN',
  '*UNKNOWN*',
  '*UNDEFINED*',
  '<unknown>',
  '[unknown]',
  'n/a',
  'N/A',
  '#N/A',
  'n.a.',
  '(N/A)',

  '[no value]',
  '<no value>',
  '(no value)',
  'no value',
  'not set',
  '(not set)',
  'NaN',
  'unspecified',
  '{}',
  '[]',
  '""',

  '{{ $labels.instance }}',
  '{{ $labels.instance }}:9100',
  '{{instance}}',
  'db-{{ .Name }}.example.org',
  '{{ HOST }}',

  '\x24{HOST}',
  'web-\x24{INDEX}',
  '<no value>:9100',
  '[no value]/disk',
  '<%= host %>',
  '$HOSTNAME$',
  '$host.name$',
  '$HOST',

  '{HOST.NAME}',
  '{HOST.NAME1}',
  '{$MACRO:"x"}',
  '{#IFNAME}',
  '{{ITEM.VALUE}.regsub("a", "b")}',
  '{?avg(/h/k,1h)}',
  '%HOSTNAME%',
  '%%host%%',
  '%(host)s',
  '@HOST@',
  '@@host@@',
])('%j says nothing', (text) => {
  expect(isPlaceholder(text)).toBe(true);
});

test.each([
  'web-01',
  'db-1.example.org',
  '10.0.0.1',
  '::1',
  '[::1]',
  '[2001:db8::1]:9100',
  'localhost',
  '0',
  'x',
  'na',
  'NA',

  'none-1',
  'unknown-pleasures',
  'null.example.org',
  'undefined1',
  'nonesuch',
  'web-unknown',
  'db(null)',

  '$5',
  'US$',
  '$HOME/app',
  'a$b',
  '100%',
  'a%b%',
  '%temp',
  'user@host',
  '@home',
  '{shop}',
  '{Shop.Cart}',
  '日本語',
  'Ünknown',

  '-web',
  'a-',
  '*.example.org',
  'C:',
  '<b>x</b>',
  '[db]',
  '(db)',
  'no value of x',
  'not set up',
])('%j is a value', (text) => {
  expect(isPlaceholder(text)).toBe(false);
});

test.each(['{{', '\x24{', '<%', '$a', '{A', '%%a', '@@', '(', '<no value', '{{A}.', '-', '{?'])(
  'a long text of %j takes linear time',
  (piece) => {
    const text = piece.repeat(1_000_000);
    const work = (length: number): void => {
      for (let i = 0; i < 2_000; i++) isPlaceholder(text.slice(i, i + length));
    };
    expect(growth(work, 49)).toBeLessThan(LINEAR);
    expect(growth((length) => isPlaceholder(text.slice(0, length)), text.length / 8)).toBeLessThan(LINEAR);
  },
);
