import { ActionIcon, Button, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { readNeighbourhood } from '#console/api/cmdb/topology.ts';
import { CiPicker } from '#console/cis/ci-picker.tsx';
import { Icon } from '#console/components/icon.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import forms from '#console/forms/forms.module.css';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { MAX_COMPONENTS } from '#domain/services/service.ts';
import { capital } from '#domain/text.ts';
import { changeService, makeService } from './api.ts';
import {
  type ComponentDraft,
  componentOf,
  NEW_SERVICE,
  type ServiceDraft,
  serviceBodyOf,
  withComponents,
} from './service-draft.ts';
import classes from './services.module.css';
import * as text from './texts.ts';

const HOPS = 2;
const MAX_FOUND = 100;

interface PartProps {
  readonly draft: ServiceDraft;
  readonly change: (draft: ServiceDraft) => void;
}

interface ComponentProps {
  readonly component: ComponentDraft;
  readonly change: (part: Partial<ComponentDraft>) => void;
  readonly remove: () => void;
  readonly addDependencies: () => void;
}
function ComponentLine({ component, change, remove, addDependencies }: ComponentProps) {
  const { name, role, group, required } = component;
  return (
    <li className={classes.component}>
      <span className={classes.componentName}>{name}</span>
      <TextInput
        aria-label={text.roleOf(name)}
        placeholder={text.role}
        value={role}
        maxLength={255}
        onChange={({ currentTarget }) => change({ role: currentTarget.value })}
      />
      <TextInput
        aria-label={text.redundancyGroupOf(name)}
        placeholder={text.redundancyGroup}
        value={group}
        maxLength={255}
        onChange={({ currentTarget }) => change({ group: currentTarget.value })}
      />
      <NumberInput
        aria-label={text.requiredOf(name)}
        title={text.requiredHint}
        disabled={group.trim() === ''}
        min={1}
        max={MAX_COMPONENTS}
        value={required}
        onChange={(next) => change({ required: Math.max(1, Number(next) || 1) })}
      />
      <Button variant="subtle" size="compact-sm" onClick={addDependencies} title={text.addDependenciesHint(name)}>
        {text.addDependencies}
      </Button>
      <ActionIcon variant="subtle" aria-label={text.remove(name)} onClick={remove}>
        <Icon name="close" size={14} />
      </ActionIcon>
    </li>
  );
}

/** CIs by search, and those on which they depend. */
function ComponentFields({ draft, change }: PartProps) {
  const { call } = useAppServices();
  const { components } = draft;
  const addDependencies = async ({ ciId, name }: ComponentDraft): Promise<void> => {
    try {
      const { nodes } = await readNeighbourhood(call, ciId, { direction: 'up', hops: HOPS, limit: MAX_FOUND });
      const found = nodes.map((node) => componentOf(node.id, node.name));
      const next = withComponents(draft, found);
      const added = next.components.length - components.length;
      showToast({ text: added === 0 ? text.noDependencies(name) : text.dependenciesAdded(added) });
      change(next);
    } catch (error) {
      showError(text.couldntReadDependencies, error);
    }
  };
  return (
    <fieldset className={classes.components}>
      <legend>{text.components}</legend>
      {components.length === 0 ? <p className={forms.note}>{text.noComponents}</p> : null}
      <ul aria-label={text.components}>
        {components.map((component, at) => (
          <ComponentLine
            key={component.ciId}
            component={component}
            change={(part) => change({ ...draft, components: components.with(at, { ...component, ...part }) })}
            remove={() => change({ ...draft, components: components.toSpliced(at, 1) })}
            addDependencies={() => void addDependencies(component)}
          />
        ))}
      </ul>
      <CiPicker
        key={components.length}
        label={text.addCi}
        picked={null}
        onPick={({ id, name }) => change(withComponents(draft, [componentOf(id, name)]))}
      />
    </fieldset>
  );
}

function Fields({ start, keep }: { readonly start: ServiceDraft; readonly keep: (draft: ServiceDraft) => void }) {
  const [draft, setDraft] = useState(start);
  const change = (next: ServiceDraft): void => {
    setDraft(next);
    keep(next);
  };
  return (
    <>
      <TextInput
        name="name"
        label={text.name}
        required
        maxLength={255}
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => change({ ...draft, name: currentTarget.value })}
      />
      <Textarea
        name="description"
        label={text.description}
        autosize
        minRows={2}
        value={draft.description}
        onChange={({ currentTarget }) => change({ ...draft, description: currentTarget.value })}
      />
      <div className={classes.targets}>
        <Select
          label={capital(text.criticalityLabel)}
          data={CRITICALITIES.map((value) => ({ value, label: capital(value) }))}
          value={draft.criticality}
          allowDeselect={false}
          onChange={(next) =>
            change({ ...draft, criticality: CRITICALITIES.find((one) => one === next) ?? draft.criticality })
          }
        />
        <TextInput
          name="sla.availability"
          label={text.availability}
          placeholder="99.9%"
          maxLength={255}
          value={draft.availability}
          onChange={({ currentTarget }) => change({ ...draft, availability: currentTarget.value })}
        />
        <TextInput
          name="sla.response_time"
          label={text.responseTime}
          placeholder={text.responseTimeExample}
          maxLength={255}
          value={draft.responseTime}
          onChange={({ currentTarget }) => change({ ...draft, responseTime: currentTarget.value })}
        />
      </div>
      <ComponentFields draft={draft} change={change} />
    </>
  );
}

/** Service that is edited, with the version that was read. */
export interface EditedService {
  readonly id: string;
  readonly etag: string | null;
  readonly draft: ServiceDraft;
}

interface Props {
  readonly opened: boolean;
  /** Absent: a new one. */
  readonly edited?: EditedService | null;
  readonly onClose: () => void;
}

/** Creates a service, or changes one. */
export function ServiceDialog({ opened, edited = null, onClose }: Props) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<ServiceDraft | null>(null);
  const close = (): void => {
    setDraft(null);
    onClose();
  };
  const send = async (): Promise<void> => {
    const body = serviceBodyOf(draft ?? edited?.draft ?? NEW_SERVICE);
    const { id } =
      edited === null ? await makeService(call, body) : await changeService(call, edited.id, body, edited.etag);
    showToast({ text: edited === null ? text.created(body.name) : text.saved(body.name) });
    await queries.invalidateQueries({ queryKey: ['services'] });
    if (edited === null) void navigate({ to: `/services/${id}` });
  };
  return (
    <FormDialog
      opened={opened}
      title={edited === null ? text.createService : text.editService}
      action={edited === null ? text.create : text.save}
      size="xl"
      onClose={close}
      send={send}
    >
      {() => <Fields start={edited?.draft ?? NEW_SERVICE} keep={setDraft} />}
    </FormDialog>
  );
}
