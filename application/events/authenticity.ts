import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { isSnsCertificateUrl, isSnsUrl } from '#schemas/sources/sns.ts';
import type { InboundSettings, SignedEnvelope } from '#schemas/sources/source.ts';

const forged = (why: string): Fault => new Fault('forbidden', `The message is not accepted: ${why}`);

/** Throws unless the envelope was signed by the cloud it names and its topic is one the tenant listens to. */
export const checkAuthenticity = async (
  ports: Ports,
  envelope: SignedEnvelope,
  settings: InboundSettings,
): Promise<void> => {
  if (!isSnsCertificateUrl(envelope.certificateUrl)) throw forged('SigningCertURL is not an address of Amazon SNS');
  if (settings.snsTopics.length > 0 && !settings.snsTopics.includes(envelope.topic)) {
    throw forged('its TopicArn is not on the list in the inbound settings');
  }
  const pem = await ports.certificates.pem(envelope.certificateUrl);
  const algorithm = envelope.signatureVersion === '2' ? 'sha256' : 'sha1';
  if (!ports.crypto.verifyRsa(algorithm, envelope.stringToSign, envelope.signature, pem)) {
    throw forged('its signature does not match');
  }
};

const CONFIRM = { timeoutMs: 10_000, maxBytes: 64 * 1_024 };

/** Confirms a subscription by calling the address that came with it; only Amazon SNS is ever called. */
export const confirmSubscription = async (ports: Ports, url: string): Promise<void> => {
  if (!isSnsUrl(url)) throw forged('SubscribeURL is not an address of Amazon SNS');
  const { status } = await ports.outbound.get(url, CONFIRM).catch((cause: Error) => {
    throw new Fault('unavailable', `The subscription could not be confirmed: no answer of ${cause.message}`, [], {
      retryAfter: 20,
      cause,
    });
  });
  if (status < 200 || status > 299) {
    throw new Fault('unavailable', `The subscription could not be confirmed: SNS answered ${status}`, [], {
      retryAfter: 20,
    });
  }
};
