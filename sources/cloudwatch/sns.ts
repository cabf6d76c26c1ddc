/** The envelope of Amazon SNS: what to verify, and which addresses may be called. */
import { z } from 'zod';
import { Fault, invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { text } from '../kit/shapes.ts';
import type { InboundSettings, SignedEnvelope } from '../kit/source.ts';

const HOST = /^sns\.[a-zA-Z0-9-]{3,}\.amazonaws\.com(\.cn)?$/;

function parsedUrl(url: string): URL | undefined {
  // Backslashes and control characters read differently in different parsers.
  if (url.length > 2048 || /[\\\s\p{Cc}]/u.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url);
}

/**
 * True if Faultline may call this address from an SNS message: https on the standard port of an SNS host, no
 * credentials.
 */
export function isSnsUrl(url: string): boolean {
  const parsed = parsedUrl(url);
  return (
    parsed !== undefined &&
    parsed.protocol === 'https:' &&
    parsed.port === '' &&
    parsed.username === '' &&
    parsed.password === '' &&
    HOST.test(parsed.hostname)
  );
}

/** True if a signing certificate may be fetched from there: an SNS address of a .pem file. */
export const isSnsCertificateUrl = (url: string): boolean => isSnsUrl(url) && new URL(url).pathname.endsWith('.pem');

const SNS_TYPES = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const;
type SnsType = (typeof SNS_TYPES)[number];

/** Texts are exactly as sent, because they are signed. */
export interface SnsEnvelope {
  readonly type: SnsType;
  readonly message: string;
  readonly messageId: string;
  readonly topic: string;
  readonly subject?: string;
  readonly timestamp?: string;
  readonly subscribeUrl?: string;
  readonly signed: SignedEnvelope;
}

const NOTIFICATION_FIELDS = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const CONFIRMATION_FIELDS = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

const exact = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const shape = z.object({
  Type: text,
  Message: exact,
  MessageId: z.string().min(1),
  TopicArn: z.string().min(1),
  Subject: exact,
  Timestamp: exact,
  SubscribeURL: exact,
  SignatureVersion: text,
  Signature: text,
  SigningCertURL: text,
});

export const isSnsEnvelope = (body: unknown): body is Readonly<Record<string, unknown>> =>
  isRecord(body) && typeof body.Type === 'string' && ('TopicArn' in body || 'MessageId' in body || 'Signature' in body);

/** A Lambda function is given envelopes as records, one at a time; one field of them has another spelling. */
export function outOfRecord(body: unknown): unknown {
  const [record, ...more] = isRecord(body) && Array.isArray(body.Records) ? (body.Records as readonly unknown[]) : [];
  if (more.length > 0 || !isRecord(record) || !isRecord(record.Sns)) return body;
  return { SigningCertURL: record.Sns.SigningCertUrl, ...record.Sns };
}

const isSnsType = (word: string | undefined): word is SnsType => SNS_TYPES.some((type) => type === word);

function stringToSign(body: Readonly<Record<string, unknown>>, type: SnsType): string {
  const fields = type === 'Notification' ? NOTIFICATION_FIELDS : CONFIRMATION_FIELDS;
  return fields
    .filter((field) => typeof body[field] === 'string')
    .map((field) => `${field}\n${String(body[field])}\n`)
    .join('');
}

/** Throws Fault `invalid` for an unknown type or a missing field, `forbidden` for a topic that may not post. */
export function snsEnvelope(body: Readonly<Record<string, unknown>>, settings: InboundSettings): SnsEnvelope {
  const said = shape.safeParse(body);
  const type = textOfType(body.Type);
  if (!isSnsType(type)) throw invalid('Type', `expected ${SNS_TYPES.join(', ')}`);
  if (!said.success) throw invalid(String(said.error.issues[0]?.path[0] ?? 'body'), 'expected text as sent by SNS');
  const { data } = said;
  const version = data.SignatureVersion ?? '1';
  if (version !== '1' && version !== '2') throw invalid('SignatureVersion', 'expected 1 or 2');
  assertTopic(data.TopicArn, settings);
  return {
    type,
    message: data.Message ?? '',
    messageId: data.MessageId,
    topic: data.TopicArn,
    ...(data.Subject !== undefined && { subject: data.Subject }),
    ...(data.Timestamp !== undefined && { timestamp: data.Timestamp }),
    ...(data.SubscribeURL !== undefined && { subscribeUrl: data.SubscribeURL }),
    signed: {
      scheme: 'sns',
      signatureVersion: version,
      signature: data.Signature ?? '',
      certificateUrl: data.SigningCertURL ?? '',
      topic: data.TopicArn,
      stringToSign: stringToSign(body, type),
    },
  };
}

const textOfType = (type: unknown): string | undefined => (typeof type === 'string' ? type : undefined);

/** A list that is empty allows every topic; the caller is authenticated all the same. */
export function assertTopic(topic: string, settings: InboundSettings): void {
  if (settings.snsTopics.length > 0 && !settings.snsTopics.includes(topic))
    throw new Fault('forbidden', 'TopicArn: topic not allowed in the inbound settings');
}
