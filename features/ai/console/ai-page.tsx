import { Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Mark } from '#console/components/mark/mark.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { patchOf } from '#console/forms/settings/draft.ts';
import { SettingsForm } from '#console/forms/settings/settings-form.tsx';
import { history } from '#console/forms/settings/texts.ts';
import { Section } from '#console/frame/section.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { AdminPage } from '#console/pages/admin/admin-page.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { percent } from '#domain/numbers.ts';
import classes from './ai.module.css';
import { AI_SECTIONS } from './ai-fields.ts';
import {
  AI_HISTORY,
  AI_SETTINGS,
  type AiSettingsData,
  type AiUsageData,
  readAiSettings,
  readAiUsage,
  saveAiSettings,
} from './api.ts';
import { RunbooksSection } from './runbooks-section.tsx';
import * as text from './texts.ts';
import { costWords, GROUPINGS, monthOf, nameOf, ofLimit, spent, type UsageGrouping } from './usage-text.ts';

const AI_USAGE = ['ai', 'usage'] as const;

interface BudgetProps {
  readonly title: string;
  readonly words: string;
  /** Null: there is no limit. */
  readonly share: number | null;
}

function Budget({ title, words, share }: BudgetProps) {
  return (
    <div className={classes.budget}>
      <span className={classes.word}>{title}</span>
      <span className={classes.large}>{words}</span>
      {share === null ? null : <Progress value={share * 100} aria-label={text.used(title, percent(share))} />}
    </div>
  );
}

function Budgets({ usage: { summary }, settings }: { readonly usage: AiUsageData; readonly settings: AiSettingsData }) {
  const { budget, estimatedCost, priced, totalCalls, totalTokens, rulesAnswers } = summary;
  const { monthlyCost } = settings.effective;
  return (
    <div className={classes.budgets}>
      <Budget
        title={text.tokensTodayUtc}
        words={ofLimit(number(budget.used), budget.limit)}
        share={spent(budget.used, budget.limit)}
      />
      <Budget
        title={text.costThisMonth}
        words={totalCalls === 0 ? ofLimit('0', monthlyCost) : ofLimit(costWords(estimatedCost, priced), monthlyCost)}
        share={monthlyCost === null ? null : spent(estimatedCost, monthlyCost)}
      />
      <Budget
        title={text.modelRequestsMonth}
        words={`${number(totalCalls)}, ${count(totalTokens, 'token')}`}
        share={null}
      />
      <Budget title={text.ruleBasedAnswersMonth} words={number(rulesAnswers)} share={null} />
    </div>
  );
}

type UsageMetric = AiUsageData['metrics'][number];

const usageColumns = ({ summary }: AiUsageData, by: UsageGrouping): readonly SimpleColumn<UsageMetric>[] => [
  {
    title: GROUPINGS.find(({ value }) => value === by)?.words ?? '',
    isName: true,
    isWide: true,
    cell: (metric) => nameOf(metric, by),
  },
  { title: text.requests, isNumber: true, cell: ({ callCount }) => number(callCount) },
  { title: text.inputTokens, isNumber: true, cell: ({ inputTokens }) => number(inputTokens) },
  { title: text.outputTokens, isNumber: true, cell: ({ outputTokens }) => number(outputTokens) },
  { title: text.cost, isNumber: true, cell: ({ estimatedCost }) => costWords(estimatedCost, summary.priced) },
  {
    title: text.averageLatency,
    isNumber: true,
    cell: ({ averageLatency }) => `${number(Math.round(averageLatency))} ms`,
  },
  { title: text.errorRate, isNumber: true, cell: ({ errorRate }) => percent(errorRate) },
];

interface TableProps {
  readonly usage: AiUsageData;
  readonly by: UsageGrouping;
  readonly hasModel: boolean;
}

function Table({ usage, by, hasModel }: TableProps) {
  const { metrics } = usage;
  if (metrics.length === 0)
    return <Notice title={text.noModelUsageMonth}>{hasModel ? text.noModelUsageHint : text.noModelNoCost}</Notice>;
  return (
    <SimpleTable
      label={text.modelUsage}
      rows={metrics}
      idOf={(metric) => nameOf(metric, by)}
      columns={usageColumns(usage, by)}
    />
  );
}

/** Use of the model this month, and the rest of the budgets. */
function Usage({ settings }: { readonly settings: AiSettingsData }) {
  const { clock } = useAppServices();
  const [by, setBy] = useState<UsageGrouping>('service');
  const month = monthOf(clock.now());
  const usage = useRead(
    [...AI_USAGE, month, by],
    async (call, signal) => ({ by, found: await readAiUsage(call, { startDate: month, groupBy: by }, signal) }),
    { placeholderData: (before) => before },
  );
  return (
    <Section
      title={text.usageThisMonth}
      end={
        <>
          {usage.data === undefined ? null : (
            <ExportRows
              name="ai-usage"
              columns={usageColumns(usage.data.found, usage.data.by)}
              rows={usage.data.found.metrics}
            />
          )}
          <Tabs<UsageGrouping> label={text.groupBy} value={by} tabs={GROUPINGS} onChange={setBy} />
        </>
      }
      flush
    >
      <Region query={usage} what={nouns.aiUsage} skeleton={<Skeleton rows={4} height={40} />}>
        {({ by: summedBy, found }) => (
          <>
            <Budgets usage={found} settings={settings} />
            <Table usage={found} by={summedBy} hasModel={settings.model !== null} />
          </>
        )}
      </Region>
    </Section>
  );
}

function Model({ model }: { readonly model: string | null }) {
  return (
    <Section title={text.model}>
      {model === null ? (
        <>
          <Mark kind="quiet">
            <span className={classes.said}>{text.noLanguageModelConfigured}</span>
          </Mark>
          <p className={classes.text}>{text.noLanguageModelHelp}</p>
        </>
      ) : (
        <>
          <Mark kind="good">{text.phrasesAnswers(model)}</Mark>
          <p className={classes.text}>{text.modelHelp}</p>
        </>
      )}
    </Section>
  );
}

const standingOf = ({ effective, etag }: AiSettingsData) => ({ effective, version: etag });

function Settings({ stands }: { readonly stands: AiSettingsData }) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const { defaults } = stands;
  return (
    <SettingsForm
      stands={standingOf(stands)}
      defaults={defaults}
      sections={AI_SECTIONS}
      histories={[{ paths: AI_HISTORY, title: history }]}
      counts={text.appliesFromNextAnswer}
      readNow={async () => standingOf(await readAiSettings(call))}
      save={async (wishes, etag) => {
        const saved = await saveAiSettings(call, patchOf(wishes, defaults), etag);
        queries.setQueryData(AI_SETTINGS, saved);
        void queries.invalidateQueries({ queryKey: ['ai', 'usage'] });
        showToast({ text: text.saved });
        return standingOf(saved);
      }}
    />
  );
}

/** The model, its budget, and its use. */
export function AiPage() {
  const query = useRead(AI_SETTINGS, (call, signal) => readAiSettings(call, signal));
  return (
    <AdminPage title={text.ai} lead={text.aiLead}>
      <Region query={query} what={nouns.settings} skeleton={<Skeleton rows={12} height={48} />}>
        {(stands) => (
          <>
            <Model model={stands.model} />
            <Usage settings={stands} />
            <Settings stands={stands} />
            <RunbooksSection runbooks={stands.effective.runbooks} />
          </>
        )}
      </Region>
    </AdminPage>
  );
}
