import { ActionIcon, Button, Checkbox, Popover, Switch } from '@mantine/core';
import { Icon } from '#console/components/icon.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { listed, movedColumn, switchedColumn } from './columns.ts';
import * as text from './texts.ts';
import type { Columns } from './use-views.ts';
import classes from './views.module.css';

/** Selects the columns of the list, and their order. */
export function ColumnsMenu({
  columns,
  isOrdered = true,
  hasDensity = false,
}: {
  readonly columns: Columns;
  readonly isOrdered?: boolean;
  /** Its rows are lower or higher, as the person chooses. */
  readonly hasDensity?: boolean;
}) {
  const { choices, shown, change } = columns;
  const { settings } = useAppServices();
  const { density } = useSettings();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" rightSection={<Icon name="down" size={12} />}>
          {text.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ul className={classes.list} aria-label={text.columns}>
          {(isOrdered ? listed(choices, shown) : choices).map(({ id, title, isFixed }) => {
            const isShown = shown.includes(id);
            return (
              <li key={id} className={classes.row}>
                <Checkbox
                  label={title}
                  className={classes.grows}
                  checked={isShown}
                  disabled={isFixed ?? false}
                  onChange={() => change(switchedColumn(shown, id))}
                />
                {isOrdered && isShown ? (
                  <>
                    <ActionIcon
                      size={24}
                      aria-label={text.moveUp(title)}
                      disabled={shown[0] === id}
                      onClick={() => change(movedColumn(shown, id, -1))}
                    >
                      <Icon name="up" size={14} />
                    </ActionIcon>
                    <ActionIcon
                      size={24}
                      aria-label={text.moveDown(title)}
                      disabled={shown.at(-1) === id}
                      onClick={() => change(movedColumn(shown, id, 1))}
                    >
                      <Icon name="down" size={14} />
                    </ActionIcon>
                  </>
                ) : null}
              </li>
            );
          })}
        </ul>
        <div className={classes.foot}>
          {hasDensity ? (
            <Switch
              label={text.compactRows}
              checked={density === 'compact'}
              onChange={({ currentTarget }) =>
                settings.change({ density: currentTarget.checked ? 'compact' : 'comfortable' })
              }
            />
          ) : null}
          <Button variant="subtle" onClick={() => change(undefined)}>
            {text.resetToDefault}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
