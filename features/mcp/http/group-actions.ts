import { z } from 'zod';
import { acknowledgeGroups } from '#api/groups/endpoints.ts';
import { noteGroup } from '#api/groups/group-actions.ts';
import { tool } from '#api/surfaces/tool.ts';
import { Fault } from '#domain/fault.ts';
import { counted } from '#features/ai/rules/findings.ts';

const groupId = z.string().min(1).max(64).describe('Group ID, COR-…');

interface OperationResult {
  readonly results: readonly {
    readonly id: string;
    readonly changed: number;
    readonly queued: boolean;
    readonly error: string | null;
  }[];
}

const acknowledging = tool({
  name: 'acknowledge_group',
  title: 'Acknowledge a group',
  description:
    'Acknowledges the open events of one group as the owner of the credential. Recorded in the audit log; can be undone for 10 minutes in the console.',
  endpoint: acknowledgeGroups,
  isWriting: true,
  input: z.strictObject({ group: groupId, note: z.string().trim().min(1).max(4_096).optional() }),
  output: z.object({ group: z.string(), changed: z.int(), queued: z.boolean().describe('Logged, not yet applied') }),
  async run({ ask }, { group, note }) {
    const { body } = await ask(acknowledgeGroups, {
      body: { ids: [group], ...(note !== undefined && { notes: note }) },
    });
    const [done] = (body as OperationResult).results;
    if (done === undefined || done.error !== null)
      throw new Fault('not-found', done?.error ?? `Group ${group} was not found`);
    return { group, changed: done.changed, queued: done.queued };
  },
  tell: ({ group, changed, queued }) =>
    queued
      ? `The acknowledgement of group ${group} is queued.`
      : `Acknowledged group ${group}: ${counted(changed, 'event')} changed.`,
});

const noting = tool({
  name: 'note_group',
  title: 'Add a note to a group',
  description: 'Adds a note to one group as the owner of the credential. Recorded in the audit log.',
  endpoint: noteGroup,
  isWriting: true,
  input: z.strictObject({ group: groupId, text: z.string().trim().min(1).max(4_096) }),
  output: z.object({ group: z.string(), notes: z.int().describe('Number of notes on the group') }),
  async run({ ask }, { group: correlationId, text: note }) {
    const { body } = await ask(noteGroup, { params: { correlationId }, body: { text: note } });
    const { group } = body as {
      readonly group: { readonly correlationId: string; readonly notes: readonly unknown[] };
    };
    return { group: group.correlationId, notes: group.notes.length };
  },
  tell: ({ group, notes }) => `Added the note to group ${group}, which has ${counted(notes, 'note')}.`,
});

export const groupActions = [acknowledging, noting];
