import { z } from 'zod';
import { EVENT_STREAM, presentStream, type StreamMessage } from '#api/http/replies/event-stream.ts';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { Fault } from '#domain/fault.ts';
import { AiModeHeader, aiMode } from '#features/ai/schemas/answer-evidence.ts';
import type { AiMode } from '#features/ai/use-cases/answer.ts';
import type { Investigation, InvestigationStep } from '#features/investigations/rules/investigation.ts';
import {
  checkBody,
  hypothesisBody,
  InvestigationBody,
  investigationBody,
} from '#features/investigations/schemas/investigation.ts';
import { begin } from '#features/investigations/use-cases/first-sentence.ts';
import { investigate, wholeInvestigation } from '#features/investigations/use-cases/investigate.ts';
import { succeeded } from '#schemas/http/envelope.ts';

interface InvestigationRequest {
  readonly groupId: string;
  readonly isStreamed: boolean;
  readonly mode: AiMode;
}
type InvestigationReplied = { readonly steps: AsyncIterable<InvestigationStep> } | { readonly whole: Investigation };

const messageOf = (told: InvestigationStep): StreamMessage => {
  if (told.step === 'begin') return { event: 'begin', data: { groupId: told.groupId, text: told.text } };
  if (told.step === 'hypothesis') return { event: 'hypothesis', data: hypothesisBody(told.hypothesis, told.hit) };
  if (told.step === 'check') return { event: 'check', data: checkBody(told.check) };
  return { event: 'end', data: investigationBody(told.investigation) };
};

const FAILED = "Couldn't finish the investigation. Try again.";

/** A failure after the status was sent is a message of the stream; internal errors are thrown as well, for the log. */
async function* messagesOf(steps: AsyncIterable<InvestigationStep>): AsyncGenerator<StreamMessage> {
  try {
    for await (const told of steps) yield messageOf(told);
  } catch (error) {
    yield { event: 'error', data: { message: error instanceof Fault ? error.message : FAILED } };
    if (!(error instanceof Fault)) throw error;
  }
}

/** Checks what may have caused a group. */
export const investigateGroup = endpoint<InvestigationRequest, InvestigationReplied>({
  id: 'events.group-investigate',
  headers: AiModeHeader,
  summary: 'Analyze a group step by step',
  description:
    'Checks up to five hypotheses: the verdict, the root-cause candidates, and changes near the group. Changes nothing. Also requires cmdb.read. With `Accept: text/event-stream`, events are sent as they happen: `begin` (groupId, text), `hypothesis` (InvestigationHypothesis), `check` (InvestigationCheck), and `end` (Investigation) or `error`. A model, which requires ai.use, only chooses the next check.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'ai',
  takesLong: true,
  ownKeys: true,
  alsoFaults: ['not-found', 'model', 'unavailable', 'rate-limited'],
  mounts: [
    mount({
      on: 'events',
      method: 'post',
      path: '/groups/{correlationId}/investigate',
      params: z.object({ correlationId: z.string() }),
      reply: succeeded({ investigation: InvestigationBody }),
      replyType: ['application/json', EVENT_STREAM],
      replyHeaders: ['X-Accel-Buffering'],
      read: ({ params, headers }) => ({
        groupId: params.correlationId,
        isStreamed: headers.accept?.includes(EVENT_STREAM) === true,
        mode: aiMode(headers),
      }),
      present: (answered) =>
        'steps' in answered
          ? presentStream(messagesOf(answered.steps))
          : { body: { investigation: investigationBody(answered.whole) } },
    }),
  ],
  async handle({ groupId, isStreamed, mode }, context) {
    requirePermission(context, 'cmdb.read');
    const { ports, tenant, caller, receivedAt, department, requestId, signal } = context;
    const asking = { ports, tenant, caller, receivedAt, department, requestId, signal, mode };
    const steps = investigate(asking, await begin(asking, groupId));
    return isStreamed ? { steps } : { whole: await wholeInvestigation(steps) };
  },
});
