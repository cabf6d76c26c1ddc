import { useEffect, useRef } from 'react';
import { GroupDialogs } from '#console/actions/group/group-dialogs.tsx';
import { useGroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { useParts } from '#console/hooks/parts.ts';
import { CausePanel } from './cause-panel.tsx';
import { DemoHints } from './demo-hints.tsx';
import classes from './group.module.css';
import { GroupButtons } from './group-buttons.tsx';
import { GroupHead } from './group-head.tsx';
import { GroupTabs } from './group-tabs.tsx';
import { MapPanel } from './map-panel.tsx';
import { SplitDialog } from './split-dialog.tsx';
import { TimelinePanel } from './timeline-panel.tsx';
import { useGroupChanges } from './use-group-changes.ts';
import { useGroupKeys } from './use-group-keys.ts';
import { useLooking } from './use-looking.ts';

/** A group that has been read. */
export function GroupView({ group }: { readonly group: GroupDetailShown }) {
  const { correlationId: id } = group;
  const { neighbours } = useParts();
  const actions = useGroupActions({ meant: [group] });
  const changes = useGroupChanges(group);
  const looking = useLooking(group);
  const place = useRef<HTMLDivElement>(null);
  const known = [id, ...group.aliases];
  const [beside, list] = [neighbours.of(known), neighbours.listOf(known)];
  const { members, ci, chooseCi, selected, isSplitting, setSplitting } = looking;
  const split = (): void => setSplitting(true);

  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  // The button that was pressed may be gone with the status that it changed: keys go on acting.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status takes buttons away.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [group.status]);
  useGroupKeys(looking, actions, { beside, list });

  return (
    <div ref={place} className={classes.group} data-keys tabIndex={-1}>
      <DemoHints />
      <GroupHead group={group} beside={beside} list={list}>
        <GroupButtons
          group={group}
          members={members}
          actions={actions}
          changes={changes}
          split={selected.ids.size > 0 ? split : undefined}
        />
      </GroupHead>
      <div className={classes.panels}>
        <CausePanel group={group} />
        <MapPanel id={id} selected={ci} onSelect={chooseCi} />
        <TimelinePanel id={id} members={members} cause={group.cause?.ci?.id ?? null} onSelect={chooseCi} />
        <GroupTabs group={group} looking={looking} actions={actions} changes={changes} />
      </div>
      <GroupDialogs actions={actions} />
      <SplitDialog
        opened={isSplitting}
        onClose={() => setSplitting(false)}
        eventIds={[...selected.ids]}
        split={changes.split}
      />
    </div>
  );
}
