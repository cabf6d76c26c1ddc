import { isRecord } from '#domain/record-of.ts';
import type { StoredReply } from './idempotency.ts';

/** Stands beside a secret that a replay does not show. */
const SHOWN_ONCE = 'A secret is shown once, in the first reply; make a new one if it was lost.';

function emptied(record: unknown, names: readonly string[]): unknown {
  if (!isRecord(record)) return record;
  const secrets = names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, null] as const);
  return secrets.length === 0 ? record : { ...record, ...Object.fromEntries(secrets), note: SHOWN_ONCE };
}

/** A reply as it may be kept: the named fields of its record, bare or wrapped in `data`, are null, with a note why. */
export function withoutSecrets<T extends StoredReply>(reply: T, names: readonly string[] = []): T {
  if (names.length === 0) return reply;
  const { body } = reply;
  return {
    ...reply,
    body: isRecord(body) && isRecord(body.data) ? { ...body, data: emptied(body.data, names) } : emptied(body, names),
  };
}
