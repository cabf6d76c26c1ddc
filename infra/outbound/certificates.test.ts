import { expect, test } from '@jest/globals';
import { openCertificates } from './certificates.ts';
import { outboundGet } from './get.ts';

const URL_OF = 'https://sns.eu-central-1.amazonaws.com/x.pem';
const answering = (status: number) => openCertificates({ get: async () => ({ status, body: 'PEM' }) }, null);

test.each([
  [404, 'forbidden', 'sns.eu-central-1.amazonaws.com has no such signing certificate (HTTP 404)'],
  [403, 'forbidden', '(HTTP 403)'],
  [500, 'unavailable', 'fetch the signing certificate from sns.eu-central-1.amazonaws.com (HTTP 500)'],
])('a host that answers %d: %s, and the message names it', async (status, kind, message) => {
  const fetched = answering(status).pem(URL_OF);
  await expect(fetched).rejects.toMatchObject({ kind, message: expect.stringContaining(message) });
});

test('a certificate is fetched once', async () => {
  let asked = 0;
  const get = async () => ({ status: 200, body: `PEM ${++asked}` });
  const certificates = openCertificates({ get }, null);
  expect([await certificates.pem(URL_OF), await certificates.pem(URL_OF)]).toEqual(['PEM 1', 'PEM 1']);
});

test('a host that cannot be reached is named with the cause', async () => {
  const certificates = openCertificates(
    { get: (_, limits) => outboundGet.get('https://127.0.0.1:1/x.pem', limits) },
    null,
  );
  await expect(certificates.pem(URL_OF)).rejects.toMatchObject({
    kind: 'unavailable',
    message: "Couldn't fetch the signing certificate from 127.0.0.1:1 (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1)",
  });
});
