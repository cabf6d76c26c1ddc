import { inSteps } from '#application/tasks/in-steps.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { recordOf } from '#domain/record-of.ts';
import { authorization, SourceError, withoutSlash } from '#features/topology-sources/rules/connection.ts';
import { type AlertRules, alertRulesIn } from '#features/topology-sources/rules/prometheus/alert-rules.ts';
import {
  type LabelledValue,
  QUERIES,
  QUERY_NAMES,
  type SeriesByQuery,
  type SeriesQuery,
} from '#features/topology-sources/rules/prometheus/queries.ts';
import { errorIn, printOf, seriesIn } from '#features/topology-sources/rules/prometheus/reply.ts';
import type { TopologySource } from '#features/topology-sources/rules/source.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 128 * 1024 * 1024;

/** Returns the body of a reply. Throws SourceError. */
async function read(
  { outbound }: Pick<Ports, 'outbound'>,
  { url, auth }: TopologySource,
  path: string,
): Promise<string> {
  const address = `${withoutSlash(url ?? '')}/api/v1/${path}`;
  const reply = await outbound
    .read(address, {
      headers: { accept: 'application/json', ...authorization(auth) },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    .catch((error: Error) => {
      throw new SourceError(`Couldn't query ${new URL(address).host}: ${error.message}`);
    });
  if (reply.status !== 200) {
    const told = errorIn(reply.body);
    throw new SourceError(`HTTP ${reply.status} from ${new URL(address).host}${told === null ? '' : `: ${told}`}`);
  }
  return reply.body;
}

/** Null: the server has no rules, as some compatible ones, or too many. */
export const readAlertRules = (ports: Pick<Ports, 'outbound'>, source: TopologySource): Promise<AlertRules | null> =>
  read(ports, source, 'rules?type=alert').then(alertRulesIn, () => null);

/** Bodies of replies. */
export type SeriesBodies = ReadonlyMap<SeriesQuery, string>;

/** Sends queries one by one, to spare a server that everything depends on. Throws SourceError. */
export async function readPrometheus(ports: Pick<Ports, 'outbound'>, source: TopologySource): Promise<SeriesBodies> {
  const found = new Map<SeriesQuery, string>();
  for (const name of QUERY_NAMES)
    found.set(name, await read(ports, source, `query?query=${encodeURIComponent(QUERIES[name])}`));
  return found;
}

/** Throws SourceError. */
export async function seriesByQuery(
  { clock }: Pick<Ports, 'clock'>,
  source: TopologySource,
  bodies: SeriesBodies,
): Promise<SeriesByQuery> {
  const found = new Map<SeriesQuery, LabelledValue[]>();
  try {
    for (const [name, body] of bodies) found.set(name, await inSteps(seriesIn(body), clock));
  } catch {
    throw new SourceError(`${new URL(source.url ?? '').host} didn't respond like a Prometheus server`);
  }
  return recordOf(QUERY_NAMES, (name) => found.get(name) ?? []);
}

/** Hash of the replies, of all that the set is made of. */
export async function printOfSeries(
  { crypto, clock }: Pick<Ports, 'crypto' | 'clock'>,
  { url, cluster }: TopologySource,
  bodies: SeriesBodies,
): Promise<string> {
  const prints = [url, cluster];
  for (const body of bodies.values()) prints.push(await inSteps(printOf(body, crypto.sha256), clock));
  return prints.join(' ');
}
