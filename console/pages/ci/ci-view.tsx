import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type CiFacts, changeCi, readCi } from '#console/api/cmdb/cmdb.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { type CiConflict, conflictsOf, differences, draftOf, inputOf } from '#console/cis/ci-draft.ts';
import { CiFields } from '#console/cis/ci-fields.tsx';
import forms from '#console/cis/ci-forms.module.css';
import { CI_STATUS_WORDS, fieldWords, typeWords, valueText } from '#console/cis/ci-words.ts';
import detail from '#console/cis/detail.module.css';
import { DiffTable } from '#console/cis/diff-table.tsx';
import { GroupRows } from '#console/cis/group-rows.tsx';
import { PageLink } from '#console/cis/page-link.tsx';
import { Nothing, Panels } from '#console/cis/panels.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import { useStates } from '#console/cis/use-states.ts';
import { Age } from '#console/components/age.tsx';
import { Icon } from '#console/components/icon.tsx';
import { SafeLink } from '#console/components/links/safe-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { StatusMark } from '#console/components/status-mark.tsx';
import { Times } from '#console/components/times.tsx';
import rows from '#console/data/rows.module.css';
import type { FieldConflict } from '#console/forms/conflict.ts';
import { Conflicts } from '#console/forms/conflicts.tsx';
import heading from '#console/frame/heading.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useSlot } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number, openCounts } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import classes from './ci.module.css';
import { PastPanel } from './history-panel.tsx';
import { RelationshipsPanel } from './relationships-panel.tsx';
import * as text from './texts.ts';
import { useCiEvents, useCiGroups, useReach } from './use-ci.ts';

interface EditDialogProps {
  readonly ci: CiFacts;
  readonly etag: string | null;
  readonly onClose: () => void;
}

const said = (clash: CiConflict): FieldConflict => ({
  field: clash.theirs.field,
  words: fieldWords(clash.theirs.field),
  theirs: valueText(clash.theirs.after),
  mine: clash.mine === null ? null : valueText(clash.mine.after),
});

