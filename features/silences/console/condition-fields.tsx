import { ActionIcon, Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { CisPicker } from '#console/cis/ci-picker.tsx';
import { Icon } from '#console/components/icon.tsx';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { CONDITION_NAMES } from './matcher-text.ts';
import { conditionOfCis, isOfCi, type SilenceCondition, withSuggestion } from './silence-draft.ts';
import classes from './silences.module.css';
import * as text from './texts.ts';

const SEVERITY_CHOICES = SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value] }));
const FIELDS = Object.entries(CONDITION_NAMES)
  .filter(([value]) => value !== 'ciIds')
  .map(([value, words]) => ({ value, label: words }));
const PLACEHOLDERS: Readonly<Partial<Record<SilenceCondition['name'], string>>> = {
  title: text.titlePlaceholder,
  host: 'fra1-*, web-?',
  labels: 'team="db"',
};

interface ValueProps {
  readonly condition: SilenceCondition;
  readonly onChange: (condition: SilenceCondition) => void;
}

function ValueField({ condition: { name, value, shown }, onChange }: ValueProps) {
  const label = text.valueFor(CONDITION_NAMES[name]);
  if (isOfCi(name)) {
    const ids = value === '' ? [] : value.split(',');
    return (
      <CisPicker
        label={label}
        className={classes.cis}
        picked={ids}
        names={new Map(shown?.map((one, at) => [ids[at] ?? '', one]))}
        onPick={(cis) => onChange(conditionOfCis(name, name === 'below' ? cis.slice(-1) : cis))}
      />
    );
  }
  if (name === 'severity')
    return (
      <MultiSelect
        aria-label={label}
        data={SEVERITY_CHOICES}
        value={value === '' ? [] : value.split(',')}
        onChange={(chosen) => onChange({ name, value: chosen.join(',') })}
      />
    );
  return (
    <TextInput
      aria-label={label}
      name={`matcher.${name}`}
      placeholder={PLACEHOLDERS[name] ?? ''}
      value={value}
      onChange={({ currentTarget }) => onChange({ name, value: currentTarget.value })}
    />
  );
}

interface Props {
  readonly conditions: readonly SilenceCondition[];
  readonly suggestions: readonly SilenceCondition[];
  readonly onChange: (conditions: readonly SilenceCondition[]) => void;
}

/** Conditions in lines; all of them must hold. */
export function ConditionFields({ conditions, suggestions, onChange }: Props) {
  const used = new Set(conditions.map(({ name }) => name));
  const free = FIELDS.find(({ value }) => !used.has(value as SilenceCondition['name']));
  const renamed = (before: SilenceCondition, name: SilenceCondition['name']): SilenceCondition =>
    isOfCi(name) === isOfCi(before.name) &&
    name !== 'severity' &&
    before.name !== 'severity' &&
    !(name === 'below' && before.value.includes(','))
      ? { ...before, name }
      : { name, value: '' };
  return (
    <fieldset className={classes.conditions}>
      <legend>{text.conditions}</legend>
      {conditions.map((condition, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place.
        <div key={at} className={classes.condition}>
          <Select
            aria-label={text.field}
            className={classes.conditionName ?? ''}
            data={FIELDS.filter(
              ({ value }) =>
                value === condition.name || value === 'labels' || !used.has(value as SilenceCondition['name']),
            )}
            value={condition.name}
            allowDeselect={false}
            onChange={(name) =>
              onChange(conditions.with(at, renamed(condition, (name ?? 'title') as SilenceCondition['name'])))
            }
          />
          <div className={classes.conditionValue}>
            <ValueField condition={condition} onChange={(next) => onChange(conditions.with(at, next))} />
          </div>
          <ActionIcon
            variant="subtle"
            aria-label={text.removeCondition(CONDITION_NAMES[condition.name])}
            onClick={() => onChange(conditions.toSpliced(at, 1))}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.more}>
        {suggestions
          .filter(({ name }) => !used.has(name))
          .map((suggestion) => (
            <Button
              key={suggestion.name}
              variant="default"
              size="compact-sm"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => onChange(withSuggestion(conditions, suggestion))}
            >
              {CONDITION_NAMES[suggestion.name]} {suggestion.shown?.[0] ?? suggestion.value}
            </Button>
          ))}
        {free === undefined ? null : (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => onChange([...conditions, { name: free.value as SilenceCondition['name'], value: '' }])}
          >
            {text.addCondition}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
