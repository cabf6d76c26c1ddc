import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import type { ResolveHost } from './post.ts';
import { openPost } from './post.ts';
import { allowedFrom } from './public-address.ts';

let receiver: HookReceiver;
beforeAll(async () => {
  receiver = await openHookReceiver();
});
afterAll(() => receiver.stop());
/** The receiver under a name that the tests resolve. */
const named = (host: string): string => `http://${host}:${new URL(receiver.url).port}/x`;

/** Answers of a name server, one after the other; the last one repeatedly. */
const answering = (...answers: (readonly string[])[]): ResolveHost => {
  const left = [...answers];
  return (_host, _options, done) => {
    const addresses = left.length > 1 ? left.shift()! : left[0]!;
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
};
const PUBLIC = '192.0.43.8';
const posting = { headers: {}, body: '{}', timeoutMs: 1_000 };
const opened = (resolve: ResolveHost = answering([PUBLIC]), allow: readonly string[] = []) =>
  openPost({ allowed: allowedFrom(allow), resolve });

const BAD_TEXTS = [
  'http://127.0.0.1',
  'http://127.1',
  'http://2130706433',
  'http://0x7f000001',
  'http://0x7f.1',
  'http://0177.0.0.1',
  'http://127.0.0.1.',
  'http://0',
  'http://0.0.0.0',
  'http://[::1]',
  'http://[::]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[::127.0.0.1]',
  'http://10.0.0.1',
  'http://172.16.0.1',
  'http://192.168.1.1',
  'http://169.254.169.254/latest/meta-data',
  'http://[fe80::1]',
  'http://[fd00:ec2::254]',
  'http://[fec0::1]',
  'http://100.64.0.1',
  'http://[64:ff9b::7f00:1]',
  'http://[64:ff9b:1::a00:1]',
  'http://[2002:7f00:1::]',
  'http://[2001::1]',
  'http://[2001:db8::1]',
  'http://[100::1]',
  'http://192.0.0.1',
  'http://192.0.2.1',
  'http://198.18.0.1',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://[ff02::1]',
  'http://１２７.0.0.1',
  'https://user@example.com',
  'https://user:password@example.com',
  'ftp://example.com',
  'file:///etc/passwd',
  'gopher://example.com',
  'javascript:alert(1)',
  'data:,x',
  'example.com/hook',
  '//example.com',
  'http://',
  '',
];

test.each(BAD_TEXTS)('is refused by its text: %s', async (url) => {
  const outbound = opened();
  expect(outbound.refusal(url)).toMatch(/^expected /);
  await expect(outbound.post(url, posting)).rejects.toMatchObject({ class: 'refused address' });
  await outbound.close();
});

test.each(['https://example.com', 'http://192.0.43.8:8080/x?y', 'https://[2606:4700::1111]/', 'http://localhost'])(
  'may be called as far as its text tells: %s',
  (url) => {
    expect(opened().refusal(url)).toBeNull();
  },
);

const BAD_ANSWERS = [
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '100.64.0.1',
  '::1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '0.0.0.0',
  '::',
  'no address',
  'fe80::1%eth0',
];
test.each(BAD_ANSWERS)('a name that leads to %s is refused when it is connected', async (address) => {
  const outbound = opened(answering([address]));
  const name = named('rebinding.example');
  expect(outbound.refusal(name)).toBeNull();
  await expect(outbound.post(name, posting)).rejects.toMatchObject({ class: 'refused address' });
  await outbound.close();
});

describe('with loopback allowed', () => {
  const local = (resolve = answering(['127.0.0.1'])) => opened(resolve, ['127.0.0.0/8']);
  const hook = (): string => named('hooks.example');

  test('one bad address among good ones refuses them all', async () => {
    const before = receiver.received.length;
    const outbound = local(answering(['127.0.0.1', '10.0.0.1']));
    await expect(outbound.post(hook(), posting)).rejects.toMatchObject({ class: 'refused address' });
    expect(receiver.received).toHaveLength(before);
    await outbound.close();
  });

  test('a name that changes its answer is refused from its next connection on', async () => {
    const outbound = local(answering(['127.0.0.1'], ['10.0.0.1']));
    const once = { ...posting, headers: { connection: 'close' } };
    expect(await outbound.post(hook(), once)).toMatchObject({ status: 200 });
    await expect(outbound.post(hook(), posting)).rejects.toMatchObject({ class: 'refused address' });
    await outbound.close();
  });

  test.each([200, 204])('status %d is told with its time, and no body', async (status) => {
    const outbound = local();
    receiver.next(status);
    expect(await outbound.post(hook(), posting)).toEqual({ status, ms: expect.any(Number) });
    await outbound.close();
  });

  test.each([404, 410, 500])('status %d is told with the beginning of its text', async (status) => {
    const outbound = local();
    receiver.next(status);
    expect(await outbound.post(hook(), posting)).toEqual({ status, ms: expect.any(Number), answer: 'thanks' });
    await outbound.close();
  });

  test('a redirect is answered as it is', async () => {
    const before = receiver.received.length;
    const outbound = local();
    receiver.next({ redirectTo: '/other' });
    expect(await outbound.post(hook(), posting)).toMatchObject({ status: 307 });
    expect(receiver.received).toHaveLength(before + 1);
    await outbound.close();
  });

  test('ends with the time-out, also while the name is looked up', async () => {
    const outbound = local();
    const quick = { ...posting, timeoutMs: 50 };
    receiver.next('hang');
    await expect(outbound.post(hook(), quick)).rejects.toMatchObject({ class: 'timeout' });
    await outbound.close();
    const deaf = opened(() => undefined);
    await expect(deaf.post(hook(), quick)).rejects.toMatchObject({ class: 'timeout' });
    await deaf.close();
  });

  test('ends when it is told to', async () => {
    const outbound = local();
    const stop = AbortSignal.abort();
    await expect(outbound.post(hook(), { ...posting, signal: stop })).rejects.toMatchObject({ class: 'stopped' });
    await outbound.close();
  });

  test('says what went wrong in a few words that name no address', async () => {
    const outbound = local();
    const failure = await outbound.post('http://hooks.example:1/x', posting).catch((error: Error) => error);
    expect(failure).toMatchObject({ class: 'connection refused', message: 'connection refused' });
    receiver.next('hang-up');
    await expect(outbound.post(hook(), posting)).rejects.toMatchObject({ class: 'connection lost' });
    await outbound.close();
    const unknown = opened((_host, _options, done) =>
      done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []),
    );
    await expect(unknown.post(hook(), posting)).rejects.toMatchObject({ class: 'unknown host' });
    await unknown.close();
    const plain = local();
    await expect(plain.post(hook().replace('http:', 'https:'), posting)).rejects.toMatchObject({ class: 'tls' });
    await plain.close();
  });
});
