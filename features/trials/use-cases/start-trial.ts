import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { Fault, invalid, isOvertaken } from '#domain/fault.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { BEFORE_EVENTS, TRIAL_KINDS, type Trial } from '#features/trials/rules/trial.ts';
import { findTrial, TRIAL_KEPT_MS, TRY_SETTINGS } from './records.ts';

export interface TrialAsked {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly hours: number;
}

/** A trial that waits or is worked on. */
export interface QueuedTrial {
  readonly tenant: string;
  readonly trial: string;
  /** When it was asked for, ms. */
  readonly at: number;
}

/** They decide what becomes an event, and what is no problem of correlation: stored events cannot tell what they would have been. */
/** A place in the queue whose trial was never written belongs to a request that died; ms. */
const LOST_AFTER_MS = 60_000;

const another = (id: string): Fault =>
  new Fault('conflict', 'Another trial of this tenant is at work', [], { data: { id } });

/** The tenant's place in the queue. Throws Fault `conflict` while another trial has it. */
async function takePlace({ ports, tenant, receivedAt: at }: UseCaseContext, trial: string): Promise<void> {
  const { records } = ports;
  const known = await records.get<QueuedTrial>(SYSTEM_TENANT, TRIAL_KINDS.queue, tenant);
  if (known !== null) {
    const other = await findTrial(records, tenant, known.body.trial);
    const isOver = other === null ? at - known.body.at > LOST_AFTER_MS : other.body.endedAt !== null;
    if (!isOver) throw another(known.body.trial);
  }
  const place: QueuedTrial = { tenant, trial, at };
  await records
    .put(SYSTEM_TENANT, TRIAL_KINDS.queue, tenant, place, { expected: known?.revision ?? 0 })
    .catch((error: unknown) => {
      throw isOvertaken(error) ? another(trial) : error;
    });
}

/** Begins a trial in the background. Throws Fault `conflict` while another one of the tenant is at work. */
export async function startTrial(context: UseCaseContext, { patch, hours }: TrialAsked): Promise<Trial> {
  const { ports, tenant, receivedAt, caller } = context;
  const untried = BEFORE_EVENTS.find((name) => patch[name] !== undefined);
  if (untried !== undefined)
    throw invalid(`patch.${untried}`, 'decides what becomes an event, which a trial of stored events cannot tell');
  const id = ports.ids.ulid();
  await takePlace(context, id);
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
  const options = { expected: 0, expiresAt: receivedAt + TRIAL_KEPT_MS, sideRecords };
  await ports.records.put(tenant, TRIAL_KINDS.trial, id, trial, options);
  ports.background.ring(TRY_SETTINGS);
  return trial;
}
