import type { HashedBody } from '#api/http/input/hashed-body.ts';
import type { Exchange } from '#api/http/routing/exchange.ts';
import {
  type Begun,
  begin,
  finish,
  type RequestLease,
  renewed,
  requireSame,
  type StoredReply,
} from '#api/http/routing/idempotency.ts';
import type { Route } from '#api/http/routing/routes.ts';
import type { Serving } from '#api/http/routing/serving.ts';
import { isRecord } from '#domain/record-of.ts';
import type { JsonReply } from './reply.ts';

/** Note beside a secret that a replay does not show. */
const SHOWN_ONCE = 'Secrets are shown once, in the first response. If you lost this one, rotate it.';

function emptied(record: unknown, names: readonly string[]): unknown {
  if (!isRecord(record)) return record;
  const secrets = names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, null] as const);
  return secrets.length === 0 ? record : { ...record, ...Object.fromEntries(secrets), note: SHOWN_ONCE };
}

/**
 * Returns a reply that may be stored: the named fields of its record, bare or wrapped in `data`, are null, with an
 * explanation.
 */
function withoutSecrets<T extends StoredReply>(reply: T, names: readonly string[] = []): T {
  if (names.length === 0) return reply;
  const { body } = reply;
  return {
    ...reply,
    body: isRecord(body) && isRecord(body.data) ? { ...body, data: emptied(body.data, names) } : emptied(body, names),
  };
}

/** One request with its key. */
export interface Keyed {
  readonly serving: Serving;
  readonly exchange: Exchange;
  readonly route: Route;
  readonly key: string;
}
const FINISH_MS = 2_000;
/** Handles the request: a reply, or the status of one that has left already. */
type Run = () => Promise<JsonReply | number>;

/** The same request: path, query and body to the letter. */
const fingerprint = ({ serving, exchange: { path, search } }: Keyed, body: string): string =>
  serving.ports.crypto.sha256(`${path}${search}\n${body}`);

const claimed = ({ serving, exchange, route, key }: Keyed, hash: string | null): Promise<Begun> =>
  serving.ports.deadline.inTime(() =>
    begin(
      serving.ports.records,
      { tenant: exchange.tenant, endpoint: route.endpoint.id, key, hash },
      exchange.receivedAt,
    ),
  );

const replayed = ({ exchange }: Keyed, { replay }: Extract<Begun, { replay: unknown }>): JsonReply => {
  exchange.headers['Idempotency-Replayed'] = 'true';
  return replay;
};

/** Runs, and stores the outcome under the current lease. */
async function runOnce({ serving, route }: Keyed, run: Run, lease: () => RequestLease): Promise<JsonReply | number> {
  const { records, clock, deadline } = serving.ports;
  let kept: JsonReply | null = null;
  try {
    const reply = await run();
    if (typeof reply !== 'number' && reply.status < 300) kept = withoutSecrets(reply, route.endpoint.secretFields);
    return reply;
  } finally {
    const noted = () => deadline.inTime(() => finish(records, lease(), kept, clock.now()));
    // The key is released also when the time of the request is over.
    await (deadline.left() < FINISH_MS ? deadline.within(FINISH_MS, noted) : noted());
  }
}

/** A body that is processed while it arrives is known at its end: until then the key represents any content. */
async function streamedOnce(keyed: Keyed, body: HashedBody, run: Run): Promise<JsonReply | number> {
  const begun = await claimed(keyed, null);
  if ('replay' in begun) {
    requireSame(begun.hash, fingerprint(keyed, await body.readAll()));
    return replayed(keyed, begun);
  }
  const { records, clock } = keyed.serving.ports;
  let { lease } = begun;
  body.between = async () => {
    lease = await renewed(records, lease, clock.now());
  };
  return runOnce(keyed, run, () => ({ ...lease, hash: body.hash && fingerprint(keyed, body.hash) }));
}

/** Runs a request with a key once: its repetition gets the first reply. Throws as `begin` does. */
export async function storeReply(keyed: Keyed, mark: string | HashedBody, run: Run): Promise<JsonReply | number> {
  if (typeof mark !== 'string') return streamedOnce(keyed, mark, run);
  const begun = await claimed(keyed, fingerprint(keyed, mark));
  return 'replay' in begun ? replayed(keyed, begun) : runOnce(keyed, run, () => begun.lease);
}
