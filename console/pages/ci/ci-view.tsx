import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { CI_STATUS_WORDS, typeWords } from '#console/cis/ci-words.ts';
import detail from '#console/cis/detail.module.css';
import { PageLink } from '#console/cis/page-link.tsx';
import { Panels } from '#console/cis/panels.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import { useStates } from '#console/cis/use-states.ts';
import { Age } from '#console/facts/age.tsx';
import { Icon } from '#console/facts/icon.tsx';
import heading from '#console/frame/heading.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { useSlot } from '#console/slots/feature.ts';
import { AttributesPanel } from './attributes-panel.tsx';
import classes from './ci.module.css';
import { EditDialog } from './edit-dialog.tsx';
import { EventsPanel, GroupsPanel } from './events-panels.tsx';
import { PastPanel } from './past-panel.tsx';
import { RelationshipsPanel } from './relationships-panel.tsx';
import { ServicesPanel } from './services-panel.tsx';

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
          <Icon name="left" size={14} /> CIs
        </Link>
        <h1 className={heading.title}>{ci.name}</h1>
        <p className={heading.facts}>
          <StateMark state={states[ci._id]} />
          {well ? <span className={classes.well}>no open event</span> : null}
          <span>{typeWords(ci.type)}</span>
          <span className={classes.status} data-status={ci.status}>
            {CI_STATUS_WORDS[ci.status]}
          </span>
          {ci.external_key === undefined ? null : <span>key {ci.external_key}</span>}
          <Age since={ci.updated_at} before="changed " after=" ago" />
          {ci.last_seen === null ? null : <Age since={ci.last_seen} before="seen " after=" ago" />}
        </p>
        {ci.description === undefined ? null : <p className={detail.description}>{ci.description}</p>}
        <div className={classes.actions}>
          {mayWrite ? <Button onClick={() => setEditing(true)}>Edit</Button> : null}
          <Button variant="default" component={PageLink} to={`/topology?ci=${ci._id}`}>
            Show what is around it
          </Button>
          <Button variant="default" component={PageLink} to={`/topology?ci=${ci._id}&mode=impact`}>
            What fails with it
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
            <Panel title="Attributes">
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
