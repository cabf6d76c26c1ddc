import { Select, Switch } from '@mantine/core';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { problemOf } from '#console/forms/form-text.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import { NOISE, type NoisyCheckData, putCheckRule } from './api.ts';
import * as text from './texts.ts';

const AS_SENT = '';
const CHOICES = [
  { value: AS_SENT, label: text.asSent },
  ...SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] })),
];

interface Props {
  readonly check: NoisyCheckData;
  readonly onClose: () => void;
}

/** Severity and grouping of the next events of a check. */
export function AdjustDialog({ check: { title, source, problem, rule = {} }, onClose }: Props) {
  const { call } = useAppServices();
  const done = useDone(NOISE);
  const [severity, setSeverity] = useState<string>(rule.severity ?? AS_SENT);
  const [isGrouped, setGrouped] = useState(rule.grouped !== false);
  const wished = {
    source: source.trim().toLowerCase(),
    problem,
    ...(severity !== AS_SENT && { severity: severity as Severity }),
    ...(!isGrouped && { grouped: false }),
  };
  return (
    <FormDialog
      opened
      title={text.adjustTitle(title)}
      action={text.save}
      onClose={onClose}
      send={() => done(() => putCheckRule(call, wished), text.checkSaved(title))}
    >
      {(problems) => (
        <>
          <Select
            label={text.severity}
            description={text.severityHint}
            data={CHOICES}
            value={severity}
            allowDeselect={false}
            onChange={(next) => setSeverity(next ?? AS_SENT)}
            error={problemOf(problems, 'checks')}
            data-autofocus
          />
          <Switch
            label={text.groupEvents}
            description={text.groupEventsHint}
            checked={isGrouped}
            onChange={({ currentTarget }) => setGrouped(currentTarget.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
