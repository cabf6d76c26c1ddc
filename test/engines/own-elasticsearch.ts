import { randomBytes } from 'node:crypto';
import type { Clock } from '#domain/ports/clock.ts';
import { type Elasticsearch, openElasticsearch } from '#infra/elasticsearch/open-elasticsearch.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { addresses } from './addresses.ts';
import { dropIndices } from './drop-indices.ts';

export interface OwnElasticsearch extends Elasticsearch {
  readonly prefix: string;
  /** Opens the same indices a second time, as another process would; closed with the first. */
  another(): Promise<Elasticsearch>;
  /** Drops all indices behind its back. */
  wipe(): Promise<void>;
  /** Asks Elasticsearch itself. */
  rest(method: string, path: string, body?: unknown): Promise<unknown>;
}

const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${addresses().elasticsearch}/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return reply.json();
};

/** Indices of their own for one file of tests, which go with it. Searches see nothing by themselves, so that a forgotten refresh shows. */
export async function ownElasticsearch(clock: Clock = setClock(0)): Promise<OwnElasticsearch> {
  const prefix = `t${randomBytes(5).toString('hex')}`;
  const opened: Elasticsearch[] = [];
  const open = async (): Promise<Elasticsearch> => {
    const options = { node: addresses().elasticsearch, prefix, clock, refreshInterval: '-1' };
    const one = await openElasticsearch(options);
    opened.push(one);
    return one;
  };
  const wipe = (): Promise<void> => dropIndices(prefix);
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((one) => one.close()));
    await wipe();
    await ask('DELETE', `_index_template/${prefix}-*`);
  };
  return { ...(await open()), prefix, another: open, rest: ask, wipe, close };
}
