import { Fault } from '#domain/fault.ts';
import type { Finding, InsightKind } from '#features/detectors/rules/finding.ts';
import type { Detected, DetectorAsking, DetectorReading, Looked } from './asking.ts';
import { changeReading } from './changes.ts';
import { ciReading } from './cis.ts';
import { eventReading } from './events.ts';
import { hourReading } from './hours.ts';
import { incidentReading } from './incidents.ts';
import { signatureReading } from './signatures.ts';
import { togetherReading } from './together.ts';

const READINGS: readonly DetectorReading[] = [
  signatureReading,
  hourReading,
  eventReading,
  ciReading,
  incidentReading,
  togetherReading,
  changeReading,
];

/** Longest range that detectors look at. */
export const MOST_DAYS = 90;

/** Findings that a store cannot give in time are missing; the rest is shown. */
async function detected(reading: DetectorReading, asking: DetectorAsking, wanted: ReadonlySet<InsightKind>) {
  const kinds = reading.kinds.filter((kind) => wanted.has(kind));
  const nothing: Detected = { findings: [], looked: [] };
  if (kinds.length === 0) return { ...nothing, failed: [] };
  try {
    return { ...(await reading.detect(asking, (kind) => wanted.has(kind))), failed: [] };
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unavailable') return { ...nothing, failed: kinds };
    throw error;
  }
}

export interface DetectorRun {
  readonly found: readonly Finding[];
  readonly looked: readonly Looked[];
  /** Kinds whose data could not be read in time. */
  readonly failed: readonly InsightKind[];
}

/** Runs the detectors that are wanted; the range is of at most `MOST_DAYS`. */
export async function runDetectors(asking: DetectorAsking, wanted: ReadonlySet<InsightKind>): Promise<DetectorRun> {
  const all = await Promise.all(READINGS.map((reading) => detected(reading, asking, wanted)));
  return {
    found: all.flatMap(({ findings }) => findings),
    looked: all.flatMap(({ looked }) => looked),
    failed: all.flatMap(({ failed }) => failed),
  };
}
