import { Select, TextInput } from '@mantine/core';
import { useDone } from '#console/actions/use-done.ts';
import { type IssuedTokenShown, makeToken } from '#console/api/admin/tokens.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { textOf } from '#console/forms/form-text.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import type { Permission, Role } from '#domain/access/permissions.ts';
import { rolesToGive } from './parts/role-words.ts';

export const TOKENS = ['tokens'] as const;

const SENDS: Permission = 'events.webhook';
const SCREEN = 'screen';
/** The view of a large screen; it takes no token that may change something. */
const SCREEN_SCOPES: readonly Permission[] = ['events.read', 'services.read', 'pipeline.read'];
const AS_USUAL = 'usual';
const ENDS = [
  { value: AS_USUAL, label: 'As usual: never for senders, else after 90 days' },
  ...['30d', '90d', '365d'].map((value) => ({ value, label: `After ${Number.parseInt(value, 10)} days` })),
];

const rightsOf = (rights: string, own: readonly Permission[]) => {
  if (rights === SENDS) return { scopes: [SENDS] };
  if (rights === SCREEN) return { scopes: SCREEN_SCOPES.filter((scope) => own.includes(scope)) };
  return { role: rights as Role };
};

interface Props {
  readonly onClose: () => void;
  readonly onMade: (issued: IssuedTokenShown, isScreen: boolean) => void;
}

export function NewTokenDialog({ onClose, onMade }: Props) {
  const { call } = useParts();
  const { permissions } = useMe();
  const done = useDone(TOKENS);
  const rights = [
    { value: SENDS, label: 'Send events of a monitoring system' },
    { value: SCREEN, label: 'Show a large screen: a link that may only read' },
    ...rolesToGive(permissions).map(({ value, label }) => ({ value, label: `Role ${label}` })),
  ];
  const make = (form: FormData): Promise<void> => {
    const [may, ends] = [textOf(form, 'rights'), textOf(form, 'ends')];
    return done(async () => {
      const issued = await makeToken(call, {
        name: textOf(form, 'name'),
        description: textOf(form, 'description'),
        ...rightsOf(may, permissions),
        ...(ends !== AS_USUAL && { expires_in: ends }),
      });
      onMade(issued, may === SCREEN);
    }, null);
  };
  return (
    <FormDialog opened title="Make a token" action="Make it" onClose={onClose} send={make}>
      {(problems) => (
        <>
          <TextInput name="name" label="Name" required maxLength={255} error={problems.name} data-autofocus />
          <TextInput name="description" label="What it is for" maxLength={1_024} error={problems.description} />
          <Select
            name="rights"
            label="May"
            data={rights}
            defaultValue={SENDS}
            allowDeselect={false}
            error={problems.role ?? problems.scopes}
          />
          <Select
            name="ends"
            label="Ends"
            data={ENDS}
            defaultValue={AS_USUAL}
            allowDeselect={false}
            error={problems.expires_in}
          />
        </>
      )}
    </FormDialog>
  );
}
