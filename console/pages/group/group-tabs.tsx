import { Button, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type Ref, useState } from 'react';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import { MoveDialog } from '#console/actions/merge/move-dialog.tsx';
import type { MemberData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { ExplainedPair } from '#console/components/explained-pair.tsx';
import { JsonTree } from '#console/components/json-tree.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { NoteField } from '#console/forms/note-field.tsx';
import panel from '#console/frame/panel.module.css';
import { NOTHING } from '#console/grid/selection.ts';
import { useExplained } from '#console/hooks/use-explained.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/text/counts.ts';
import { eventName } from '#console/text/event-text.ts';
import { refusalWords } from '#console/text/refusal-text.ts';
import { ActionButton } from './action-button.tsx';
import classes from './group.module.css';
import { MembersTab, memberPath } from './tabs/members-tab.tsx';
import { NoteText } from './tabs/note-text.tsx';
import { ReviewTab } from './tabs/review-tab.tsx';
import { TimelineTab } from './tabs/timeline-tab.tsx';
import { WhyNotTab } from './tabs/why-not-tab.tsx';
import * as texts from './texts.ts';
import type { useGroupChanges } from './use-group-changes.ts';
import type { Looking, TabName } from './use-looking.ts';

interface NotesTabProps {
  readonly group: GroupDetailData;
  readonly mayWrite: boolean;
  /** Rejects when the server does not have it: the text stays in the field. */
  readonly note: (text: string) => Promise<unknown>;
  /** Draft text, which stays while other parts are shown. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly field: Ref<HTMLTextAreaElement>;
}

/** Notes of users to each other. */
function NotesTab({ group, mayWrite, note, text, onText, field }: NotesTabProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await note(text.trim());
      onText('');
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  };
  return (
    <div className={classes.tab}>
      {group.notes.length === 0 ? <p className={classes.dim}>{texts.noNotesYet}</p> : null}
      <ol className={classes.notes}>
        {group.notes.map(({ at, by, text: said }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added.
          <li key={`${at} ${place}`}>
            <span className={classes.dim}>
              {by.name}, <Timestamp at={at} />
            </span>
            <NoteText text={said} />
          </li>
        ))}
      </ol>
      {mayWrite ? (
        <form onSubmit={(event) => void submit(event)} className={classes.noteForm}>
          <NoteField
            field={field}
            label={texts.newNote}
            minRows={2}
            value={text}
            error={error === null ? null : texts.couldntAddTheNote(refusalWords(error))}
            onText={onText}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
            }}
          />
          <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
            {texts.addNote}
          </Button>
        </form>
      ) : null}
    </div>
  );
}

interface TogetherTabProps {
  readonly members: readonly MemberData[];
  readonly pair: readonly [string | null, string | null];
  readonly onPair: (pair: readonly [string | null, string | null]) => void;
}

/** Two members: what joins them. */
function TogetherTab({ members, pair, onPair }: TogetherTabProps) {
  const explained = useExplained(pair[0], pair[1]);
  const options = members.map((member) => ({ value: member.eventId, label: eventName(member) }));
  const named = (id: string | null): string => {
    const member = members.find(({ eventId }) => eventId === id);
    return member === undefined ? (id ?? '') : eventName(member);
  };
  const choices = ([texts.event1, texts.event2] as const).map((label, at) => (
    <Select
      key={label}
      label={label}
      searchable
      limit={50}
      data={options}
      value={pair[at] ?? null}
      onChange={(value) => onPair(at === 0 ? [value, pair[1]] : [pair[0], value])}
      className={classes.choice}
    />
  ));
  return (
    <div className={classes.tab}>
      <div className={classes.choices}>{choices}</div>
      {pair[0] === null || pair[1] === null || pair[0] === pair[1] ? (
        <Notice title={texts.selectTwoEvents}>
          {texts.selectTwoEventsTab} <kbd>x</kbd> {texts.andPress} <kbd>e</kbd>.
        </Notice>
      ) : (
        <Region query={explained} what={texts.explanation}>
          {(found) => <ExplainedPair explained={found} names={[named(pair[0]), named(pair[1])]} />}
        </Region>
      )}
    </div>
  );
}

interface Props {
  readonly group: GroupDetailData;
  readonly looking: Looking;
  readonly actions: GroupActions;
  readonly changes: ReturnType<typeof useGroupChanges>;
}

function Members({ group, looking, actions }: Omit<Props, 'changes'>) {
  const navigate = useNavigate();
  const { correlationId: id } = group;
  const { selected } = looking;
  const [isMoving, setMoving] = useState(false);
  const chosen = (
    <>
      <span>{texts.selected(count(selected.ids.size, 'event'))}</span>
      <ActionButton words={texts.explain} shortcut="e" onClick={looking.explainPair} />
      {actions.mayCorrelate ? (
        <>
          <ActionButton words={texts.split} shortcut="p" onClick={() => looking.setSplitting(true)} />
          <Button variant="default" onClick={() => setMoving(true)}>
            {texts.moveToGroup}
          </Button>
        </>
      ) : null}
    </>
  );
  return (
    <Region query={looking.found} what={texts.eventList}>
      {({ members, pagination }) => (
        <>
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
          <MoveDialog
            what={isMoving ? count(selected.ids.size, 'event') : null}
            events={[...selected.ids].map((eventId) => ({ eventId, correlationId: id }))}
            onClose={() => setMoving(false)}
            onMoved={() => looking.setSelection(NOTHING)}
          />
        </>
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
    timeline: () => <TimelineTab group={group} />,
    review: () => <ReviewTab group={group} />,
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
    <section className={panel.panel} aria-label={texts.groupDetails}>
      <div className={classes.tabBar}>
        <Tabs<TabName>
          label={texts.groupSections}
          value={looking.tab}
          onChange={looking.setTab}
          tabs={[
            { value: 'members', words: texts.events, count: group.eventCount },
            { value: 'timeline', words: texts.timeline },
            { value: 'notes', words: texts.notes, count: group.notes.length },
            { value: 'together', words: texts.whyGrouped },
            { value: 'whynot', words: texts.whyNotGrouped },
            { value: 'review', words: texts.review },
            { value: 'raw', words: texts.raw },
          ]}
        />
      </div>
      <Part {...props} />
    </section>
  );
}
