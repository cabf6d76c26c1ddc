import { Button, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { GroupActions } from '#console/actions/group/use-group-actions.ts';
import type { Judgement } from '#console/api/group-changes.ts';
import type { MemberData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { Icon } from '#console/components/icon.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { showError } from '#console/frame/toasts.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { ActionButton } from './action-button.tsx';
import { type CauseChoice, causeChoices, verdictWords } from './cause-choices.ts';
import classes from './group.module.css';
import * as text from './texts.ts';
import type { useGroupChanges } from './use-group-changes.ts';

interface VerdictDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly choices: (search: string) => readonly CauseChoice[];
  /** Undefined: none of the members. */
  readonly judge: (rootEventId: string | undefined) => Promise<unknown>;
}

/** Number visible at once. */
const FEW = 8;
const NONE = '';

/** Asks for the right cause of a group whose cause was wrong. */
function VerdictDialog({ opened, onClose, choices, judge }: VerdictDialogProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(NONE);
  const close = (): void => {
    setTyped('');
    setChosen(NONE);
    onClose();
  };
  const found = choices(typed);
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={text.rootCauseVerdict}
      action={text.save}
      send={() => judge(chosen === NONE ? undefined : chosen)}
    >
      {() => (
        <>
          {choices('').length <= FEW ? null : (
            <TextInput
              label={text.searchEvents}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
          <Radio.Group label={text.rootCauseLabel} value={chosen} onChange={setChosen}>
            <div className={classes.causes}>
              <Radio value={NONE} label={text.notGroupUnknown} />
              {found.map(({ eventId, words }) => (
                <Radio key={eventId} value={eventId} label={words} />
              ))}
            </div>
          </Radio.Group>
          {found.length === 0 ? <p className={classes.dim}>{text.noMatchingEvents}</p> : null}
        </>
      )}
    </FormDialog>
  );
}

interface VerdictButtonsProps {
  readonly group: GroupDetailData;
  readonly members: readonly MemberData[];
  /** Throws when the server does not have it. */
  readonly judge: (verdict: Judgement) => Promise<void>;
}

/** One click confirms the cause; a rejection asks for the right one. */
function VerdictButtons({ group, members: all, judge }: VerdictButtonsProps) {
  const [isAsking, setAsking] = useState(false);
  const said = group.verdict;
  const members = said?.members ?? 'right';
  return (
    <span className={classes.verdict}>
      {verdictWords(group, all)}
      <Button
        variant={said?.cause === 'right' ? 'light' : 'default'}
        size="compact-sm"
        aria-label={text.yesCorrectRootCause}
        aria-pressed={said?.cause === 'right'}
        onClick={() =>
          void judge({ cause: 'right', members }).catch((error) => showError(text.couldntSaveTheVerdict, error))
        }
      >
        <Icon name="check" size={14} />
      </Button>
      <Button
        variant={said?.cause === 'wrong' ? 'light' : 'default'}
        size="compact-sm"
        aria-label={text.noWrongRootCause}
        aria-pressed={said?.cause === 'wrong'}
        onClick={() => setAsking(true)}
      >
        <Icon name="close" size={14} />
      </Button>
      <VerdictDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        choices={(search) => causeChoices(group, all, search)}
        judge={(rootEventId) => judge({ cause: 'wrong', members, ...(rootEventId !== undefined && { rootEventId }) })}
      />
    </span>
  );
}

interface Props {
  readonly group: GroupDetailData;
  readonly members: readonly MemberData[];
  readonly actions: GroupActions;
  readonly changes: ReturnType<typeof useGroupChanges>;
  /** Undefined: nothing is selected that could be split off. */
  readonly split: (() => void) | undefined;
}

function StatusButtons({ group, actions }: Pick<Props, 'group' | 'actions'>) {
  if (group.status === 'resolved')
    return <ActionButton words={text.reopen} shortcut="Shift r" isMain onClick={() => actions.reopen()} />;
  return (
    <>
      {group.status === 'active' ? (
        <ActionButton words={text.acknowledge} shortcut="a" isMain onClick={() => actions.acknowledge()} />
      ) : (
        <ActionButton words={text.unacknowledge} shortcut="Shift a" onClick={() => actions.unacknowledge()} />
      )}
      <ActionButton words={text.resolve} shortcut="r" onClick={() => actions.ask('resolve')} />
    </>
  );
}

/** Actions on a group, each with its key. */
export function GroupButtons({ group, members, actions, changes, split }: Props) {
  const me = useMe();
  const { mayWrite, mayCorrelate } = actions;
  const isMine = group.assignedTo?._id === me.user._id;
  return (
    <>
      {mayWrite ? (
        <>
          <StatusButtons group={group} actions={actions} />
          {actions.more.map((action) => (
            <ActionButton
              key={action.id}
              words={`${action.words}…`}
              shortcut={action.keys}
              onClick={() => actions.ask(action)}
            />
          ))}
          {isMine ? (
            <ActionButton words={text.unassign} shortcut="" onClick={() => actions.assign([group], null)} />
          ) : (
            <ActionButton words={text.assignToMe} shortcut="i" onClick={() => actions.take()} />
          )}
          <ActionButton words={text.assign} shortcut="Shift i" onClick={() => actions.ask('assign')} />
        </>
      ) : null}
      {mayCorrelate ? (
        <>
          <ActionButton words={text.merge} shortcut="m" onClick={() => actions.ask('merge')} />
          <ActionButton words={text.split} shortcut="p" isOff={split === undefined} onClick={() => split?.()} />
        </>
      ) : null}
      {mayWrite && group.cause !== null ? (
        <VerdictButtons group={group} members={members} judge={changes.judge} />
      ) : null}
    </>
  );
}
