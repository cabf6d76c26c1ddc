import type { UseCaseContext } from '#application/access/context.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { type Bin, calibrationError } from '#domain/statistics/calibration.ts';
import { AGENT_IDS, type AgentId } from '#features/agents/rules/agents.ts';
import { type Label, standingLabels } from '#features/agents/rules/label.ts';
import { calibrationBins, type Performance, performanceOf, thresholdFor } from '#features/agents/rules/performance.ts';
import { DECIDED, type Decided } from './decided.ts';
import { labelsOf } from './label-records.ts';

const SPAN_MS = 90 * 86_400_000;

type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>;
interface Measured extends Decided {
  /** Those that count, kept ones and those from elsewhere. */
  readonly labels: readonly Label[];
}

async function measure({ tenant, ports, receivedAt: to }: Asking, agent: AgentId): Promise<Measured> {
  const from = to - SPAN_MS;
  const { abstainBelow } = await aiSettings(ports.records, tenant);
  const [decided, kept] = await Promise.all([
    DECIDED[agent](ports, { tenant, from, to, abstainBelow }),
    labelsOf(ports.records, tenant, agent, from),
  ]);
  return { ...decided, labels: standingLabels([...decided.labels, ...kept]) };
}

export interface ListedAgent {
  readonly id: AgentId;
  readonly performance: Performance;
}

/** All agents with what they did in 90 days. */
export const listAgents = (asking: Asking): Promise<ListedAgent[]> =>
  Promise.all(
    AGENT_IDS.map(async (id) => {
      const { labels, ...decided } = await measure(asking, id);
      return { id, performance: performanceOf(labels, decided) };
    }),
  );

export interface Calibration {
  readonly agent: AgentId;
  readonly bins: readonly Bin[];
  readonly judged: number;
  readonly error: number | null;
  /** Share of errors that the tenant bears; null: it named none. */
  readonly maxError: number | null;
  /** Null: no threshold keeps it, or none is asked for. */
  readonly threshold: number | null;
  /** The decisions that count now. */
  readonly abstainBelow: number;
}

export async function calibrationOf(asking: Asking, agent: AgentId): Promise<Calibration> {
  const [{ labels }, { maxError, abstainBelow }] = await Promise.all([
    measure(asking, agent),
    aiSettings(asking.ports.records, asking.tenant),
  ]);
  const bins = calibrationBins(labels);
  const threshold = maxError === null ? null : thresholdFor(labels, maxError);
  return { agent, bins, judged: labels.length, error: calibrationError(bins), maxError, threshold, abstainBelow };
}
