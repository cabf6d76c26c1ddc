import { Modal } from '@mantine/core';
import { AssignDialog } from '#console/actions/assign/assign-dialog.tsx';
import { NoteDialog } from '#console/actions/note-dialog.tsx';
import { ResolveDialog } from '#console/actions/resolve-dialog.tsx';
import type { EventRow } from '#console/api/events.ts';
import { ExplainedPair } from '#console/facts/explained-pair.tsx';
import { useExplained } from '#console/hooks/use-explained.ts';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/words/counts.ts';
import { type EventActions, numberOf } from './use-event-actions.ts';

const nameOf = ({ title, ciId, hostname }: EventRow): string => `${ciId?.name ?? hostname ?? 'no host'}: ${title}`;

function Explained({ one, other }: { readonly one: EventRow; readonly other: EventRow }) {
  const explained = useExplained(one.eventId, other.eventId);
  return (
    <Region query={explained} what="The explanation">
      {(pair) => <ExplainedPair explained={pair} names={[nameOf(one), nameOf(other)]} />}
    </Region>
  );
}

/** Dialogs before an action on events, and why two are together. */
export function EventDialogs({ actions }: { readonly actions: EventActions }) {
  const { open, close } = actions;
  const rows = open === null || open.kind === 'resolve' ? [] : open.rows;
  const [one, other] = rows;
  const said = one !== undefined && rows.length === 1 ? `“${one.title}”` : count(rows.length, 'event');
  const isPair = open?.kind === 'explain' && one !== undefined && other !== undefined;
  return (
    <>
      <ResolveDialog
        what={open?.kind === 'resolve' ? numberOf(open.which) : null}
        onClose={close}
        resolve={async (resolution) => {
          if (open?.kind === 'resolve') await actions.resolveAs(open.which, resolution);
        }}
      />
      <AssignDialog
        what={open?.kind === 'assign' ? said : null}
        onClose={close}
        assign={(to) => actions.assign(rows, to)}
      />
      <NoteDialog
        what={open?.kind === 'note' ? said : null}
        onClose={close}
        note={(text) => actions.note(rows, text)}
      />
      {actions.more.map((action) => (
        <action.Part key={action.id} row={open?.kind === action ? (one ?? null) : null} onClose={close} />
      ))}
      <Modal opened={isPair} onClose={close} title="Why together, or why not" size="lg">
        {isPair ? <Explained one={one} other={other} /> : null}
      </Modal>
    </>
  );
}
