import { entryOf } from '#domain/assert.ts';
import type { QueryAsking } from './asking.ts';

/** Signatures whose titles are looked up. */
const MOST = 200;

/** Title of the newest event by signature. */
export async function titlesOf(
  { tenant, ports, receivedAt }: QueryAsking,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const range = { from: 0, to: receivedAt, limit: 1 };
  const past = await ports.eventHistory.history(tenant, signatures.slice(0, MOST), range);
  const newest = new Map([...past].flatMap(([signature, [event]]) => (event ? [[event.id, signature]] : [])));
  const events = await ports.events.getMany(tenant, [...newest.keys()]);
  return new Map(events.map(({ id, title }) => [entryOf(newest, id), title]));
}
