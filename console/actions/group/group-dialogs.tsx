import { AssignDialog } from '../assign/assign-dialog.tsx';
import { MergeDialog } from '../merge/merge-dialog.tsx';
import { NoteDialog } from '../note-dialog.tsx';
import { ResolveDialog } from '../resolve-dialog.tsx';
import { type GroupActions, groupsNamed } from './use-group-actions.ts';

/** Dialogs before an action on groups. */
export function GroupDialogs({ actions }: { readonly actions: GroupActions }) {
  const { open, close } = actions;
  const groups = open?.groups ?? [];
  const named = (kind: string): string | null => (open?.kind === kind ? groupsNamed(groups) : null);
  return (
    <>
      <ResolveDialog
        what={named('resolve')}
        onClose={close}
        resolve={(resolution) => actions.resolve(groups, resolution)}
      />
      <AssignDialog what={named('assign')} onClose={close} assign={(to) => actions.assign(groups, to)} />
      <NoteDialog what={named('note')} onClose={close} note={(text) => actions.note(groups, text)} />
      {actions.more.map((action) => (
        <action.Part key={action.id} row={open?.kind === action ? (groups[0] ?? null) : null} onClose={close} />
      ))}
      <MergeDialog groups={open?.kind === 'merge' ? groups : []} onClose={close} merge={actions.merge} />
    </>
  );
}
