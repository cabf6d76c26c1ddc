import type { Severity } from '#domain/event/event.ts';
import type { Findings } from '#features/ai/rules/findings.ts';

/** Findings of detectors. */
export const INSIGHT_KINDS = [
  'new-signature',
  'burst',
  'flapping',
  'noisy-monitor',
  'never-acknowledged',
  'unbound-share',
  'stale-ci',
  'missing-relationship',
  'doubtful-relationship',
  'single-point-of-failure',
  'rising-trend',
  'repeated-incident',
  'failed-change',
] as const;
export type InsightKind = (typeof INSIGHT_KINDS)[number];

interface InsightMetric {
  readonly name: string;
  readonly value: number;
  readonly unit: 'count' | 'share' | 'ratio' | 'days' | 'hours';
  /** Minimum value that is reported. */
  readonly threshold: number;
}

/** One thing that a detector has found. */
export interface Finding {
  readonly kind: InsightKind;
  /** Its subject in ids: the same finding of tomorrow has the same. */
  readonly subject: string;
  readonly severity: Severity;
  readonly title: string;
  /** Text of at most 300 characters. */
  readonly detail: string;
  readonly recommendation: string;
  readonly metric: InsightMetric;
  /** 0 to 1. */
  readonly confidence: number;
  /** CIs that it is about; for callers that filter by CI. */
  readonly ciIds: readonly string[];
  /** Adds its basis to the evidence and returns the aliases, null for items without room. */
  readonly cite: (findings: Findings) => readonly (string | null)[];
}

const TEXT = 80;
/** Returns a foreign text in a sentence. */
export const quotedTitle = (title: string): string => {
  const flat = title.replaceAll(/\s+/g, ' ').trim();
  return `"${flat.length > TEXT ? `${flat.slice(0, TEXT - 1)}…` : flat}"`;
};

/** Two digits, 0 to 0.99: no detector is certain. */
export const confident = (value: number): number => Math.round(100 * Math.min(0.99, Math.max(0, value))) / 100;
