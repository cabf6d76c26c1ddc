import { Button, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { problemOf } from '#console/forms/form-text.ts';
import { SettingsHistory } from '#console/forms/settings/settings-history.tsx';
import { history } from '#console/forms/settings/texts.ts';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { plain } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { ALERT_OBJECTS, COMPLAINTS } from '#domain/event/identity/alert-kinds.ts';
import { isStopping } from '#domain/event/identity/stock-alerts.ts';
import { ALERT_KINDS_HISTORY, type AlertKindData, alertKindsQuery, putAlertKinds } from './api.ts';
import * as text from './texts.ts';

const KEY = ['alert-kinds'] as const;
const choice = (value: string) => ({ value, label: plain(value) });
const PROBLEM_CHOICES = COMPLAINTS.map(choice);
const OBJECT_CHOICES = [{ value: '', label: text.anyObject }, ...ALERT_OBJECTS.map(choice)];

const COLUMNS: readonly SimpleColumn<AlertKindData>[] = [
  { title: text.alert, isName: true, cell: ({ alert }) => alert },
  { title: text.problem, cell: ({ problem }) => plain(problem) },
  { title: text.stopsObject, cell: ({ problem }) => (isStopping(problem) ? text.yes : text.no) },
  { title: text.object, cell: ({ object }) => (object === undefined ? text.anyObject : plain(object)) },
];

interface DialogProps {
  readonly kinds: readonly AlertKindData[];
  readonly etag: string | null;
  readonly onClose: () => void;
}

function AddDialog({ kinds, etag, onClose }: DialogProps) {
  const { call } = useAppServices();
  const done = useDone(KEY);
  const [alert, setAlert] = useState('');
  const [problem, setProblem] = useState<AlertKindData['problem']>('down');
  const [object, setObject] = useState('');
  const added = { alert, problem, ...(object !== '' && { object: object as AlertKindData['object'] }) };
  const others = kinds.filter((one) => one.alert !== alert);
  return (
    <FormDialog
      opened
      title={text.addAlertKind}
      action={text.addLabel}
      onClose={onClose}
      send={() => done(() => putAlertKinds(call, [added, ...others], etag), text.alertKindSaved(alert))}
    >
      {(problems) => (
        <>
          <TextInput
            label={text.alert}
            description={text.alertHelp}
            required
            maxLength={255}
            placeholder={text.alertExample}
            value={alert}
            onChange={({ currentTarget }) => setAlert(currentTarget.value)}
            error={problemOf(problems, 'alerts')}
            data-autofocus
          />
          <Select
            label={text.problem}
            data={PROBLEM_CHOICES}
            value={problem}
            allowDeselect={false}
            onChange={(next) => setProblem(next as AlertKindData['problem'])}
          />
          <Select
            label={text.object}
            data={OBJECT_CHOICES}
            value={object}
            allowDeselect={false}
            onChange={(next) => setObject(next ?? '')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Kinds of alerts that the tenant sets by name. */
export function AlertKindsTab() {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const mayManage = useMay('settings.manage');
  const attempt = useAttempt(KEY);
  const [isAdding, setAdding] = useState(false);
  const query = useQuery(alertKindsQuery(call));
  const remove = ({ alert }: AlertKindData): Promise<void> =>
    attempt(
      async () => {
        const { alerts, etag } = await queries.fetchQuery(alertKindsQuery(call));
        await putAlertKinds(
          call,
          alerts.filter((one) => one.alert !== alert),
          etag,
        );
      },
      { done: text.alertKindDeleted(alert), failed: text.couldntDelete(alert) },
    );
  return (
    <Section
      title={text.alertKinds}
      lead={text.alertKindsLead}
      flush
      end={
        <>
          <ExportRows name="alert-kinds" columns={COLUMNS} rows={query.data?.alerts} />
          <SettingsHistory paths={ALERT_KINDS_HISTORY} title={history} sections={[]} />
          {mayManage ? <Button onClick={() => setAdding(true)}>{text.addAlertKind}</Button> : null}
        </>
      }
    >
      <Region query={query} what={nouns.settings}>
        {({ alerts, etag }) => (
          <>
            {alerts.length === 0 ? (
              <Notice title={text.noAlertKinds}>{text.noAlertKindsHint}</Notice>
            ) : (
              <SimpleTable
                label={text.alertKinds}
                rows={alerts}
                idOf={({ alert }) => alert}
                columns={COLUMNS}
                actions={(kind) =>
                  mayManage ? (
                    <Button variant="subtle" aria-label={text.deleteName(kind.alert)} onClick={() => void remove(kind)}>
                      {text.deleteLabel}
                    </Button>
                  ) : null
                }
              />
            )}
            {isAdding ? <AddDialog kinds={alerts} etag={etag} onClose={() => setAdding(false)} /> : null}
          </>
        )}
      </Region>
    </Section>
  );
}
