import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/* Just enough DER (X.690) for a self-signed X.509 certificate. */

const length = (n: number): number[] => (n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff]);
const der = (tag: number, ...parts: (Buffer | number[])[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([tag, ...length(body.length)]), body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const time = (text: string): Buffer => der(0x17, Buffer.from(text, 'latin1'));

const SHA256_WITH_RSA = sequence(der(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]), der(0x05));
const COMMON_NAME = der(0x06, [0x55, 0x04, 0x03]);
const NAME = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('test')))));
const VALIDITY = sequence(time('200101000000Z'), time('491231235959Z'));

export interface SelfSigned {
  readonly privateKey: KeyObject;
  /** The certificate as PEM. */
  readonly certificate: string;
}

/** A new RSA key of 2,048 bits with a certificate that it signed itself. */
export const selfSigned = (): SelfSigned => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(der(0x02, [1]), SHA256_WITH_RSA, NAME, VALIDITY, NAME, spki);
  const signature = der(0x03, [0], sign('sha256', body, privateKey));
  const base64 = sequence(body, SHA256_WITH_RSA, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return { privateKey, certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n` };
};
