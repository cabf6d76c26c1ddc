import { useNavigate } from '@tanstack/react-router';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { Tabs } from '#console/data/tabs.tsx';
import { JsonTree } from '#console/facts/json-tree.tsx';
import panel from '#console/frame/panel.module.css';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/words/counts.ts';
import { ActionButton } from './action-button.tsx';
import classes from './group.module.css';
import { HistoryTab } from './tabs/history-tab.tsx';
import { MembersTab, memberPath } from './tabs/members-tab.tsx';
import { NotesTab } from './tabs/notes-tab.tsx';
import { TogetherTab } from './tabs/together-tab.tsx';
import { WhyNotTab } from './tabs/why-not-tab.tsx';
import type { useGroupChanges } from './use-group-changes.ts';
import type { Looking, TabName } from './use-looking.ts';

interface Props {
  readonly group: GroupDetailShown;
  readonly looking: Looking;
  readonly actions: GroupActions;
  readonly changes: ReturnType<typeof useGroupChanges>;
}

function Members({ group, looking, actions }: Omit<Props, 'changes'>) {
  const navigate = useNavigate();
  const { correlationId: id } = group;
  const { selected } = looking;
  const chosen = (
    <>
      <span>{count(selected.ids.size, 'event')} selected</span>
      <ActionButton words="Explain" shortcut="e" onClick={looking.explainPair} />
      {actions.mayCorrelate ? (
        <ActionButton words="Split off" shortcut="p" onClick={() => looking.setSplitting(true)} />
      ) : null}
    </>
  );
  return (
    <Region query={looking.found} what="The members">
      {({ members, pagination }) => (
        <MembersTab
          groupId={id}
          members={members}
          total={pagination.total}
          selection={selected}
          onSelection={looking.setSelection}
          focused={looking.focused}
          onFocused={looking.setFocused}
          sort={looking.sort}
          onSort={looking.setSort}
          onOpen={(member) => void navigate({ to: `/${memberPath(id, member)}` })}
          actions={selected.ids.size === 0 ? null : chosen}
        />
      )}
    </Region>
  );
}

function Part({ group, looking, actions, changes }: Props) {
  const { members } = looking;
  const parts = {
    members: () => <Members group={group} looking={looking} actions={actions} />,
    together: () => <TogetherTab members={members} pair={looking.pair} onPair={looking.setPair} />,
    whynot: () => <WhyNotTab groupId={group.correlationId} members={members} cause={looking.cause} />,
    notes: () => (
      <NotesTab
        group={group}
        mayWrite={actions.mayWrite}
        note={changes.note}
        text={looking.note}
        onText={looking.setNote}
        field={looking.noteField}
      />
    ),
    history: () => <HistoryTab group={group} />,
    raw: () => (
      <div className={classes.tab}>
        <JsonTree value={group} />
      </div>
    ),
  };
  return parts[looking.tab]();
}

/** All that is not seen at once: members, why, notes, history. */
export function GroupTabs(props: Props) {
  const { group, looking } = props;
  return (
    <section className={panel.panel} data-wide aria-label="More about the group">
      <div className={classes.tabBar}>
        <Tabs<TabName>
          label="Parts of the group"
          value={looking.tab}
          onChange={looking.setTab}
          tabs={[
            { value: 'members', words: 'Members', count: group.eventCount },
            { value: 'together', words: 'Why together' },
            { value: 'whynot', words: 'Why not' },
            { value: 'notes', words: 'Notes', count: group.notes.length },
            { value: 'history', words: 'History' },
            { value: 'raw', words: 'Raw' },
          ]}
        />
      </div>
      <Part {...props} />
    </section>
  );
}
