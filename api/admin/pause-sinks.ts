import type { Context } from '#api/surfaces/endpoint.ts';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { pauseSink, resumeSink } from '#application/operations/pause-sinks.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { SinkView } from '#schemas/http/admin/operations.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

interface Shown {
  readonly name: string;
  readonly pause: Pause | null;
}

const ask = (
  verb: 'pause' | 'resume',
  summary: string,
  description: string,
  work: (context: Context, name: string) => Promise<Pause | null>,
) =>
  endpoint<string, Shown>({
    id: `admin.sinks.${verb}`,
    summary,
    description,
    tag: 'Operations',
    permission: 'pipeline.manage',
    limit: 'standard',
    mounts: [
      mount({
        on: 'platform',
        method: 'post',
        path: `/admin/pipeline/{id}/${verb}`,
        params: IdPath,
        reply: wrapped(SinkView),
        read: ({ params }) => params.id,
        present: ({ name, pause }) => ({
          body: { name, paused: pause === null ? null : { by: pause.by, at: iso(pause.at) } },
        }),
      }),
    ],
    handle: async (name, context) => ({ name, pause: await work(context, name) }),
  });

export const sinkEndpoints = [
  ask(
    'pause',
    'Let a sink take nothing more until it is resumed',
    'In all processes within 5 s, and after every start. What it would have taken waits: in embedded mode for 7 days or 2,000,000 records, in distributed mode as long as its topic keeps them. Platform administrators only. 409 for a processor of the pipeline.',
    pauseSink,
  ),
  ask(
    'resume',
    'Let a paused sink go on where it stood',
    'In all processes within 5 s. One that is not paused stays as it is. Platform administrators only.',
    async (context, name) => {
      await resumeSink(context, name);
      return null;
    },
  ),
];
