import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { SOURCE_FORMS, type SourceField } from './kinds.ts';
import { draftForm, type SourceDraft, signInOf, UNCHANGED } from './source-draft.ts';
import * as text from './texts.ts';

interface Props {
  readonly draft: SourceDraft;
  /** It exists: its name and kind are fixed. */
  readonly isStored: boolean;
  /** A stored sign-in. */
  readonly hasSignIn: boolean;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (change: Partial<SourceDraft>) => void;
}

function SignIn({ draft, hasSignIn, problems, change }: Omit<Props, 'isStored'>) {
  const { secrets, signIn } = draft;
  const choices = [
    { value: UNCHANGED, label: hasSignIn ? text.keepSignIn : text.noSignIn },
    ...draftForm(draft).signIns.map(({ type, label }) => ({ value: type, label })),
  ];
  return (
    <>
      <Select
        label={text.signIn}
        description={hasSignIn && signIn === UNCHANGED ? text.keepSignInHelp : undefined}
        data={choices}
        value={signIn}
        allowDeselect={false}
        onChange={(next) => change({ signIn: next ?? UNCHANGED, secrets: {} })}
      />
      {(signInOf(draft)?.fields ?? []).map(({ name, label, isSecret }) => (
        <TextInput
          key={name}
          label={label}
          type={isSecret ? 'password' : 'text'}
          required
          autoComplete="off"
          value={secrets[name] ?? ''}
          onChange={({ currentTarget }) => change({ secrets: { ...secrets, [name]: currentTarget.value } })}
          error={problems[`auth.${name}`] ?? problems.auth}
        />
      ))}
    </>
  );
}

/** All fields of a source, by its kind. */
export function SourceFields(props: Props) {
  const { draft, isStored, problems, change } = props;
  const form = draftForm(draft);
  const input = (field: 'name' | 'url' | 'every' | 'grace', shown: Omit<SourceField, 'name'>) => (
    <TextInput
      name={field}
      label={shown.label}
      description={shown.help}
      placeholder={shown.placeholder}
      required={field !== 'url' || form.isUrlOptional !== true}
      maxLength={2_048}
      value={draft[field]}
      onChange={({ currentTarget }) => change({ [field]: currentTarget.value })}
      error={problems[field]}
    />
  );
  return (
    <>
      {isStored ? null : (
        <>
          <Select
            label={text.kind}
            description={form.help}
            data={SOURCE_FORMS.map(({ kind, label }) => ({ value: kind, label }))}
            value={draft.kind}
            allowDeselect={false}
            onChange={(kind) => change({ kind: kind ?? draft.kind, signIn: UNCHANGED, secrets: {}, fields: {} })}
          />
          {input('name', { label: text.name, placeholder: text.nameExample })}
        </>
      )}
      {input('url', { label: text.url, help: text.urlHelp, placeholder: form.urlPlaceholder })}
      <SignIn {...props} />
      {form.fields.map(({ name, label, help, placeholder, shape }) => {
        const Input = shape === 'lines' ? Textarea : TextInput;
        return (
          <Input
            key={name}
            name={name}
            label={label}
            description={help}
            placeholder={placeholder}
            value={draft.fields[name] ?? ''}
            onChange={({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
              change({ fields: { ...draft.fields, [name]: currentTarget.value } })
            }
            error={problems[name]}
          />
        );
      })}
      {input('every', { label: text.interval, help: text.intervalHelp })}
      {input('grace', { label: text.grace, help: text.graceHelp })}
      <Checkbox
        label={text.suspend}
        checked={draft.isPaused}
        onChange={({ currentTarget }) => change({ isPaused: currentTarget.checked })}
      />
    </>
  );
}
