import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useOnce } from '#console/actions/use-once.ts';
import { Age } from '#console/components/age.tsx';
import { Icon } from '#console/components/icon.tsx';
import type { CsvField } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { MoreRows } from '#console/data/more-rows.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { SideColumns } from '#console/forms/settings/side-columns.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import { AnswerView } from './answer-view.tsx';
import {
  askReports,
  deleteReport,
  fileAddress,
  generateReport,
  listReports,
  listSchedules,
  listTemplates,
  type ReportData,
  type ReportInput,
  type ScheduleData,
  type ScheduleInput,
  saveSchedule,
} from './api.ts';
import { NewReport } from './new-report.tsx';
import classes from './reports.module.css';
import { SCHEDULES, Schedules } from './schedules.tsx';
import * as text from './texts.ts';

const MAX_LETTERS = 1_000;
const EXAMPLES = [text.noisiestHosts, text.eventsPerHour, text.meanTimeToResolve] as const;

/** Question in English, answered with counts. It is part of the URL, so that links reproduce the answer. */
function AskPart({ address }: { readonly address: Address }) {
  const { zone } = useSettings();
  const asked = address.query.ask ?? '';
  const foretells = address.query.foretell === 'yes';
  const [question, setQuestion] = useState(asked);
  // Browser navigation changes the answer, and must change the question as well.
  const [answered, setAnswered] = useState(asked);
  if (answered !== asked) {
    setAnswered(asked);
    setQuestion(asked);
  }
  const told = useRead(
    ['reports', 'told', asked, foretells, zone],
    (call) => askReports(call, asked, foretells, zone),
    { enabled: asked !== '', staleTime: 5 * 60_000 },
  );
  const ask = (next: string): void => {
    setQuestion(next);
    address.change({ ask: next });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (question.trim() !== '') address.change({ ask: question.trim() });
  };
  return (
    <div className={classes.stack}>
      <form className={classes.ask} onSubmit={submit}>
        <TextInput
          size="sm"
          aria-label={text.question}
          placeholder={text.questionExample}
          maxLength={MAX_LETTERS}
          value={question}
          onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
        />
        <Button type="submit" size="sm" disabled={question.trim() === ''} loading={told.isFetching}>
          {text.ask}
        </Button>
        <Checkbox
          label={text.includeForecast}
          checked={foretells}
          onChange={({ currentTarget }) => address.change({ foretell: currentTarget.checked ? 'yes' : null })}
        />
      </form>
      {asked === '' ? (
        <div className={classes.examples}>
          <span className={classes.dim}>{text.examples}</span>
          {EXAMPLES.map((example) => (
            <Button key={example} variant="default" onClick={() => ask(example)}>
              {example}
            </Button>
          ))}
        </div>
      ) : (
        <Region query={told} what={nouns.answer} skeleton={<Skeleton rows={6} height={36} />}>
          {(one) => <AnswerView told={one} ask={ask} />}
        </Region>
      )}
    </div>
  );
}

const LIST = ['reports', 'list'] as const;
const ASKED_EVERY_MS = 1_500;

/** Polls the list while a report in it is being generated. */
const useReports = () => {
  const { call } = useAppServices();
  const isMade = (rows: readonly ReportData[]): boolean => rows.some(({ status }) => status === 'generating');
  return usePages(
    LIST,
    (cursor, signal) => listReports(call, cursor, signal),
    (rows) => (isMade(rows) ? ASKED_EVERY_MS : false),
  );
};

const FIELDS: readonly CsvField<ReportData>[] = [
  ['Report ID', ({ report_id }) => report_id],
  ['Name', ({ name }) => name],
  ['Template', ({ template_id }) => template_id],
  ['Format', ({ format }) => format],
  ['Status', ({ status }) => status],
  ['Size in bytes', ({ size_bytes }) => size_bytes],
  ['Created', ({ created_at }) => created_at],
  ['Created by', ({ created_by }) => created_by.name],
];

