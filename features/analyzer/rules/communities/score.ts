/** How sure it is that the CIs of a service belong together, and are all of them. */

interface Grounds {
  readonly members: number;
  /** Members whose names share the first word of the service's name. */
  readonly agreeing: number;
  /** Pairs of CIs that are connected: among the members, and with other services. */
  readonly within: number;
  readonly leaving: number;
  /** Members whose tier is known. */
  readonly classified: number;
}

/** On simulated estates a confidence of 0.5 stands for services that overlap with the real ones by 0.7, 0.8 for 0.95 (bench/ai-services.ts). */
const LEAST = 0.3;
const WEIGHTS = { names: 0.25, cohesion: 0.35, tiers: 0.05 } as const;
const MOST = 0.95;

/** 0.3 to 0.95, two digits. */
export function confidenceOf({ members, agreeing, within, leaving, classified }: Grounds): number {
  const cohesion = within + leaving === 0 ? 0 : within / (within + leaving);
  const sum = LEAST + (WEIGHTS.names * agreeing + WEIGHTS.tiers * classified) / members + WEIGHTS.cohesion * cohesion;
  return Math.round(100 * Math.min(MOST, sum)) / 100;
}
