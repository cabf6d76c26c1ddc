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
  /** From this value on it is found. */
  readonly threshold: number;
}

/** One thing that a detector has found. */
export interface Finding {
  readonly kind: InsightKind;
  /** Its subject in ids: the same finding of tomorrow has the same. */
  readonly subject: string;
  readonly severity: Severity;
  readonly title: string;
  /** At most 300 characters. */
  readonly detail: string;
  readonly recommendation: string;
  readonly metric: InsightMetric;
  /** 0 to 1. */
  readonly confidence: number;
  /** CIs that it is about; for whoever looks at some of them alone. */
  readonly ciIds: readonly string[];
  /** Puts what it stands on into the evidence and answers the aliases, null for what there is no room for. */
  readonly cite: (findings: Findings) => readonly (string | null)[];
}

const TEXT = 80;
/** A text of somebody as a sentence has it. */
export const quotedTitle = (title: string): string => {
  const flat = title.replaceAll(/\s+/g, ' ').trim();
  return `"${flat.length > TEXT ? `${flat.slice(0, TEXT - 1)}…` : flat}"`;
};

/** Two digits, 0 to 0.99: no detector is certain. */
export const confident = (value: number): number => Math.round(100 * Math.min(0.99, Math.max(0, value))) / 100;
