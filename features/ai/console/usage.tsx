import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SimpleTable } from '#console/data/simple-table.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number, percent } from '#console/words/counts.ts';
import classes from './ai.module.css';
import { type AiSettingsShown, type AiUsageShown, readAiUsage } from './api.ts';
import { costWords, GROUPINGS, monthOf, nameOf, ofLimit, spent, type UsageGrouping } from './usage-words.ts';

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
      {share === null ? null : <Progress value={share * 100} aria-label={`${title}: ${percent(share)} spent`} />}
    </div>
  );
}

function Budgets({
  usage: { summary },
  settings,
}: {
  readonly usage: AiUsageShown;
  readonly settings: AiSettingsShown;
}) {
  const { budget, estimatedCost, priced, totalCalls, totalTokens, rulesAnswers } = summary;
  const { monthlyCost } = settings.effective;
  return (
    <div className={classes.budgets}>
      <Budget
        title="Tokens today (UTC)"
        words={ofLimit(number(budget.used), budget.limit)}
        share={spent(budget.used, budget.limit)}
      />
      <Budget
        title="Cost this month"
        words={
          totalCalls === 0 ? ofLimit('nothing', monthlyCost) : ofLimit(costWords(estimatedCost, priced), monthlyCost)
        }
        share={monthlyCost === null ? null : spent(estimatedCost, monthlyCost)}
      />
      <Budget
        title="Asked this month"
        words={`${count(totalCalls, 'time')}, ${count(totalTokens, 'token')}`}
        share={null}
      />
      <Budget title="Answered by the rules this month" words={count(rulesAnswers, 'time')} share={null} />
    </div>
  );
}

interface TableProps {
  readonly usage: AiUsageShown;
  readonly by: UsageGrouping;
  readonly hasModel: boolean;
}

function Table({ usage: { metrics, summary }, by, hasModel }: TableProps) {
  if (metrics.length === 0)
    return (
      <Notice title="No model was asked this month">
        {hasModel
          ? 'Ask the assistant something (Ctrl J): what it costs is counted here.'
          : 'There is none. What the rules answer costs nothing.'}
      </Notice>
    );
  return (
    <SimpleTable
      label="Use of the model"
      rows={metrics}
      idOf={(metric) => nameOf(metric, by)}
      columns={[
        {
          title: GROUPINGS.find(({ value }) => value === by)?.words ?? '',
          isName: true,
          isWide: true,
          cell: (metric) => nameOf(metric, by),
        },
        { title: 'Asked', isNumber: true, cell: ({ callCount }) => number(callCount) },
        { title: 'Tokens read', isNumber: true, cell: ({ inputTokens }) => number(inputTokens) },
        { title: 'Tokens written', isNumber: true, cell: ({ outputTokens }) => number(outputTokens) },
        { title: 'Cost', isNumber: true, cell: ({ estimatedCost }) => costWords(estimatedCost, summary.priced) },
        { title: 'Took', isNumber: true, cell: ({ averageLatency }) => `${number(Math.round(averageLatency))} ms` },
        { title: 'Failed', isNumber: true, cell: ({ errorRate }) => percent(errorRate) },
      ]}
    />
  );
}

/** Use of the model this month, and the rest of the budgets. */
export function Usage({ settings }: { readonly settings: AiSettingsShown }) {
  const { call, clock } = useParts();
  const [by, setBy] = useState<UsageGrouping>('service');
  const month = monthOf(clock.now());
  const usage = useQuery({
    queryKey: [...AI_USAGE, month, by],
    queryFn: async ({ signal }) => ({ by, found: await readAiUsage(call, { startDate: month, groupBy: by }, signal) }),
    placeholderData: (before) => before,
  });
  return (
    <Section
      title="Use this month"
      end={<Tabs<UsageGrouping> label="Summed by" value={by} tabs={GROUPINGS} onChange={setBy} />}
      flush
    >
      <Region query={usage} what="The use" skeleton={<Skeleton rows={4} height={40} />}>
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
