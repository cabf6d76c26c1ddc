import { useState } from 'react';
import type { PipelineShown } from '#console/api/pipeline.ts';
import { Mark } from '#console/facts/mark/mark.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { Flow } from './flow.tsx';
import { Hour } from './hour.tsx';
import { Jobs } from './jobs.tsx';
import { Letters } from './letters.tsx';
import { StageTable } from './stage-table.tsx';
import { pipelineWords, stageName } from './stages.ts';
import { usePipeline } from './use-pipeline.ts';

/** The stage that most waits for, else the first. */
const busiest = ({ processors }: PipelineShown): string =>
  processors.reduce((most, one) => (one.lag > (most?.lag ?? -1) ? one : most), processors[0])?.name ?? '';

/** How events come through, from the first fold to what others are told. */
export function PipelinePage() {
  const { state, history } = usePipeline();
  const [chosen, setChosen] = useState<string | null>(null);
  const said = state.data === undefined ? null : pipelineWords(state.data.processors);
  return (
    <Page title="Pipeline" scrolls lead={said === null ? undefined : <Mark kind={said.kind}>{said.words}</Mark>}>
      <Region query={state} what="The pipeline" skeleton={<Skeleton rows={8} height={56} />}>
        {(pipeline) => {
          const stage = chosen ?? busiest(pipeline);
          return (
            <>
              <Section title="The way of an event" lead="Choose a stage to see its hour below.">
                <Flow processors={pipeline.processors} history={history.data} chosen={stage} choose={setChosen} />
              </Section>
              <Section
                title={`The last hour: ${stageName(stage)}`}
                lead="Of the process that answers; other stages are grey."
              >
                <Region query={history} what="The last hour" skeleton={<Skeleton rows={4} height={48} />}>
                  {(hour) => <Hour history={hour} chosen={stage} />}
                </Region>
              </Section>
              <Section title="Stages" flush>
                <StageTable processors={pipeline.processors} history={history.data} chosen={stage} />
              </Section>
              <Letters stages={pipeline.processors.map(({ name }) => name)} waiting={pipeline.dead_letters.waiting} />
              {pipeline.jobs === undefined ? null : (
                <Section
                  title="Jobs"
                  lead="Work that comes round beside the events, in the process that answers."
                  flush
                >
                  <Jobs jobs={pipeline.jobs} />
                </Section>
              )}
            </>
          );
        }}
      </Region>
    </Page>
  );
}
