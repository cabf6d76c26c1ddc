export const FACTORS = [
  'change_type',
  'history',
  'no_time',
  'maintenance_window',
  'business_hours',
  'before_rest',
  'open_events',
  'partner_down',
  'partner_doubtful',
  'no_spare',
  'overlap',
  'long',
  'criticality',
  'blast_radius',
  'service',
] as const;

/** One thing that makes a change riskier, or not. */
export interface Factor {
  readonly name: (typeof FACTORS)[number];
  /** Its effect: a chance for types and history, a part of the stakes for CI, blast radius and services, else a multiplier. */
  readonly effect: number;
  readonly value: string | number;
  /** Aliases of evidence. */
  readonly refs: readonly string[];
}

/** A factor with its advice. */
export interface Advised extends Factor {
  readonly advice?: string;
}
