import type { z } from 'zod';
import { eventIdOf } from '#domain/event/event.ts';
import { rounded } from '#domain/numbers.ts';
import { AGENTS, type Label } from '#features/agents/rules/agents.ts';
import { statusOf } from '#features/agents/rules/performance.ts';
import type { AgentReply, AgentView, CalibrationReply, FeedbackReply } from '#features/agents/schemas/agents.ts';
import type { AgentAnswer } from '#features/agents/use-cases/ask-agent.ts';
import type { Calibration, ListedAgent } from '#features/agents/use-cases/performance.ts';
import { evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { iso } from '#schemas/http/time.ts';

const orNull = (value: number | null): number | null => (value === null ? null : rounded(value));

export const listedBody = ({ id, performance }: ListedAgent): z.output<typeof AgentView> => ({
  id,
  name: AGENTS[id].name,
  type: id,
  status: statusOf(performance),
  capabilities: [...AGENTS[id].capabilities],
  performance: {
    decisions_made: performance.decisionsMade,
    success_rate: orNull(performance.successRate),
    avg_confidence: orNull(performance.avgConfidence),
    judged: performance.judged,
    interval: performance.interval && {
      low: rounded(performance.interval.low),
      high: rounded(performance.interval.high),
    },
    abstained: performance.abstained,
  },
});

export const answerBody = (answered: AgentAnswer): z.output<typeof AgentReply> => {
  const { agent, summary, confidence, reasoning, claims, grounds } = answered;
  const details = claims.map(({ text, refs }) => ({ text, refs: [...refs] }));
  return {
    agent_id: agent,
    response: { summary, details, confidence: rounded(confidence), reasoning },
    ...evidenceBody({ ...grounds, claims }),
  };
};

export const feedbackBody = ({ agent, subject, verdict, confidence, at }: Label): z.output<typeof FeedbackReply> => ({
  agent_id: agent,
  subject: subject.kind === 'event' ? { kind: 'event', id: eventIdOf(subject.id) } : subject,
  verdict,
  confidence,
  recorded_at: iso(at),
});

export const calibrationBody = (calibration: Calibration): z.output<typeof CalibrationReply> => {
  const { agent, bins, judged, error, maxError, threshold, abstainBelow } = calibration;
  return {
    agent_id: agent,
    bins: bins.map((bin) => ({
      from: bin.from,
      to: bin.to,
      judged: bin.judged,
      mean_confidence: orNull(bin.meanConfidence),
      hit_rate: orNull(bin.hitRate),
    })),
    judged,
    error: orNull(error),
    max_error: maxError,
    threshold,
    abstain_below: abstainBelow,
  };
};
