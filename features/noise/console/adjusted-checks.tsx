import { Button } from '@mantine/core';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { SettingsHistory } from '#console/forms/settings/settings-history.tsx';
import { history } from '#console/forms/settings/texts.ts';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import type { CheckRuleBody } from '#schemas/http/admin/settings.ts';
import { CHECK_RULES_HISTORY, NOISE, putCheckRule, readCheckRules } from './api.ts';
import { ruleWords } from './noise-text.ts';
import * as text from './texts.ts';

const COLUMNS: readonly SimpleColumn<CheckRuleBody>[] = [
  {
    title: text.problem,
    isName: true,
    isWide: true,
    cell: ({ problem }) => <bdi>{problem}</bdi>,
    value: ({ problem }) => problem,
  },
  { title: text.source, cell: ({ source }) => source },
  { title: text.newEvents, cell: ruleWords },
];

/** Checks with a rule, including silent ones. */
export function AdjustedChecks() {
  const { call } = useAppServices();
  const attempt = useAttempt(NOISE);
  const mayManage = useMay('settings.manage');
  const rules = useRead([...NOISE, 'rules'], readCheckRules, { enabled: useMay('settings.read') });
  const checks = rules.data?.checks ?? [];
  if (checks.length === 0) return null;
  return (
    <Section
      title={text.adjustedChecks}
      flush
      end={
        <>
          <ExportRows name="adjusted-checks" columns={COLUMNS} rows={checks} />
          <SettingsHistory paths={CHECK_RULES_HISTORY} title={history} sections={[]} />
        </>
      }
    >
      <SimpleTable
        label={text.adjustedChecks}
        rows={checks}
        columns={COLUMNS}
        idOf={({ source, problem }) => `${source} ${problem}`}
        actions={({ source, problem }) =>
          mayManage ? (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={text.resetCheck(problem)}
              onClick={() =>
                void attempt(() => putCheckRule(call, { source, problem }), {
                  done: text.checkReset(problem),
                  failed: text.couldntReset(problem),
                })
              }
            >
              {text.reset}
            </Button>
          ) : null
        }
      />
    </Section>
  );
}
