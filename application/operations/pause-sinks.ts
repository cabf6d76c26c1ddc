import { actorOf } from '#application/access/actor.ts';
import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { isPlatformAdmin } from './platform-admin.ts';

const KIND = 'sink-pause';

/** Pauses the sinks of this process that a user has paused, here or in another process. */
export const heedPauses = async ({ records, sinks }: Pick<Ports, 'records' | 'sinks'>): Promise<void> => {
  const stored = await Promise.all(sinks.names.map((name) => records.get<Pause>(SYSTEM_TENANT, KIND, name)));
  sinks.pause(new Map(stored.flatMap((one) => (one === null ? [] : [[one.id, one.body]]))));
};

/** Throws Fault `forbidden`, `not-found`, or `conflict` for a processor of the pipeline. */
const checkSink = async (context: UseCaseContext, name: string): Promise<void> => {
  if (!isPlatformAdmin(context))
    throw new Fault('forbidden', 'Sinks serve all tenants; only platform administrators can pause or resume them');
  const { sinks, operations } = context.ports;
  if (sinks.names.includes(name)) return;
  const isProcessor = (await operations.pipeline()).some((report) => report.name === name);
  if (!isProcessor) throw notFound('Sink', name);
  const known = sinks.names.length === 0 ? 'There are no sinks' : `Sinks: ${sinks.names.join(', ')}`;
  throw new Fault('conflict', `${name} is not a sink; only sinks can be paused. ${known}`);
};

/** Pauses the sink in all processes and across starts, until it is resumed. A paused one stays so. */
export const pauseSink = async (context: UseCaseContext, name: string): Promise<Pause> => {
  await checkSink(context, name);
  const { records, clock } = context.ports;
  const known = await records.get<Pause>(SYSTEM_TENANT, KIND, name);
  if (known !== null) return known.body;
  const pause: Pause = { by: actorOf(context.caller), at: clock.now() };
  const entry = audited(context, {
    action: 'sink.paused',
    target: { kind: 'sink', id: name },
    before: null,
    after: null,
  });
  await records.put(SYSTEM_TENANT, KIND, name, pause, { sideRecords: [entry] });
  await heedPauses(context.ports);
  return pause;
};

/** Resumes the sink at its position. */
export const resumeSink = async (context: UseCaseContext, name: string): Promise<void> => {
  await checkSink(context, name);
  const entry = audited(context, {
    action: 'sink.resumed',
    target: { kind: 'sink', id: name },
    before: null,
    after: null,
  });
  await context.ports.records.remove(SYSTEM_TENANT, KIND, name, [entry]);
  await heedPauses(context.ports);
};
