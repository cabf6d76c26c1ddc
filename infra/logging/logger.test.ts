import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { openLogger, withoutSecrets } from './logger.ts';

function recorded(level = 'debug') {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: openLogger({ level, pretty: false, destination }), lines };
}

describe('log', () => {
  test.each(['authorization', 'cookie', 'password', 'token', 'refreshToken', 'secret'])('%s is censored', (name) => {
    const { log, lines } = recorded();
    log.info({ [name]: 's3cr3t', deep: { [name]: 's3cr3t', deeper: { [name]: 's3cr3t' } } }, 'x');
    expect(lines.join('')).not.toContain('s3cr3t');
    expect(lines.join('')).toContain('[redacted]');
  });

  test('an error that quotes a URL or a header loses the credential in message and stack', () => {
    const { log, lines } = recorded();
    log.error({ err: new Error('GET /x?a=1&token=s3cr3t failed with Authorization: Bearer s3cr3t.abc') }, 'x');
    expect(lines.join('')).not.toContain('s3cr3t');
    expect(lines.join('')).toContain('/x?a=1&token=[redacted]');
  });

  test('what is below the level is not written', () => {
    const { log, lines } = recorded('warn');
    log.info({}, 'quiet');
    log.warn({}, 'loud');
    expect(lines).toHaveLength(1);
  });
});

test.each([
  ['/x?token=abc&b=1', '/x?token=[redacted]&b=1'],
  ['/x?b=1&token=abc', '/x?b=1&token=[redacted]'],
  ['the token flt_abc123 is old', 'the token flt_[redacted] is old'],
  ['session flr_abc123 is over', 'session flr_[redacted] is over'],
  ['Basic dXNlcjpwYXNz', 'Basic [redacted]'],
  ['tokens=5 are fine', 'tokens=5 are fine'],
])('%s', (text, expected) => expect(withoutSecrets(text)).toBe(expected));
