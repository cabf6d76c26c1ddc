import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { acquirePlace } from '#application/tasks/places.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { BEFORE_EVENTS, type Trial } from '#features/trials/rules/trial.ts';
import { putTrial } from './records.ts';
import { trialTasks } from './trial-tasks.ts';

export interface TrialAsked {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly hours: number;
}

/** Begins a trial in the background. Throws Fault `conflict` while another one of the tenant is at work. */
export async function startTrial(context: UseCaseContext, { patch, hours }: TrialAsked): Promise<Trial> {
  const { ports, tenant, receivedAt, caller } = context;
  const untried = BEFORE_EVENTS.find((name) => patch[name] !== undefined);
  if (untried !== undefined)
    throw invalid(`patch.${untried}`, "affects deduplication and can't be simulated on stored events");
  const id = ports.ids.ulid();
  const held = await acquirePlace(ports, trialTasks, { tenant, id, at: receivedAt });
  if (held.id !== id)
    throw new Fault('conflict', 'Another simulation is running for this tenant', [], { data: { id: held.id } });
  const trial: Trial = {
    id,
    state: 'waiting',
    done: 0,
    patch,
    hours,
    startedAt: receivedAt,
    endedAt: null,
    by: caller.id,
    error: null,
    result: null,
  };
  const target = { kind: 'settings', id: 'correlation' };
  const sideRecords = [
    audited(context, { action: 'settings.correlation.tried', target, before: null, after: { id, hours, patch } }),
  ];
  await putTrial(ports.records, tenant, trial, 0, sideRecords);
  ports.background.ring(trialTasks.name);
  return trial;
}
