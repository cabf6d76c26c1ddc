import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useAssignGroups } from '#console/actions/assign/use-assign-groups.ts';
import { GroupDialogs } from '#console/actions/group/group-dialogs.tsx';
import { useGroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { Tabs } from '#console/data/tabs.tsx';
import { JsonTree } from '#console/facts/json-tree.tsx';
import { ReasonDialog } from '#console/forms/reason-dialog.tsx';
import panel from '#console/frame/panel.module.css';
import { kept, NOTHING } from '#console/grid/selection.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/words/counts.ts';
import { ActionButton } from './action-button.tsx';
import { CausePanel } from './cause-panel.tsx';
import { DemoHints } from './demo-hints.tsx';
import classes from './group.module.css';
import { GroupHead } from './group-head.tsx';
import { MapPanel } from './map-panel.tsx';
import { useMembers } from './read/use-group.ts';
import { HistoryTab } from './tabs/history-tab.tsx';
import { type MemberSort, MembersTab, memberId } from './tabs/members-tab.tsx';
import { NotesTab } from './tabs/notes-tab.tsx';
import { TogetherTab } from './tabs/together-tab.tsx';
import { WhyNotTab } from './tabs/why-not-tab.tsx';
import { TimelinePanel } from './timeline-panel.tsx';
import { useGroupChanges } from './use-group-changes.ts';
import { VerdictButtons } from './verdict.tsx';

type TabName = 'members' | 'together' | 'whynot' | 'notes' | 'history' | 'raw';
type Pair = readonly [string | null, string | null];

/** A group that has been read. */
export function GroupView({ group }: { readonly group: GroupDetailShown }) {
  const { correlationId: id } = group;
  const me = useMe();
  const navigate = useNavigate();
  const { neighbours } = useParts();
  const actions = useGroupActions({ meant: [group] });
  const { mayWrite, mayCorrelate } = actions;
  const assign = useAssignGroups();
  const changes = useGroupChanges(group);
  const place = useRef<HTMLDivElement>(null);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const [sort, setSort] = useState<MemberSort>({ by: 'timestamp', order: 'asc' });
  const [tab, setTab] = useState<TabName>('members');
  const [selection, setSelection] = useState(NOTHING);
  const [focused, setFocused] = useState<string | null>(null);
  const [pair, setPair] = useState<Pair>([null, null]);
  const [ci, setCi] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'split' | null>(null);
  const found = useMembers(id, sort);
  const members = found.data?.members ?? [];
  const selected = kept(selection, members.map(memberId));
  const cause = group.cause?.event.eventId ?? null;
  const close = (): void => setDialog(null);
  const beside = neighbours.of([id, ...group.aliases]);
  const goTo = (other: string | null): void => {
    if (other !== null) void navigate({ to: `/groups/${other}` });
  };

  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  // The button that was pressed may be gone with the status that it changed: keys go on acting.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status takes buttons away.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [group.status]);

  const explainPair = (): void => {
    const [one, other] = [...selected.ids];
    setPair(one === undefined ? [cause, focused] : [one, other ?? cause]);
    setTab('together');
  };
  const writeNote = (): void => {
    setTab('notes');
    setTimeout(() => noteField.current?.focus(), 50);
  };
  /** Selecting a CI on the map shows its members. */
  const chooseCi = (chosen: string | null): void => {
    setCi(chosen);
    const first = members.find(({ ciId, hostname }) => (ciId?._id ?? hostname) === chosen);
    if (first === undefined) return;
    setTab('members');
    setFocused(first.eventId);
  };

  useShortcuts([
    {
      keys: 'p',
      words: 'Split what is selected off',
      section: 'Actions',
      isActive: mayCorrelate && selected.ids.size > 0,
      run: () => setDialog('split'),
    },
    {
      keys: 'e',
      words: 'Explain: two selected members, or the one in focus and the cause',
      section: 'Actions',
      run: explainPair,
    },
    { keys: 'n', words: 'Write a note', section: 'Actions', isActive: mayWrite, run: writeNote },
    {
      keys: '[',
      words: 'Previous group of the list',
      section: 'Go to',
      isActive: beside.before !== null,
      run: () => goTo(beside.before),
    },
    {
      keys: ']',
      words: 'Next group of the list',
      section: 'Go to',
      isActive: beside.after !== null,
      run: () => goTo(beside.after),
    },
    {
      keys: 'Escape',
      words: 'Back to the groups',
      section: 'Go to',
      run: () => (selected.ids.size > 0 ? setSelection(NOTHING) : void navigate({ to: '/groups' })),
    },
  ]);

  return (
    <div ref={place} className={classes.group} data-keys tabIndex={-1}>
      <DemoHints />
      <GroupHead group={group} beside={beside}>
        {mayWrite ? (
          <>
            <ActionButton
              words="Acknowledge"
              shortcut="a"
              isMain
              isOff={group.status !== 'active'}
              onClick={() => actions.acknowledge()}
            />
            <ActionButton
              words="Resolve"
              shortcut="r"
              isOff={group.status === 'resolved'}
              onClick={() => actions.ask('resolve')}
            />
            {group.assignedTo?._id === me.user._id ? (
              <ActionButton words="Give it up" shortcut="" onClick={() => void assign([group], null)} />
            ) : (
              <ActionButton words="I take it" shortcut="i" onClick={() => actions.take()} />
            )}
            <ActionButton words="Assign…" shortcut="⇧ i" onClick={() => actions.ask('assign')} />
          </>
        ) : null}
        {mayCorrelate ? (
          <>
            <ActionButton words="Merge" shortcut="m" onClick={() => actions.ask('merge')} />
            <ActionButton
              words="Split"
              shortcut="p"
              isOff={selected.ids.size === 0}
              onClick={() => setDialog('split')}
            />
          </>
        ) : null}
        {mayWrite && group.cause !== null ? <VerdictButtons group={group} judge={changes.judge} /> : null}
      </GroupHead>
      <div className={classes.panels}>
        <CausePanel group={group} />
        <MapPanel id={id} selected={ci} onSelect={chooseCi} />
        <TimelinePanel id={id} members={members} cause={group.cause?.ci?.id ?? null} onSelect={chooseCi} />
        <section className={panel.panel} data-wide aria-label="More about the group">
          <div className={classes.tabBar}>
            <Tabs<TabName>
              label="Parts of the group"
              value={tab}
              onChange={setTab}
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
          {tab === 'members' ? (
            <Region query={found} what="The members">
              {({ members: rows, pagination }) => (
                <MembersTab
                  groupId={id}
                  members={rows}
                  total={pagination.total}
                  selection={selected}
                  onSelection={setSelection}
                  focused={focused}
                  onFocused={setFocused}
                  sort={sort}
                  onSort={setSort}
                  onOpen={({ eventId }) => void navigate({ to: `/events?event=${eventId}&correlationId=${id}` })}
                  actions={
                    selected.ids.size === 0 ? null : (
                      <>
                        <span>{count(selected.ids.size, 'event')} selected</span>
                        <ActionButton words="Explain" shortcut="e" onClick={explainPair} />
                        {mayCorrelate ? (
                          <ActionButton words="Split off" shortcut="p" onClick={() => setDialog('split')} />
                        ) : null}
                      </>
                    )
                  }
                />
              )}
            </Region>
          ) : null}
          {tab === 'together' ? <TogetherTab members={members} pair={pair} onPair={setPair} /> : null}
          {tab === 'whynot' ? <WhyNotTab groupId={id} members={members} cause={cause} /> : null}
          {tab === 'notes' ? (
            <NotesTab group={group} mayWrite={mayWrite} note={changes.note} field={noteField} />
          ) : null}
          {tab === 'history' ? <HistoryTab group={group} /> : null}
          {tab === 'raw' ? (
            <div className={classes.tab}>
              <JsonTree value={group} />
            </div>
          ) : null}
        </section>
      </div>
      <GroupDialogs actions={actions} />
      <ReasonDialog
        opened={dialog === 'split'}
        onClose={close}
        title={`Split ${count(selected.ids.size, 'event')} off`}
        action="Split off"
        act={(reason) => void changes.split([...selected.ids], reason)}
      >
        <p className={classes.text}>
          {selected.ids.size === 1
            ? 'The event leaves this group and is in none.'
            : 'They leave this group and make one of their own.'}{' '}
          The server remembers it: they are not joined again, unless a person merges them.
        </p>
      </ReasonDialog>
    </div>
  );
}