const useTemplates = (isWanted: boolean) => {
  return useRead(['reports', 'templates'], (call, signal) => listTemplates(call, signal), {
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
};

const useReportChanges = () => {
  const { call, root } = useAppServices();
  const queries = useQueryClient();
  const anew = (): Promise<void> => queries.invalidateQueries({ queryKey: LIST });
  const [make, isMaking] = useOnce(async (wish: ReportInput) => {
    try {
      await generateReport(call, wish);
      showToast({ text: text.generatingReport });
      void anew();
    } catch (error) {
      showError(text.couldntStartReport, error);
    }
  });
  return {
    make,
    isMaking,
    download: async ({ report_id }: ReportData): Promise<void> => {
      try {
        const address = await fileAddress(call, root, report_id);
        if (address !== null) location.assign(address);
      } catch (error) {
        showError(text.couldntDownloadReport, error);
      }
    },
    remove: async ({ report_id, name }: ReportData): Promise<void> => {
      try {
        await deleteReport(call, report_id);
        showToast({ text: text.deleted(name) });
      } catch (error) {
        showError(text.couldntDeleteReport, error);
      }
      void anew();
    },
  };
};

interface Props {
  readonly list: ReturnType<typeof useReports>;
  readonly mayWrite: boolean;
  readonly download: (report: ReportData) => void;
  readonly remove: (report: ReportData) => void;
}

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

function State({ report }: { readonly report: ReportData }) {
  if (report.status === 'failed') return <span className={classes.bad}>{text.failed(report.error ?? 'canceled')}</span>;
  if (report.status === 'generating') return <span role="status">{text.generating}</span>;
  return <span>{report.size_bytes === null ? text.ready : size(report.size_bytes)}</span>;
}

/** Lists own and shared reports, newest first. */
function ReportList({ list, mayWrite, download, remove }: Props) {
  const { rows: reports } = list;
  return (
    <Section
      flush
      title={text.reports}
      end={
        <>
          <span className={classes.small}>{text.kept7Days}</span>
          <ExportButton name="reports" fields={FIELDS} read={(call, cursor) => listReports(call, cursor)} />
        </>
      }
    >
      {reports.length === 0 ? (
        <Notice title={text.noReportsYet}>{mayWrite ? text.noReportsYetHint : text.noReportsShared}</Notice>
      ) : (
        <ul className={classes.list}>
          {reports.map((report) => (
            <li key={report.report_id} className={classes.report}>
              <div className={classes.reportText}>
                <strong>{report.name}</strong> <span className={classes.dim}>{report.format.toUpperCase()}</span>
                <br />
                <span className={classes.small}>
                  {report.created_by.name}, <Age since={report.created_at} /> · <State report={report} />
                  {report.shared ? text.shared : ''}
                </span>
              </div>
              {report.status === 'completed' ? (
                <Button variant="default" onClick={() => download(report)} aria-label={text.download(report.name)}>
                  {text.downloadLabel}
                </Button>
              ) : null}
              {mayWrite ? (
                <ActionIcon aria-label={text.deleteOf(report.name)} onClick={() => remove(report)}>
                  <Icon name="close" />
                </ActionIcon>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </Section>
  );
}

const VIEWS = [
  { value: 'reports', words: text.reports },
  { value: 'ask', words: text.askQuestion },
] as const;

function Files() {
  const mayWrite = useMay('reports.write');
  const reports = useReports();
  const templates = useTemplates(mayWrite);
  const { call } = useAppServices();
  const { make, isMaking, download, remove } = useReportChanges();
  const schedules = useRead(SCHEDULES, (call, signal) => listSchedules(call, signal));
  const [edited, setEdited] = useState<ScheduleData | null>(null);
  const attempt = useAttempt(SCHEDULES);
  const schedule = (wish: ScheduleInput): Promise<void> =>
    attempt(
      async () => {
        await saveSchedule(call, edited?.schedule_id ?? null, wish);
        setEdited(null);
      },
      { done: text.scheduleSaved, failed: text.couldntSaveSchedule },
    );
  const side = mayWrite ? (
    <Region query={templates} what={nouns.reportTypes} skeleton={<Skeleton rows={6} height={48} />}>
      {(known) => (
        <NewReport
          key={edited?.schedule_id}
          templates={known}
          start={edited}
          generate={(wish) => void make(wish)}
          schedule={(wish) => void schedule(wish)}
          cancel={() => setEdited(null)}
          isBusy={isMaking}
        />
      )}
    </Region>
  ) : null;
  return (
    <SideColumns side={side}>
      <Schedules schedules={schedules.data ?? []} mayWrite={mayWrite} edit={setEdited} />
      <Region query={reports.found} what={nouns.reports} skeleton={<Skeleton rows={6} height={48} />}>
        {() => (
          <ReportList
            list={reports}
            mayWrite={mayWrite}
            download={(report) => void download(report)}
            remove={(report) => void remove(report)}
          />
        )}
      </Region>
    </SideColumns>
  );
}

/** Reports, and questions answered with counts. */
export function ReportsPage() {
  const address = useAddress();
  const { features } = useMe();
  const mayAsk = useMay('ai.use') && features.ai;
  const view = mayAsk && (address.query.view === 'ask' || address.query.ask !== undefined) ? 'ask' : 'reports';
  if (!features.reports)
    return (
      <Page title={text.reports} scrolls>
        <Notice title={text.reportsNotEnabled}>{text.reportsNotEnabledHint}</Notice>
      </Page>
    );
  return (
    <Page title={text.reports} scrolls lead={view === 'ask' ? text.askQuestionLead : text.reportsLead}>
      {mayAsk ? (
        <div className={classes.views}>
          <Tabs
            label={text.reportSections}
            value={view}
            tabs={VIEWS}
            onChange={(next) => address.change({ view: next === 'ask' ? 'ask' : null, ask: null })}
          />
        </div>
      ) : null}
      {view === 'ask' ? <AskPart address={address} /> : <Files />}
    </Page>
  );
}
