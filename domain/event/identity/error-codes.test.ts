import { expect, test } from '@jest/globals';
import { errorCodesOf, keywordsOf } from './signature.ts';

test.each<[string, string[]]>([
  ['E1234 fan failure', ['E1234']],
  ['Backup ended with ORA-00600: internal error', ['ORA-00600']],
  ['ORA-12541 after TNS-12541, again ORA-12541', ['ORA-12541', 'TNS-12541']],
  ['answered HTTP 503', ['HTTP 503']],
  ['answered HTTP/1.1 503', ['HTTP 503']],
  ['status code: 503', ['HTTP 503']],
  ['upstream returned 502 Bad Gateway', ['HTTP 502']],
  ['many HTTP 5xx', ['HTTP 5XX']],
  ['Update failed with 0x80070005', ['0X80070005']],
  ['SQLSTATE[HY000] Connection refused', ['SQLSTATE HY000']],
  ['ERROR 1213 (40001)', ['ERROR 1213']],
  ['Event ID 4625: logon failure', ['EVENT ID 4625']],
  ['exited with exit code 137', ['EXIT CODE 137']],
  ['connect ECONNREFUSED 10.0.3.17:5432', ['ECONNREFUSED']],
  ['killed by SIGKILL', ['SIGKILL']],
  ['net::ERR_CERT_DATE_INVALID', ['ERR_CERT_DATE_INVALID']],
  ['drive E: 95% full', []],
  ['error: 17 connections left', []],
  ['pointer 0x7ffe12ab34cd9', []],
  ['SERVER1234 HTTPS 443', []],
])('codes of %s', (title, codes) => {
  expect(errorCodesOf(title)).toEqual(codes);
  expect(errorCodesOf(title.toLowerCase())).toEqual(codes);
});

test.each<[string, string[]]>([
  ['link down, link down', ['down', 'link']],
  ['shutdown of the download', []],
  ['out of memory: oom killed', ['killed', 'memory', 'oom']],
  [
    'unreachable timeout refused full failed denied expired degraded flapping deadlock latency',
    [
      'deadlock',
      'degraded',
      'denied',
      'expired',
      'failed',
      'flapping',
      'full',
      'latency',
      'refused',
      'timeout',
      'unreachable',
    ],
  ],
])('keywords of %s are whole words', (text, words) => {
  expect(keywordsOf(text)).toEqual(words);
});
