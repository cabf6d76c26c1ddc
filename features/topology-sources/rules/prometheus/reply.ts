/** The reply of a Prometheus server to an instant query. */
import { isRecord } from '#domain/record-of.ts';
import type { LabelledValue } from './queries.ts';

const textsOf = (metric: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(metric).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

/** Returns the series of a vector. Throws Error for other results. */
export function seriesIn(body: string): LabelledValue[] {
  const reply: unknown = JSON.parse(body);
  if (!isRecord(reply) || !isRecord(reply.data)) throw new Error('expected the JSON reply of a Prometheus server');
  const { resultType, result } = reply.data;
  if (reply.status !== 'success' || resultType !== 'vector' || !Array.isArray(result))
    throw new Error('expected an instant vector');
  return result.flatMap((one: unknown): LabelledValue[] => {
    if (!isRecord(one) || !isRecord(one.metric) || !Array.isArray(one.value)) return [];
    return [{ labels: textsOf(one.metric), value: Number(one.value[1]) }];
  });
}

/** Reads the error message of a Prometheus server; null: the body has none. */
export function errorIn(body: string): string | null {
  try {
    const reply: unknown = JSON.parse(body);
    return isRecord(reply) && typeof reply.error === 'string' ? reply.error.slice(0, 200) : null;
  } catch {
    return null;
  }
}
