import { describe, expect, test } from '@jest/globals';
import { parseEventId } from '#domain/event/event.ts';
import { seededBytes, setClock } from '#test/setup/set-clock.ts';
import { deriveAnywhere, deriveNatively, idsAt, idsFrom, systemCrypto } from './crypto.ts';
import { systemClock } from './time.ts';

const NOON = Date.UTC(2026, 0, 15, 12);

test('the clock gives epoch milliseconds', () => {
  const before = Date.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});

describe('ids', () => {
  const systemIds = idsAt(systemClock);

  test('grow, also within one millisecond and when the clock goes back', () => {
    const clock = setClock(NOON);
    const ids = idsFrom(clock.now, seededBytes(7));
    const made = [NOON, NOON, NOON + 1, NOON - 5000, NOON + 2].map((at) => {
      clock.set(at);
      return ids.ulid();
    });
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(5);
    for (const id of made) expect(parseEventId(id)).toBe(id);
  });

  test('of the system differ and have the form of a ULID', () => {
    const made = Array.from({ length: 5_000 }, () => systemIds.ulid());
    expect(new Set(made).size).toBe(5_000);
    expect(made.every((id) => parseEventId(id) === id)).toBe(true);
  });

  test('secrets are base62 of the length asked, and bytes that would favour some characters are thrown away', () => {
    expect(systemIds.secret(30)).toMatch(/^[0-9A-Za-z]{30}$/);
    let byte = 246;
    const ids = idsFrom(
      () => NOON,
      () => byte++ % 256,
    );
    expect(ids.secret(4)).toBe('yz01');
  });
});

describe('passwords', () => {
  test('verify against their own hash alone', async () => {
    const hash = await systemCrypto.hashPassword('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await systemCrypto.verifyPassword('correct horse', hash)).toBe(true);
    expect(await systemCrypto.verifyPassword('correct horsf', hash)).toBe(false);
    expect(await systemCrypto.hashPassword('correct horse')).not.toBe(hash);
  });

  test('are derived alike where Node has no argon2', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const cost = { memory: 19_456, passes: 2, parallelism: 1 };
    const keys = [deriveAnywhere, deriveNatively].map((derive) => derive('correct horse', salt, 32, cost));
    const [anywhere, natively] = await Promise.all(keys);
    expect(Buffer.from(anywhere!)).toEqual(natively);
  });

  test.each(['', 'plain', '$argon2id$v=19$m=0,t=0,p=0$AAAA$AAAA', '$2b$10$abcdefghijklmnopqrstuv'])(
    'a hash that cannot be read verifies nothing: %s',
    async (hash) => expect(await systemCrypto.verifyPassword('x', hash)).toBe(false),
  );
});

