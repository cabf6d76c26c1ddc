import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import { addInPlace, type CliFeature } from '#cli/commands/feature.ts';
import { numberColumn, textColumn } from '#cli/commands/lists.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, moment, tableOf } from '#cli/terminal/screen.ts';
import type { SettingsVersions } from '#schemas/http/admin/settings-history.ts';
import { addAlertKinds } from './alert-kinds.ts';
import { patchOf, type SettingsReply, settingsText } from './settings-texts.ts';

const PATH = '/api/admin/settings/correlation';

const addShow = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('show'))
    .description('show correlation settings and defaults')
    .action(async (options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).get<SettingsReply>(PATH), settingsText);
    });

const addSet = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('set'))
    .description('change correlation settings; null resets to default')
    .argument('<name=value...>', 'settings, for example threshold=0.75 guards.maxSpanMs=7200000')
    .action(async (changes: readonly string[], options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).put<SettingsReply>(PATH, patchOf(changes)), settingsText);
    });

type HistoryReply = DataReply<typeof SettingsVersions>;

const historyText = ({ data }: HistoryReply): string =>
  data.length === 0
    ? 'No changes yet.'
    : tableOf(
        [numberColumn('version'), 'changed (UTC)', 'by', textColumn('settings', 60)],
        data.map(({ revision, at, by, overrides }) => [
          String(revision),
          at === null ? 'before' : moment(at),
          by?.name ?? '–',
          clip(JSON.stringify(overrides), 200),
        ]),
      );

const addHistory = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('history'))
    .description('list versions of the correlation settings, newest first')
    .action(async (options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).get<HistoryReply>(`${PATH}/history`), historyText);
    });

const addRestore = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('restore'))
    .description('restore a version of the correlation settings')
    .argument('<version>', 'number in the history')
    .action(async (version: string, options: ConnectionOptions) => {
      const body = { revision: Number(version) };
      show(screen, options, await clientOf(options).post<SettingsReply>(`${PATH}/restore`, body), settingsText);
    });

export const addSettings =
  (features: readonly CliFeature[]) =>
  (program: Command, environment: CliEnvironment): Command => {
    const settings = program.command('settings').description('view, simulate and change correlation settings');
    const added = features.flatMap(({ settingsCommands = [] }) => settingsCommands);
    const own = [
      { place: 10, add: addShow },
      { place: 20, add: addSet },
      { place: 24, add: addHistory },
      { place: 27, add: addRestore },
      { place: 30, add: addAlertKinds },
    ];
    addInPlace(settings, environment, [...own, ...added]);
    return settings;
  };