/** Changes a CI: shows the changes before they are saved, and detects a concurrent change by another user. */
function EditDialog({ ci, etag, onClose }: EditDialogProps) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  // The values at the start of the dialog: the page behind may be refetched meanwhile.
  const [base] = useState({ ci, etag });
  const [now, setNow] = useState(base);
  const [draft, setDraft] = useState(() => draftOf(ci));
  const [isLooking, setLooking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const wanted = differences(base.ci, draft);
  const found = conflictsOf(base.ci, now.ci, wanted);
  const changes = wanted.filter(({ field }) => !theirs.has(field));
  const mayLook = wanted.length > 0 && draft.name.trim() !== '' && draft.type.trim() !== '';

  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await changeCi(call, ci._id, inputOf(changes), now.etag);
      showToast({ text: text.saved(draft.name) });
      onClose();
      await queries.invalidateQueries({ queryKey: ['cis'] });
    } catch (error) {
      if (isProblem(error, 412)) setNow(await readCi(call, ci._id));
      else {
        if (isProblem(error)) setErrors(error.fields);
        showError(text.couldntSaveCi, error);
        setLooking(false);
      }
    }
    setBusy(false);
  };

  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    if (!isLooking) setLooking(mayLook);
    else if (changes.length > 0) void save();
  };

  return (
    <Modal opened onClose={onClose} title={text.edit(ci.name)} size="lg">
      <Stack component="form" gap="md" onSubmit={goOn}>
        {isLooking ? (
          <>
            {found.length === 0 ? null : <Conflicts found={found.map(said)} theirs={theirs} onTheirs={setTheirs} />}
            <p className={forms.lead}>{text.changesToSave}</p>
            <DiffTable changes={changes} />
          </>
        ) : (
          <CiFields draft={draft} onChange={setDraft} errors={errors} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={isLooking ? () => setLooking(false) : onClose}>
            {isLooking ? text.back : text.cancel}
          </Button>
          {isLooking ? (
            <Button key="save" type="submit" loading={isBusy} disabled={changes.length === 0} autoFocus>
              {text.save}
            </Button>
          ) : (
            <Button key="look" type="submit" disabled={!mayLook}>
              {text.reviewChanges}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

interface Props {
  readonly ci: CiFacts;
}
const SKELETON = <Skeleton rows={3} height={30} />;

/** Its problems now. */
function EventsPanel({ ci }: Props) {
  const events = useCiEvents(ci._id);
  if (!useMay('events.read')) return null;
  const total = events.data?.pagination.total ?? 0;
  const acknowledged = events.data?.acknowledged ?? 0;
  const end = (
    <PageLink to={`/events?ciId=${ci._id}`} className={classes.panelLink}>
      {text.allEvents}
    </PageLink>
  );
  return (
    <Panel title={total === 0 ? text.openEvents : text.events(openCounts({ open: total, acknowledged }))} end={end}>
      <Region query={events} what={nouns.events} skeleton={SKELETON}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{text.noOpenEvents}</Nothing>
          ) : (
            <ul className={rows.rows}>
              {data.map((event) => (
                <li key={event.eventId} className={rows.row}>
                  <SeverityMark severity={event.severity} bare />
                  <PageLink to={`/events?ciId=${ci._id}&event=${event.eventId}`} className={rows.rowMain}>
                    {event.title}
                  </PageLink>
                  <Times count={event.occurrenceCount} />
                  <StatusMark status={event.status} />
                  <Age since={event.timestamp} />
                </li>
              ))}
              {total > data.length ? <li className={rows.note}>{text.more(number(total - data.length))}</li> : null}
            </ul>
          )
        }
      </Region>
    </Panel>
  );
}

/** Faults that it has a part in. */
function GroupsPanel({ ci }: Props) {
  const groups = useCiGroups(ci._id);
  if (!useMay('events.read')) return null;
  return (
    <Panel title={text.groups}>
      <Region query={groups} what={nouns.groups} skeleton={SKELETON}>
        {({ groups: found }) =>
          found.length === 0 ? <Nothing>{text.noGroups}</Nothing> : <GroupRows groups={found} withStatus />
        }
      </Region>
    </Panel>
  );
}

const IMPACT_WORDS = { full_outage: text.down, degraded_functionality: text.degraded } as const;

/** Services that its failure would affect. */
function ServicesPanel({ ci }: { readonly ci: CiFacts }) {
  const reach = useReach(ci._id);
  const end = (
    <PageLink to={`/topology?ci=${ci._id}&mode=impact`} className={classes.panelLink}>
      {text.viewImpact}
    </PageLink>
  );
  return (
    <Panel title={text.ifThisCiFails} end={end}>
      <Region query={reach} what={nouns.dependents} skeleton={<Skeleton rows={2} height={30} />}>
        {({ services, total }) => (
          <>
            {services.length === 0 ? null : (
              <ul className={rows.rows}>
                {services.map(({ id, name, impact, criticality }) => (
                  <li key={id} className={rows.row}>
                    <Link to={`/services/${id}`} className={rows.rowMain}>
                      {name}
                    </Link>
                    <span>{IMPACT_WORDS[impact]}</span>
                    <span className={rows.dim}>{text.criticality(criticality)}</span>
                  </li>
                ))}
              </ul>
            )}
            <Nothing>
              {services.length === 0 ? text.noDependentServices : ''}
              {total === 0 ? text.noOtherCisImpacted : text.otherCisImpacted(count(total, 'other CI'))}
            </Nothing>
          </>
        )}
      </Region>
    </Panel>
  );
}

const Value = ({ value }: { readonly value: unknown }) => <SafeLink text={valueText(value)} />;

/** Values of the CI. */
function AttributesPanel({ ci }: { readonly ci: CiFacts }) {
  const beside = useSlot('ciValueParts');
  const attributes = Object.entries(ci.attributes);
  const custom = Object.entries(ci.custom_fields);
  if (attributes.length === 0 && custom.length === 0) return <Nothing>{text.noAttributes}</Nothing>;
  return (
    <dl className={classes.attributes}>
      {attributes.map(([name, value]) => (
        <div key={name}>
          <dt>{fieldWords(name)}</dt>
          <dd>
            <Value value={value} />
            {beside.map(({ id, Part }) => (
              <Part key={id} ci={ci._id} name={name} />
            ))}
          </dd>
        </div>
      ))}
      {custom.map(([name, value]) => (
        <div key={`custom ${name}`}>
          <dt>{fieldWords(name)}</dt>
          <dd>
            <Value value={value} />
            <span className={classes.source}>{text.customField}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface AddedProps {
  readonly slot: 'leftCiPanels' | 'rightCiPanels';
  readonly ci: CiFacts;
}
const Added = ({ slot, ci }: AddedProps) => useSlot(slot).map(({ id, Part }) => <Part key={id} ci={ci} />);

/** A CI with its facts and actions. */
export function CiView({ ci, etag }: { readonly ci: CiFacts; readonly etag: string | null }) {
  const mayWrite = useMay('cmdb.write');
  const [isEditing, setEditing] = useState(false);
  const states = useStates([ci._id]);
  const well = states[ci._id]?.worst === null;
  return (
    <div className={detail.page}>
      <header className={detail.head}>
        <Link to="/cis" className={heading.back}>
          <Icon name="left" size={14} /> {text.cis}
        </Link>
        <h1 className={heading.title}>{ci.name}</h1>
        <p className={heading.facts}>
          <StateMark state={states[ci._id]} />
          {well ? <span className={classes.well}>{text.noOpenEventsMark}</span> : null}
          <span>{typeWords(ci.type)}</span>
          <span className={classes.status} data-status={ci.status}>
            {CI_STATUS_WORDS[ci.status]}
          </span>
          {ci.external_key === undefined ? null : <span>{text.externalKey(ci.external_key)}</span>}
          <Age since={ci.updated_at} before="Updated " />
          {ci.last_seen === null ? null : <Age since={ci.last_seen} before="Last seen " />}
        </p>
        {ci.description === undefined ? null : <p className={detail.description}>{ci.description}</p>}
        <div className={classes.actions}>
          {mayWrite ? <Button onClick={() => setEditing(true)}>{text.editLabel}</Button> : null}
          <Button variant="default" component={PageLink} to={`/topology?ci=${ci._id}`}>
            {text.viewTopology}
          </Button>
          <Button variant="default" component={PageLink} to={`/topology?ci=${ci._id}&mode=impact`}>
            {text.viewImpact}
          </Button>
        </div>
      </header>
      <Panels
        left={
          <>
            <EventsPanel ci={ci} />
            <GroupsPanel ci={ci} />
            <ServicesPanel ci={ci} />
            <Added slot="leftCiPanels" ci={ci} />
          </>
        }
        right={
          <>
            <Panel title={text.attributes}>
              <AttributesPanel ci={ci} />
            </Panel>
            <RelationshipsPanel ci={ci} />
            <Added slot="rightCiPanels" ci={ci} />
            <PastPanel ci={ci} />
          </>
        }
      />
      {isEditing ? <EditDialog ci={ci} etag={etag} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}
