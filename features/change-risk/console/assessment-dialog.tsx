import { Modal } from '@mantine/core';
import { PageLink } from '#console/cis/page-link.tsx';
import { useNamed } from '#console/cis/use-named.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { FactsList } from '#console/data/facts-list.tsx';
import forms from '#console/forms/forms.module.css';
import { entriesFor } from '#console/frame/navigation.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useFeatures } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { duration } from '#console/text/times.ts';
import { percent } from '#domain/numbers.ts';
import { CitedClaim } from '#features/questions/console/cited-claim.tsx';
import { type AssessmentData, readAssessment } from './api.ts';
import { riskWords } from './change-words.ts';
import classes from './changes.module.css';
import * as text from './texts.ts';

const share = (value: number | null): string => (value === null ? '–' : percent(value));

function Assessment({ assessment }: { readonly assessment: AssessmentData }) {
  const { ciId, said, description, plannedTime, plannedMinutes, recommendations, claims, citations } = assessment;
  const pages = entriesFor(useMe().permissions, useFeatures()).map(({ to }) => to);
  const named = useNamed([ciId]);
  return (
    <>
      <FactsList
        facts={[
          [text.risk, <strong key="risk">{riskWords(assessment)}</strong>],
          [
            text.ci,
            <PageLink key="ci" to={`/cis/${ciId}`}>
              {named.data?.[0]?.name ?? ciId}
            </PageLink>,
          ],
          [text.change, said],
          ...(description === null ? [] : [[text.description, description] as const]),
          [text.start, plannedTime === null ? text.noTime : <Timestamp key="start" at={plannedTime} isDated />],
          [text.duration, plannedMinutes === null ? '–' : duration(plannedMinutes * 60_000)],
          [text.probability, share(assessment.probability)],
          [text.impact, share(assessment.impact)],
          [text.confidence, share(assessment.confidence)],
        ]}
      />
      <section className={classes.part}>
        <h3>{text.evidence}</h3>
        {claims.length === 0 ? <p className={forms.note}>{assessment.summary ?? text.requiresEventsRead}</p> : null}
        {claims.map((claim) => (
          <CitedClaim key={claim.text} claim={claim} citations={citations} pages={pages} />
        ))}
      </section>
      {recommendations.length === 0 ? null : (
        <section className={classes.part}>
          <h3>{text.recommendations}</h3>
          <ul>
            {recommendations.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface Props {
  /** Null: closed. */
  readonly id: string | null;
  readonly onClose: () => void;
}

/** The risk of a planned change with its evidence. */
export function AssessmentDialog({ id, onClose }: Props) {
  const query = useRead(['changes', 'assessment', id], (call, signal) => readAssessment(call, id ?? '', signal), {
    enabled: id !== null,
  });
  return (
    <Modal opened={id !== null} onClose={onClose} title={text.riskTitle} size="lg">
      <Region query={query} what={text.assessment} skeleton={<Skeleton rows={6} height={24} />}>
        {(assessment) => <Assessment assessment={assessment} />}
      </Region>
    </Modal>
  );
}
