import { ACCESS_KINDS, BOOTSTRAP_TOKEN_ID, type TokenRecord } from '#domain/access/records.ts';
import { NOTHING, type SourceActivity } from '#domain/event/source-counts.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Source } from '#sources/kit/source.ts';
import { sourceNamed, sources } from '#sources/sources.ts';
import { listMappings } from './mappings.ts';
import { readSourceCounts } from './stored-counts.ts';

type SourcePorts = Pick<Ports, 'records' | 'clock' | 'memory' | 'ids'>;

interface TokenUse {
  readonly id: string;
  /** Null: it is gone, or of another tenant. */
  readonly name: string | null;
  readonly at: number;
}
export interface SourceReport {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly isMonitor: boolean;
  /** Read as the tenant has mapped it. */
  readonly isMapped: boolean;
  readonly heard: SourceActivity;
  readonly tokens: readonly TokenUse[];
}

const INGEST = '/api/events/ingest';
/** Read in one answer; names of further ones are not returned. */
const MAX_TOKENS = 200;

/** Names of tokens, each read once. */
const tokenNames = async (
  { records }: SourcePorts,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const asked = [...new Set(ids)].slice(0, MAX_TOKENS);
  const found = await Promise.all(asked.map((id) => records.get<TokenRecord>(tenant, ACCESS_KINDS.token, id)));
  const named = found.flatMap((token) => (token === null ? [] : [[token.id, token.body.name] as const]));
  // It is a record of the first tenant, and sends to all.
  return new Map([...named, [BOOTSTRAP_TOKEN_ID, 'Bootstrap token']]);
};

const reportOf = (
  name: string,
  heard: SourceActivity,
  { names, mapped }: { readonly names: ReadonlyMap<string, string>; readonly mapped: ReadonlyMap<string, Source> },
): SourceReport => {
  const monitor = sourceNamed(name) ?? mapped.get(name);
  const tokens = Object.entries(heard.tokens).map(([id, at]) => ({ id, name: names.get(id) ?? null, at }));
  return {
    name,
    title: monitor?.title ?? name,
    path: monitor === undefined ? INGEST : `/api/events/webhook/${name}`,
    isMonitor: monitor !== undefined,
    isMapped: sourceNamed(name) === undefined && monitor !== undefined,
    heard,
    tokens: tokens.sort((a, b) => b.at - a.at),
  };
};

/** Returns every known monitoring system, and other sources with messages; the most recent first. */
export const listSources = async (ports: SourcePorts, tenant: string): Promise<SourceReport[]> => {
  const [heard, mappings] = await Promise.all([readSourceCounts(ports, tenant), listMappings(ports.records, tenant)]);
  const mapped = new Map(mappings.map((source) => [source.name, source] as const));
  const names = new Set([...heard.keys(), ...sources.map(({ name }) => name), ...mapped.keys()]);
  const ids = [...heard.values()].flatMap(({ tokens }) => Object.keys(tokens));
  const parts = { names: await tokenNames(ports, tenant, ids), mapped };
  return [...names]
    .map((name) => reportOf(name, heard.get(name) ?? NOTHING, parts))
    .sort((a, b) => b.heard.last - a.heard.last || (a.name < b.name ? -1 : 1));
};

/** Finds by any name of a monitoring system, or that of a sender with messages; throws Fault `not-found`. */
export const findSource = async (ports: SourcePorts, tenant: string, asked: string): Promise<SourceReport> => {
  const name = sourceNamed(asked)?.name ?? asked;
  const found = (await listSources(ports, tenant)).find((one) => one.name === name);
  if (found === undefined) throw notFound('Source', asked);
  return found;
};
