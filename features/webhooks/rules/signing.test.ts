import { describe, expect, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { systemCrypto } from '#infra/system/crypto.ts';
import { systemClock } from '#infra/system/time.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { signedRequest } from './attempt.ts';
import { deliveryWith, SECRET, webhookWith } from './samples-for-tests.ts';
import { earlierSecretEnds, rotatedSecrets, SECRET_CHARACTERS, secretHint, secretOf } from './secret.ts';

const body = '{"event":"event.created","title":"déjà vu"}';
const HOUR = 3_600_000;
const now = systemClock.now();
const sent = (more: Parameters<typeof webhookWith>[0] = {}, at = now) =>
  signedRequest(systemCrypto.hmac, webhookWith(more), { ...deliveryWith(), body }, at);

/** Verifies like a receiver with the library. */
const verified = (secret: string, request: ReturnType<typeof sent>) =>
  new Verifier(secret).verify(request.body, request.headers as Record<string, string>);

test('the library of Standard Webhooks accepts a delivery', () => {
  expect(verified(SECRET, sent())).toEqual(JSON.parse(body));
  expect(sent().headers).toMatchObject({
    'webhook-id': deliveryWith().id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'content-type': 'application/json',
  });
});

test('and refuses another body, another secret and an old time', () => {
  const request = sent();
  expect(() => verified(SECRET, { ...request, body: `${body} ` })).toThrow();
  expect(() => verified(secretOf('a'.repeat(SECRET_CHARACTERS)), request)).toThrow();
  expect(() => verified(SECRET, sent({}, now - HOUR))).toThrow();
});

test('a generated secret can be used', () => {
  const value = secretOf(randomIds.secret(SECRET_CHARACTERS));
  expect(verified(value, sent({ secrets: [{ value, until: null }] }))).toEqual(JSON.parse(body));
});

describe('a rotated secret', () => {
  const value = secretOf('b'.repeat(SECRET_CHARACTERS));
  const secrets = rotatedSecrets([{ value: SECRET, until: null }], value, now + HOUR, now);
  test('signs beside the one before it until the grace is over', () => {
    for (const one of [value, SECRET]) expect(verified(one, sent({ secrets }))).toEqual(JSON.parse(body));
    const later = signedRequest(
      systemCrypto.hmac,
      webhookWith({ secrets: [secrets[0]!, { ...secrets[1]!, until: now }] }),
      { ...deliveryWith(), body },
      now + 1_000,
    );
    expect(verified(value, later)).toEqual(JSON.parse(body));
    expect(() => verified(SECRET, later)).toThrow();
  });
  test('tells when the earlier one ends, and gives neither away', () => {
    expect(earlierSecretEnds(secrets, now)).toBe(now + HOUR);
    expect(earlierSecretEnds(secrets, now + HOUR)).toBeNull();
    expect(rotatedSecrets(secrets, SECRET, now, now)).toHaveLength(1);
    expect(secretHint(secrets)).toBe('whsec_…bbbb');
  });
});

test('headers of the registration go along, and cannot replace ours', () => {
  const { headers } = sent({
    headers: { Authorization: 'Bearer x', 'webhook-id': 'mine', 'content-type': 'text/plain' },
  });
  expect(headers).toMatchObject({ Authorization: 'Bearer x', 'webhook-id': deliveryWith().id });
  expect(headers['content-type']).toBe('application/json');
});

test('PagerDuty gets its key in the body, which is stored without it', () => {
  const request = sent({ format: 'pagerduty', headers: { 'X-Routing-Key': 'R012' } });
  expect(JSON.parse(request.body)).toEqual({ routing_key: 'R012', ...JSON.parse(body) });
  expect(verified(SECRET, request)).toMatchObject({ routing_key: 'R012' });
});