test('sha256 is hex over UTF-8', () => {
  expect(systemCrypto.sha256('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
});

describe('RSA signatures', () => {
  /** Self-signed; its key was thrown away after it made the two signatures. */
  const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDCTCCAfGgAwIBAgIULpsh8VAIwuZuvj09gB0MJq5EALMwDQYJKoZIhvcNAQEL
BQAwEzERMA8GA1UEAwwIc25zLnRlc3QwIBcNMjYxMTIxMTEyMTE3WhgPMjEyNjEw
MjgxMTIxMTdaMBMxETAPBgNVBAMMCHNucy50ZXN0MIIBIjANBgkqhkiG9w0BAQEF
AAOCAQ8AMIIBCgKCAQEAmn+881F+Wkte0suwxWAT2q+vphii6WaDBCXTRMNaVVpL
6deM5YeHfmyB7evarAxI7/FQCfKdYZSucS2pjXwfSQuhyKdB4q1BmsamZrcIQRKR
VzVA1o3aqlyu93lntPrjtP3n/RsnWtLvUycql/0ToBf2oGZXYHeo0M7Xts985Z5O
Sonh9MatoxdkEvrLVjXU2ylxCWJ2/42EnZDvDNLs/8ruKuPdB260rHi83rqFy81E
m61enVN7VMaq02xLX1kBGaCGZE0ixe7qcozuycA7dh+L3gF7kxMk5GuzCvCNkTdx
StPs1SqxNdpuYCMFcCDJas1De3uze/KWXGiAJ9CJvQIDAQABo1MwUTAdBgNVHQ4E
FgQUXfmuWlR29Rb8IHzRekLXmj340KUwHwYDVR0jBBgwFoAUXfmuWlR29Rb8IHzR
ekLXmj340KUwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAEm+n
IT1eiUfRSmp1OtzlwkGbVoU3B4MS2n897IycUx29Wru8NWZs6fn3GNqKRt8IIUq8
Zv3/UZJncnJzmlDM+dGjFI7VoHetrpGXbQxV0kmWB9UILXghjnNMz47nPws/XsVc
JdyN1Zo8kGtQvNLauMx8YXwrb9rTTr8SDo+KCHlnQg6Q64nB+OHPUa1igcTylhCc
q0HaLTs3U5NjoZqg5QD2JJNCaJA1K8q9rvyTCJozbzw2TofBWEjPgbCX/MBjmy3t
XUbC5/dRgtW5XWymIcpe030jJtlxfNBtsGvmfIDAgtxA/LctPoMi9cMyp0Z1dvK5
wQFiaf4L6Jjnmj3aZg==
-----END CERTIFICATE-----`;
  const TEXT = 'Message\nhello\n';
  const SIGNATURES = {
    sha1: 'CE0cQYSeSiA2MY0W1RmITkmLKXCbZPjRzsN5+rS19rAbSObZWj4M1fV1hIy6ZZKBraMzZqr0MGEPEiSzI2HgF9GF/kIWS2+TgkmluwfVWXyJUH2QWyqVcQXMln9ntbpQZgV9ik9IVSK0iSRHVPBXtSjSSJz6lRzX/s7zIU6zZs0D1osXkiy3kti7dw18cDCJNGsbGrCdrS49q56hlocnNLjYRpO5kzECP1gVm5i2lZwyN5LrQod0kG82slvcb/nJtMum9hD6vvaMys3T/ngwmbYjL0Q36Gx+9yPZREgeGrhUHfPcGyp+ub4Nf8Yo6B0/XxEbUzEjYTbFyoKZnWmWXA==',
    sha256:
      'ImZOpvhiPRou5pBY2mZT47EXlP+0+emO/kiQqONQziQuiZSIRHzQiMnj6FstImPG3gG0yq0dzkOmpB27KsSpmbf1i427BoosdOJP7mcxbuY0BtBJWeOLv0zmUg2FpSDIwIUlbnZPcMne4UrrfcE7f9bc2CK10p5Rd53uHB/bc2ahrdC2CUS3xv3UMhow4qyWxJSKy7OOEmH3L8uVoT8kWC2MZphuTslLM1ycNsqVM7R/SvMBIhLxG6x+yc+H6uE4AuUMXTf9M7JcDyQgVuGYoG/pbAb18Ucp84jewcZRTxldOju3HF5/v+QhDwa8ipnf+tqJRzposGeA0I1GNHIOcg==',
  };

  test.each([
    ['sha1', 'sha1', TEXT, true],
    ['sha256', 'sha256', TEXT, true],
    ['sha1', 'sha256', TEXT, false],
    ['sha256', 'sha256', `${TEXT}.`, false],
  ] as const)('made with %s, checked as %s over %j: %p', (made, checked, text, good) => {
    expect(systemCrypto.verifyRsa(checked, text, SIGNATURES[made], CERTIFICATE)).toBe(good);
  });

  test('without a signature or a certificate verify nothing', () => {
    expect(systemCrypto.verifyRsa('sha256', TEXT, 'x', CERTIFICATE)).toBe(false);
    expect(systemCrypto.verifyRsa('sha256', TEXT, SIGNATURES.sha256, 'no certificate')).toBe(false);
  });
});

test('HMAC-SHA-256 as the specification of Standard Webhooks has it', () => {
  const signed = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
  expect(systemCrypto.hmac('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signed)).toBe(
    'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});
