/** Kinds of alerts by name that a tenant sets, before the catalogue of stock alerts. */
import type { KnownPattern } from './known-patterns.ts';
import type { ProblemKind } from './problem-kinds.ts';

/** Faults that stop their system, even without any other word for it. */
export const STOPPING_PATTERNS = [
  'host_down',
  'link_down',
  'power',
  'disk_full',
  'database_down',
  'out_of_memory',
  'dns',
] as const satisfies readonly KnownPattern[];

/** Known causes, and kinds without one. */
export const COMPLAINTS = [
  ...STOPPING_PATTERNS,
  'down',
  'errors',
  'latency',
  'traffic',
  'unknown',
] as const satisfies readonly (KnownPattern | ProblemKind['kind'])[];
export type StockComplaint = (typeof COMPLAINTS)[number];

export const MAX_ALERT_KINDS = 200;
export const ALERT_OBJECTS = [
  'node',
  'pod',
  'deployment',
  'statefulset',
  'daemonset',
  'cronjob',
  'persistentvolumeclaim',
  'ingress',
  'service',
] as const;

export interface AlertKind {
  /** Name of alerts; `*` stands for any characters. */
  readonly alert: string;
  readonly problem: StockComplaint;
  /** Kind of the object that is concerned. */
  readonly object?: (typeof ALERT_OBJECTS)[number];
}

/** Each part between asterisks is searched for once, after the one before. */
function isMatch(pattern: string, name: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return name === pattern;
  const tail = parts.pop() ?? '';
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return false;
  const end = name.length - tail.length;
  let at = head.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** The first that matches. */
export const alertKindOf = (kinds: readonly AlertKind[], name: string | undefined): AlertKind | undefined =>
  name === undefined ? undefined : kinds.find(({ alert }) => isMatch(alert, name));
