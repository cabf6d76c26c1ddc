import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Call } from '#console/api/link/call.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { Sparkline } from '#console/components/sparkline.tsx';
import { type CsvField, wholeList } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import rows from '#console/data/rows.module.css';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { inSentence, number } from '#console/text/counts.ts';
import { SilenceEvent } from '#features/silences/console/silence-dialog.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { AdjustedChecks } from './adjusted-checks.tsx';
import { type NoisyCheckData, readNoise, useNoise } from './api.ts';
import classes from './noise.module.css';
import { NoiseSection } from './noise-section.tsx';
import { eventsPath, ruleWords, shareWords } from './noise-text.ts';
import * as text from './texts.ts';

const COLUMNS: readonly SimpleColumn<NoisyCheckData>[] = [
  {
    title: text.check,
    isName: true,
    isWide: true,
    cell: ({ title, severity, eventId, rule }) => (
      <span className={classes.check}>
        <SeverityMark severity={severity} bare />
        <PageLink to={`/events?event=${eventId}`} className={classes.title}>
          <bdi>{title}</bdi>
        </PageLink>
        {rule === undefined ? null : <span className={rows.rowNote}>{ruleWords(rule)}</span>}
      </span>
    ),
  },
  { title: text.source, cell: ({ source }) => source },
  {
    title: text.events,
    isNumber: true,
    cell: (check) => (
      <PageLink to={eventsPath(check)} className={classes.number}>
        {number(check.events)}
      </PageLink>
    ),
  },
  {
    title: text.weeks,
    cell: ({ weeks }) => <Sparkline values={weeks} label={text.weeksWords(weeks.map(number).join(', '))} />,
  },
  {
    title: text.flaps,
    isNumber: true,
    cell: ({ flaps, sampled }) => <span title={text.flapsHint}>{shareWords(flaps, sampled)}</span>,
  },
  {
    title: text.untouched,
    isNumber: true,
    cell: ({ untouched, sampled }) => <span title={text.untouchedHint}>{shareWords(untouched, sampled)}</span>,
  },
  { title: text.groups, isNumber: true, cell: ({ groups }) => number(groups) },
];

const FIELDS: readonly CsvField<NoisyCheckData>[] = [
  [text.check, ({ title }) => title],
  [text.source, ({ source }) => source],
  [text.events, ({ events }) => events],
  [text.weeks, ({ weeks }) => weeks.join(' ')],
  [text.flaps, ({ flaps }) => flaps],
  [text.untouched, ({ untouched }) => untouched],
  [text.sampled, ({ sampled }) => sampled],
  [text.groups, ({ groups }) => groups],
];
const noiseFile = async (call: Call) => wholeList((await readNoise(call)).checks);

/** Checks with most events; each is silenced, or its next events get another severity. */
export function NoisePage() {
  const noise = useNoise();
  const mayWrite = useMay('events.write');
  const mayManage = useMay('settings.manage');
  const [adjusted, setAdjusted] = useState<NoisyCheckData | null>(null);
  const [silenced, setSilenced] = useState<NoisyCheckData | null>(null);
  return (
    <Page
      title={text.noise}
      lead={text.noiseLead}
      actions={<ExportButton name="noise" fields={FIELDS} read={noiseFile} />}
      scrolls
    >
      <Region query={noise} what={inSentence(text.noise)} skeleton={<Skeleton rows={8} height={40} />}>
        {({ checks, ...totals }) =>
          checks.length === 0 ? (
            <Notice title={text.noChecks}>{text.noChecksHint}</Notice>
          ) : (
            <>
              <NoiseSection noise={totals} />
              <Section title={text.checks} flush>
                <SimpleTable
                  label={text.checks}
                  rows={checks}
                  columns={COLUMNS}
                  idOf={({ signature }) => signature}
                  actions={(check) => (
                    <>
                      {mayManage ? (
                        <Button variant="default" size="compact-sm" onClick={() => setAdjusted(check)}>
                          {text.adjust}
                        </Button>
                      ) : null}
                      {mayWrite ? (
                        <Button variant="default" size="compact-sm" onClick={() => setSilenced(check)}>
                          {text.silence}
                        </Button>
                      ) : null}
                    </>
                  )}
                />
              </Section>
            </>
          )
        }
      </Region>
      <AdjustedChecks />
      {adjusted === null ? null : <AdjustDialog check={adjusted} onClose={() => setAdjusted(null)} />}
      <SilenceEvent
        row={silenced === null ? null : { title: silenced.title, source: silenced.source, service: silenced.service }}
        onClose={() => setSilenced(null)}
      />
    </Page>
  );
}
