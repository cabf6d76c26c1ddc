import { incidentsIn } from './incidents/incidents.ts';
import { noiseIn, unrelatedTo } from './noise.ts';
import { groundOf } from './scene/ground.ts';
import { buildInfrastructure, type DemoInfrastructure } from './scene/infrastructure.ts';
import { seeded } from './scene/random.ts';
import type { DemoIncident } from './scene/scene.ts';
import { type Payload, trafficOf } from './traffic.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Normal hours first, so that the server learns the normal state. */
export const QUIET_MS = 4.2 * HOUR;
export const INCIDENTS_MS = 8 * HOUR;
/** The last minute has not happened yet: clocks differ a little. */
const MARGIN_MS = MINUTE;

export interface Story {
  readonly seed: number;
  readonly estate: DemoInfrastructure;
  readonly incidents: readonly DemoIncident[];
  readonly payloads: readonly Payload[];
  /** Epoch ms: until here only background, from which the server learns the normal state. */
  readonly ordinaryUntil: number;
}

interface StoryOptions {
  readonly seed: number;
  /** Epoch ms at which the story ends. */
  readonly now: number;
}

/** Twelve hours of one company. The same seed makes the same data, shifted to `now`. */
export const tellStory = ({ seed, now }: StoryOptions): Story => {
  const random = seeded(seed);
  const estate = buildInfrastructure(random);
  const ground = groundOf(estate);
  const length = QUIET_MS + INCIDENTS_MS;
  const incidents = incidentsIn(ground, { from: QUIET_MS, to: length - 20 * MINUTE }, random);
  const noise = unrelatedTo(incidents, noiseIn(ground, { from: 0, to: length }, random));
  const end = now - MARGIN_MS;
  const conditions = [...incidents.flatMap((incident) => incident.conditions), ...noise];
  const start = end - length;
  const payloads = trafficOf(conditions, { start, end }, random);
  return { seed, estate, incidents, payloads, ordinaryUntil: start + QUIET_MS };
};
