import type { AiAnalysis, Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { analysisView } from '#schemas/http/events/analysis-view.ts';

/** Tells of the first analysis of each event; one that is analysed again, as after a crash, is not told twice. What is suppressed is no news. */
export const tellAnalyses = async (
  ports: Ports,
  tenant: string,
  analyses: readonly { readonly event: Event; readonly analysis: AiAnalysis }[],
): Promise<void> => {
  const first = analyses.filter(({ event }) => event.aiAnalysis === undefined && event.status !== 'suppressed');
  if (first.length === 0 || !(await isWanted(ports, tenant, 'analysis.completed'))) return;
  const told = first.map(({ event: { id, position }, analysis }) => ({
    kind: 'analysis.completed' as const,
    resource: { kind: 'event' as const, id },
    sequence: position,
    at: analysis.generatedAt,
    data: { analysis: analysisView(id, analysis) },
  }));
  await queueOutgoing(ports, tenant, told);
};
