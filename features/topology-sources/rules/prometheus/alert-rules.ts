/** Alerting rules of a Prometheus server (`/api/v1/rules?type=alert`). */
import { isRecord } from '#domain/record-of.ts';

const SECOND_MS = 1_000;
/** Maximum number of alert names. */
const MAX_NAMES = 1_000;

export interface AlertRules {
  /** Shortest `for` by alert name, ms; rules without one are left out. */
  readonly durations: Readonly<Record<string, number>>;
  /** Number of firing alerts. */
  readonly firing: number;
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Null: the body is no reply of a Prometheus server. */
export function alertRulesIn(body: string): AlertRules | null {
  const reply = parsed(body);
  if (!isRecord(reply) || !isRecord(reply.data) || !Array.isArray(reply.data.groups)) return null;
  const durations = new Map<string, number>();
  let firing = 0;
  for (const { name, duration, alerts } of listOf(reply.data.groups).flatMap(({ rules }) => listOf(rules))) {
    firing += listOf(alerts).filter(({ state }) => state === 'firing').length;
    if (typeof name !== 'string' || typeof duration !== 'number' || !(duration >= 0)) continue;
    if (durations.has(name) || durations.size < MAX_NAMES)
      durations.set(name, Math.min(durations.get(name) ?? Number.POSITIVE_INFINITY, duration * SECOND_MS));
  }
  const pending = [...durations].filter(([, ms]) => ms > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return { durations: Object.fromEntries(pending), firing };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
