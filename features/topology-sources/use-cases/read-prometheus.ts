import { pause } from '#application/records/pause.ts';
import { inSteps } from '#application/tasks/in-steps.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { recordOf } from '#domain/record-of.ts';
import {
  authorization,
  failureOfStatus,
  failureWithout,
  SourceError,
  withoutSlash,
} from '#features/topology-sources/rules/connection.ts';
import { type AlertRules, alertRulesIn } from '#features/topology-sources/rules/prometheus/alert-rules.ts';
import {
  type LabelledValue,
  QUERIES,
  QUERY_NAMES,
  type SeriesByQuery,
  type SeriesQuery,
} from '#features/topology-sources/rules/prometheus/queries.ts';
import { errorIn, ReplyHash, seriesIn } from '#features/topology-sources/rules/prometheus/reply.ts';
import type { TopologySource } from '#features/topology-sources/rules/source.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 128 * 1024 * 1024;

/** Undecoded: most replies are the same as before, and are never decoded. */
type ReplyBody = readonly Buffer[];

const textOf = (body: ReplyBody): string => Buffer.concat(body).toString('utf8');

/** Throws SourceError. */
async function read(
  { outbound }: Pick<Ports, 'outbound'>,
  { url, auth }: TopologySource,
  path: string,
  heard: (chunk: Buffer) => void = () => undefined,
): Promise<ReplyBody> {
  const address = `${withoutSlash(url ?? '')}/api/v1/${path}`;
  const chunks: Buffer[] = [];
  const request = async (): Promise<number> => {
    const { status, body } = await outbound.stream(address, {
      headers: { accept: 'application/json', ...authorization(auth) },
      timeoutMs: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error(`the response is larger than ${MAX_BYTES} bytes`);
      chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      heard(chunks.at(-1)!);
      // A nearby server sends megabytes at a time, which would delay all requests.
      await pause(0);
    }
    return status;
  };
  const status = await request().catch((error: Error) => {
    throw new SourceError(`Couldn't query ${new URL(address).host}: ${error.message}`, failureWithout(error));
  });
  if (status !== 200) {
    const told = errorIn(textOf(chunks));
    throw new SourceError(
      `HTTP ${status} from ${new URL(address).host}${told === null ? '' : `: ${told}`}`,
      failureOfStatus(status),
    );
  }
  return chunks;
}

/** Null: the server has no rules, as some compatible ones, or too many. */
export const readAlertRules = (ports: Pick<Ports, 'outbound'>, source: TopologySource): Promise<AlertRules | null> =>
  read(ports, source, 'rules?type=alert').then(
    (body) => alertRulesIn(textOf(body)),
    () => null,
  );

/** Replies, and a hash of all that the set is made of. */
export interface PrometheusReplies {
  readonly bodies: ReadonlyMap<SeriesQuery, ReplyBody>;
  readonly hash: string;
}

/** Sends queries one by one, to spare a server that everything depends on. Throws SourceError. */
export async function readPrometheus(
  ports: Pick<Ports, 'outbound' | 'crypto'>,
  source: TopologySource,
): Promise<PrometheusReplies> {
  const bodies = new Map<SeriesQuery, ReplyBody>();
  const hashes = [source.url, source.cluster];
  for (const name of QUERY_NAMES) {
    const hash = new ReplyHash(ports.crypto.sha256);
    const path = `query?query=${encodeURIComponent(QUERIES[name])}`;
    bodies.set(name, await read(ports, source, path, (chunk) => hash.add(chunk.toString('latin1'))));
    hashes.push(hash.digest());
  }
  return { bodies, hash: hashes.join(' ') };
}

/** Throws SourceError. */
export async function seriesByQuery(
  { clock }: Pick<Ports, 'clock'>,
  source: TopologySource,
  { bodies }: PrometheusReplies,
): Promise<SeriesByQuery> {
  const found = new Map<SeriesQuery, LabelledValue[]>();
  try {
    for (const [name, body] of bodies) found.set(name, await inSteps(seriesIn(textOf(body)), clock));
  } catch {
    throw new SourceError(`${new URL(source.url ?? '').host} didn't respond like a Prometheus server`, 'wrong_url');
  }
  return recordOf(QUERY_NAMES, (name) => found.get(name) ?? []);
}
